"""Calls of what the program does not define: libraries, the language itself, and what they call back."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from sonde.effects.python_code.body import Body, Given
from sonde.effects.python_code.definitions import Class, Foreign, Function

# These call what they are given while they run, and not later.
CALLING = frozenset(
    {"sorted", "min", "max", "map", "filter", "functools.reduce", "reduce", "object.sort", "defaultdict"}
    | {"collections.defaultdict", "itertools.groupby", "groupby", "next", "iter", "functools.cmp_to_key"}
    | {"itertools.takewhile", "itertools.dropwhile", "itertools.starmap", "itertools.accumulate", "re.sub"}
    | {"object.sub", "cmp_to_key"}
)
# Of these, what is called back changes nothing but the result.
GIVING = CALLING - {"object.sort"}
# These call nothing that they are given.
SILENT = (
    frozenset(
        {
            "len",
            "abs",
            "round",
            "int",
            "float",
            "complex",
            "bool",
            "ord",
            "chr",
            "hash",
            "id",
            "hex",
            "oct",
            "bin",
        }
        | {
            "isinstance",
            "issubclass",
            "callable",
            "repr",
            "str",
            "ascii",
            "format",
            "pow",
            "divmod",
            "any",
            "all",
        }
        | {
            "hasattr",
            "getattr",
            "bytes",
            "bytearray",
            "memoryview",
            "range",
            "slice",
            "input",
            "print",
            "sum",
        }
        | {
            "list",
            "tuple",
            "set",
            "frozenset",
            "dict",
            "reversed",
            "zip",
            "enumerate",
            "vars",
            "type",
            "super",
        }
        | {"new", "copy.copy", "copy.deepcopy", "collections.deque", "collections.OrderedDict", "exit"}
        | {
            "collections.Counter",
            "time.time",
            "time.perf_counter",
            "time.sleep",
            "os.path.join",
            "json.dumps",
        }
        | {
            f"object.{name}"
            for kind in (str, bytes, list, dict, set, tuple, int, float)
            for name in dir(kind)
        }
    )
    - CALLING
)
# What the language calls of an object that it hands to these.
SPECIAL = {
    "len": ("__len__",),
    "str": ("__str__", "__repr__"),
    "print": ("__str__", "__repr__"),
    "repr": ("__repr__",),
    "format": ("__format__", "__str__"),
    "bool": ("__bool__", "__len__"),
    "int": ("__int__", "__index__"),
    "float": ("__float__",),
    "abs": ("__abs__",),
    "hash": ("__hash__",),
    "next": ("__next__",),
    "iter": ("__iter__",),
    "reversed": ("__reversed__",),
    "round": ("__round__",),
    "bytes": ("__bytes__",),
    "copy.copy": ("__copy__",),
    "copy.deepcopy": ("__deepcopy__",),
}
COMPARING = ("__lt__", "__gt__", "__le__", "__ge__", "__eq__", "__hash__")
ITERATING = ("__iter__", "__next__", "__len__", "__getitem__", "__contains__")
DATA = (
    *(ast.Constant, ast.JoinedStr, ast.BinOp, ast.Compare, ast.List, ast.Dict, ast.Set, ast.Tuple),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.UnaryOp, ast.Subscript),
)


def use_foreign(body: Body, name: str, values: Sequence[int], nodes: Sequence[ast.expr]) -> int:
    """What a function of a library gives; `nodes` are the expressions of the values, as far as there are."""
    writer = body.writer
    results = [each for value in values for each in _special(body, name, value)]
    called = [
        (value, number)
        for number, (value, node) in enumerate(zip(values, nodes, strict=False))
        if may_be_called(body, node)
    ]
    result = writer.use(name, values)
    if called and name not in SILENT and not name.startswith("object.is"):
        others = body.with_content(values)
        given = writer.compute("any", [*others, *(body.content(each) for each in others if each >= 0)][:40])
        for value, _ in called:
            back = writer.call(value, (given,) * (1 + body.package.vocabulary.slots))
            results.append(back)
            writer.store(result, back)
            for each in values if name not in GIVING else ():
                if each >= 0 and each != value:
                    writer.store(each, back)
            if name not in CALLING:
                writer.use("later", (value,), may_raise=False)
    return writer.join([result, *results])


def _special(body: Body, name: str, value: int) -> list[int]:
    """What methods of the program give that a function of the language calls."""
    if value < 0:
        return []
    found: list[int] = []
    last = name.rpartition(".")[2]
    for method in SPECIAL.get(name, ()):
        found += body.special(value, method)
    if name in SPECIAL:
        return found
    if name not in SILENT or last in ("list", "tuple", "set", "sorted", "sum", "any", "all", "enumerate"):
        for method in ITERATING:
            found += body.special(value, method)
    if last in ("sorted", "min", "max", "sort", "heappush", "heappop", "insort", "set", "index", "count"):
        element = body.content(value)
        for method in COMPARING:
            found += body.special(element, method, (element,))
    if last in ("map", "filter", "zip", "dict", "extend", "update", "join"):
        found += body.special(value, "__iter__")
        found += body.special(value, "__next__")
    return found


def may_be_called(body: Body, node: ast.expr) -> bool:
    """Whether an expression may give something that can be called."""
    if isinstance(node, ast.Lambda | ast.Call | ast.IfExp | ast.BoolOp | ast.Starred | Given):
        return True
    if isinstance(node, ast.Attribute):
        return body.package.vocabulary.is_known(node.attr)
    if not isinstance(node, ast.Name):
        return False
    owner = body.scope.find(node.id)
    if owner is None:
        return False
    meaning = body.package.named(node.id, body.scope)
    if meaning is not None:
        return isinstance(meaning, Function | Class)
    return any(not _is_data(each, node.id, owner.node) for each in owner.bound.get(node.id, ()))


def _is_data(bound: ast.AST, name: str, scope: ast.AST) -> bool:
    """Whether what is bound here is surely no function."""
    if not isinstance(bound, ast.Name):
        return False
    for each in ast.walk(scope):
        if isinstance(each, ast.Assign) and any(target is bound for target in each.targets):
            return isinstance(each.value, DATA)
        if isinstance(each, ast.AugAssign) and each.target is bound:
            return True
    return False


def foreign_name(meaning: Foreign) -> str:
    """The name by which models know it: without the module where the language knows it by itself."""
    return meaning.name.removeprefix("builtins.")
