"""The command line as `argparse` and `optparse` read it: each option is an attribute of one object."""

from __future__ import annotations

import ast

from sonde.formats.python_source.code.body import PythonBody
from sonde.formats.python_source.names.vocabulary import OBJECT

ARGUMENTS = "<arguments>"  # the global for what all parsers give
WORDS = "argv"
ABOUT = frozenset({"help", "metavar", "dest"})  # what is only shown, or known already


def arguments_object(body: PythonBody) -> int:
    """The address of the object with all options."""
    size = body.package.vocabulary.size
    return body.writer.address(body.unit.variable(ARGUMENTS, "", size=size, type=OBJECT))


def option_name(node: ast.Call) -> str:
    """The attribute of an `add_argument`; empty if it is not plain."""
    for keyword in node.keywords:
        if keyword.arg == "dest":
            return str(keyword.value.value) if isinstance(keyword.value, ast.Constant) else ""
    words = option_words(node)
    chosen = next((word for word in words if word.startswith("--")), words[0] if words else "")
    return chosen.lstrip("-").replace("-", "_")


def option_words(node: ast.Call) -> list[str]:
    """The words of an `add_argument`."""
    return [
        each.value for each in node.args if isinstance(each, ast.Constant) and isinstance(each.value, str)
    ]


def add_argument(body: PythonBody, node: ast.Call, parser: int) -> int:
    """An option: its default, what its type makes of the word, and the word itself."""
    writer = body.writer
    name = option_name(node)
    word = writer.use(WORDS, ())
    values = [word]
    for keyword in node.keywords:
        if keyword.arg in ABOUT:
            continue
        value = body.value(keyword.value)
        values.append(value)
        if keyword.arg in ("type", "action"):
            back = writer.call(value, (writer.nothing, word))
            values.append(back)
    at = writer.field(arguments_object(body), body.offset(name)) if name else arguments_object(body)
    writer.store(at, writer.compute("option", values))
    return writer.use("argument", (parser,))


def set_defaults(body: PythonBody, node: ast.Call, parser: int) -> int:
    """`set_defaults(name=value)` and `add_subparsers(dest="name")`."""
    writer = body.writer
    for keyword in node.keywords:
        if keyword.arg == "dest" and isinstance(keyword.value, ast.Constant):
            at = writer.field(arguments_object(body), body.offset(str(keyword.value.value)))
            writer.store(at, writer.use(WORDS, ()))
        elif keyword.arg and keyword.arg not in ABOUT:
            at = writer.field(arguments_object(body), body.offset(keyword.arg))
            writer.store(at, body.value(keyword.value))
    return writer.use("argument", (parser,))


def parsed_arguments(body: PythonBody, node: ast.Call, parser: int) -> int:
    """The object with all options."""
    writer = body.writer
    given = [body.value(each) for each in node.args]
    writer.use("argparse", (parser, *given))
    found = writer.compute("options", (arguments_object(body),))
    if isinstance(node.func, ast.Attribute) and node.func.attr == "parse_known_args":
        return body.container([found, writer.use(WORDS, ())])
    if "add_option" in body.package.vocabulary.offsets:  # `optparse` gives it with the other words
        return writer.join([found, body.container([found, writer.use(WORDS, ())])])
    return found
