"""Values that are computed from options before the work begins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from studies.impact.generated.knobs import Kind
from studies.impact.generated.python.drawing.draft import Draft
from studies.impact.generated.python.drawing.features import Feature, Import, about, number

_WORDS = ("budget", "span", "margin", "reach", "effort")


@dataclass(frozen=True)
class Derived:
    """Statements of main, and the values that they make."""

    features: tuple[Feature, ...] = ()
    statements: tuple[str, ...] = ()


def derive(draft: Draft, features: Sequence[Feature]) -> Derived:
    """At most one value; it is kept as one of the options is, or handed on."""
    rng = draft.rng
    if rng.random() < 0.45:
        return Derived()
    name = draft.fresh(*_WORDS)
    first, second = rng.choice(list(features)), rng.choice(list(features))
    value = number(rng, first, 1, 6)
    if rng.random() < 0.5:  # a function computes it
        function = draft.fresh(f"find_{name}")
        module = rng.choice(draft.modules)
        draft.add(
            module,
            f"""
def {function}(wanted, strict):
    found = wanted
    if strict:
        found += {rng.randint(1, 3)}
    return found
""",
        )
        draft.use("__main__", Import(module, function))
        lines = [f"{{}} = {function}({value}, {about(rng, second)})"]
    else:
        lines = [f"{{}} = {value}", f"if {about(rng, second)}:", f"    {{}} = {rng.randint(1, 6)}"]
    read, carrier, needs = _place(draft, first, name)
    feature = Feature(read, Kind.LEVEL, highest=6, carrier=carrier, needs=needs)
    return Derived((feature,), tuple(line.replace("{}", read) for line in lines))


def _place(draft: Draft, beside: Feature, name: str) -> tuple[str, str, Import | None]:
    """Where it is kept: as the feature beside it, if that allows."""
    if beside.carrier in ("args", "config"):
        return f"{beside.carrier}.{name}", beside.carrier, None
    if beside.carrier == "options":
        return f"options[{name!r}]", "options", None
    if beside.needs is not None and not beside.needs.name:
        draft.add("settings", f"{name.upper()} = 1")
        return f"settings.{name.upper()}", "", beside.needs
    return name, name, None
