"""The functions of a Python file, from its code objects."""

from __future__ import annotations

import ast
import dis
import sys
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping
from types import CodeType

from sonde.core.evidence import Function, Key
from sonde.formats.compiled_functions.combining import combine_functions
from sonde.formats.damaged import Damaged
from sonde.formats.machine_code.meanings import short_digest

INTERPRETER = f"{sys.implementation.name} {sys.version_info.major}.{sys.version_info.minor}"
MODULE = "<module>"

_Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def read_python_code(output: str, content: bytes) -> Mapping[Key, Function] | None:
    """All functions, class bodies, lambdas and comprehensions, and the module itself as `<module>`.

    Comparable within one minor version of Python only, whose bytecode this is. None if it is no Python: a
    file that may be meant for another one, or a template.
    """
    try:
        module, docstrings = _compiled(output, content)
    except (SyntaxError, ValueError):
        return None
    except (RecursionError, MemoryError, OverflowError) as error:
        raise Damaged(f"{INTERPRETER} cannot compile it ({error}); leave it out of the outputs") from None
    codes = list(_all_codes(module))
    digests = _Digests(Counter(code.co_qualname for code in codes), docstrings)
    return combine_functions((Key(output, "", code.co_qualname), digests.function(code)) for code in codes)


def _compiled(output: str, content: bytes) -> tuple[CodeType, Mapping[str, list[str]]]:
    """The code of a file without its docstrings, and the docstrings of each function."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about the style of the subject
        tree = ast.parse(content, output)
        docstrings: dict[str, list[str]] = {}
        for name, node in _named(tree):
            if (docstring := ast.get_docstring(node, clean=False)) is not None:
                docstrings.setdefault(name, []).append(docstring)
            _strip_docstring(node)
        return compile(tree, output, "exec", dont_inherit=True, optimize=0), docstrings


def _named(tree: ast.Module) -> Iterator[tuple[str, _Documented]]:
    """Everything that can have a docstring, by its qualified name."""
    waiting: list[tuple[str, ast.AST]] = [("", tree)]
    while waiting:
        prefix, node = waiting.pop()
        if isinstance(node, ast.Module):
            yield MODULE, node
        elif isinstance(node, ast.ClassDef):
            yield f"{prefix}{node.name}", node
            prefix = f"{prefix}{node.name}."
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield f"{prefix}{node.name}", node
            prefix = f"{prefix}{node.name}.<locals>."
        waiting += [(prefix, child) for child in ast.iter_child_nodes(node)]


def _strip_docstring(node: _Documented) -> None:
    """Remove the docstring, and strings behind it, which would take its place.

    Of a class, an empty one stays: `dataclass` writes one where there is none.
    """
    count = 0
    for statement in node.body:
        if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Constant):
            break
        if not isinstance(statement.value.value, str):
            break
        count += 1
    if not count:
        return
    first = node.body[0]
    node.body[:count] = []
    if isinstance(node, ast.ClassDef):
        node.body.insert(0, ast.copy_location(ast.Expr(ast.copy_location(ast.Constant(""), first)), first))
    elif not node.body and not isinstance(node, ast.Module):
        node.body.append(ast.copy_location(ast.Pass(), first))


def _all_codes(module: CodeType) -> Iterator[CodeType]:
    waiting = [module]
    while waiting:
        code = waiting.pop()
        yield code
        waiting += [constant for constant in code.co_consts if isinstance(constant, CodeType)]


class _Digests:
    """Digests of the code objects of a file; those that share a name are told apart by what they do."""

    def __init__(self, count: Mapping[str, int], docstrings: Mapping[str, list[str]]) -> None:
        self._count = count
        self._docstrings = docstrings
        # A function that is declared global has another name than its place tells.
        self._homeless = [
            text for name in sorted(docstrings.keys() - count.keys()) for text in docstrings[name]
        ]
        self._known: dict[int, bytes] = {}

    def function(self, code: CodeType) -> Function:
        digest = self._digest(code)
        lines = str(code.co_firstlineno).encode()
        return Function(
            code=digest.hex(),
            masked=digest.hex(),
            masked_for=frozenset(),
            raw=short_digest(digest, code.co_linetable, lines).hex(),
            texts=self._texts(code.co_qualname),
            length=sum(1 for _ in dis.get_instructions(code)),
            calls=frozenset(code.co_names),
        )

    def _texts(self, name: str) -> str:
        texts = [*self._docstrings.get(name, ()), *(self._homeless if name == MODULE else ())]
        return short_digest(*(text.encode(errors="surrogatepass") for text in texts)).hex()

    def _digest(self, code: CodeType) -> bytes:
        known = self._known.get(id(code))
        if known is None:
            known = self._known[id(code)] = short_digest(*self._parts(code))
        return known

    def _parts(self, code: CodeType) -> list[bytes]:
        """Everything that decides what it does."""
        counts = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_nlocals)
        names = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
        return [
            code.co_code,
            code.co_exceptiontable,
            repr((counts, code.co_flags, code.co_stacksize, names)).encode(errors="surrogatepass"),
            *(self._constant(each) for each in code.co_consts),
        ]

    def _constant(self, constant: object) -> bytes:
        if not isinstance(constant, CodeType):
            return constant_identity(constant)
        name = constant.co_qualname.encode(errors="surrogatepass")
        is_alone = self._count[constant.co_qualname] == 1
        return b"code " + name if is_alone else short_digest(b"code", name, self._digest(constant))


def constant_identity(constant: object) -> bytes:
    """Equal for constants that no program can tell apart: 1, 1.0 and True differ, so do 0.0 and -0.0."""
    if isinstance(constant, tuple):
        return b"tuple " + short_digest(*(constant_identity(each) for each in constant))
    if isinstance(constant, frozenset):
        return b"frozenset " + short_digest(*sorted(constant_identity(each) for each in constant))
    if isinstance(constant, float):
        return b"float " + constant.hex().encode()
    if isinstance(constant, complex):
        return f"complex {constant.real.hex()} {constant.imag.hex()}".encode()
    if isinstance(constant, str):
        return b"str " + constant.encode(errors="surrogatepass")
    if isinstance(constant, bytes):
        return b"bytes " + constant
    if isinstance(constant, int):
        return f"{type(constant).__name__} {constant:x}".encode()
    return f"{type(constant).__name__} {constant!r}".encode()  # None and the ellipsis
