"""The page itself: template, style, script and document in one text that loads nothing."""

from __future__ import annotations

import json
from base64 import b64encode
from dataclasses import dataclass
from hashlib import sha256
from html import escape
from string import Template

_ESCAPES = {
    "<": "\\u003c",
    ">": "\\u003e",
    "&": "\\u0026",
    "\u2028": "\\u2028",
    "\u2029": "\\u2029",
}


@dataclass(frozen=True)
class PageAssets:
    """Our own files that make up the page."""

    template: str
    style: str
    scripts: tuple[str, ...]  # in the order in which they build on each other


def page_html(document: dict[str, object], assets: PageAssets) -> str:
    """One HTML file. Its policy forbids every request, and every script and style but its own two."""
    script = _joined(assets.scripts)
    policy = (
        "default-src 'none'; "
        f"script-src '{_hash(script)}'; style-src '{_hash(assets.style)}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    return Template(assets.template).substitute(
        policy=policy,
        title=escape(str(document["title"])),
        style=assets.style,
        document=script_json(document),
        script=script,
    )


def script_json(document: object) -> str:
    """JSON in which no text can end the element that holds it."""
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for letter, escaped in _ESCAPES.items():
        text = text.replace(letter, escaped)
    return text


def _joined(scripts: tuple[str, ...]) -> str:
    """All scripts in one scope, so that none of their names is global."""
    return '(() => {\n"use strict";\n' + "\n".join(scripts) + "\n})();"


def _hash(content: str) -> str:
    return f"sha256-{b64encode(sha256(content.encode()).digest()).decode()}"
