"""Names that are surely no objects of the program: numbers, texts and containers of the language."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from sonde.formats.python_source.names.definitions import walk_own
from sonde.formats.python_source.names.scopes import NameScope, Sort
from sonde.formats.python_source.names.vocabulary import last_name

PLAIN_FUNCTIONS = frozenset(
    {"len", "int", "str", "float", "bool", "range", "list", "dict", "set", "tuple", "sorted", "abs"}
)
DISPLAYS = (ast.List, ast.Tuple, ast.Set, ast.Dict, ast.ListComp, ast.SetComp, ast.DictComp)


def find_plain_names(scope: NameScope) -> Iterator[str]:
    """The names of a scope that are only ever bound to such."""
    plain: dict[int, bool] = {}
    for each in walk_own(ast.iter_child_nodes(scope.node)):
        if isinstance(each, ast.Assign):
            plain |= {id(target): _is_plain(each.value) for target in each.targets}
        elif isinstance(each, ast.For) and _is_plain(each.iter) and last_name(each.iter) == "range":
            plain[id(each.target)] = True
        elif isinstance(each, ast.AugAssign):
            plain[id(each.target)] = _is_plain(each.value)
    for name, bound in scope.bound.items():
        if scope.sort is not Sort.MODULE and all(plain.get(id(each), False) for each in bound):
            yield name


def _is_plain(node: ast.expr) -> bool:
    """Whether an expression surely gives no object of the program; arithmetic of such is such, too."""
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id in PLAIN_FUNCTIONS
    if isinstance(node, ast.BinOp):
        return _is_plain(node.left) and _is_plain(node.right)
    return isinstance(node, (ast.Constant, ast.Compare, ast.JoinedStr, *DISPLAYS)) or (
        isinstance(node, ast.UnaryOp) and (isinstance(node.op, ast.Not) or _is_plain(node.operand))
    )
