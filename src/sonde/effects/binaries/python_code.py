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
from sonde.effects.binaries.combining import combine_functions
from sonde.effects.binaries.damaged import Damaged
from sonde.effects.binaries.meanings import short_digest

_NO_TEXTS = short_digest().hex()


def read_python_code(output: str, content: bytes) -> Mapping[Key, Function]:
    """All functions, class bodies, lambdas and comprehensions, and the module itself as `<module>`.

    Comparable within one minor version of Python only, whose bytecode this is.
    """
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    try:
        module = _compiled(output, content)
    except SyntaxError as error:
        place = f"line {error.lineno}: {error.msg}"
        raise Damaged(
            f"it is no Python {version} ({place}); correct it, or leave it out of the outputs"
        ) from None
    except (ValueError, RecursionError, MemoryError, OverflowError) as error:
        raise Damaged(f"Python {version} cannot compile it ({error}); leave it out of the outputs") from None
    codes = list(_all_codes(module))
    digests = _Digests(Counter(code.co_qualname for code in codes))
    return combine_functions((Key(output, "", code.co_qualname), digests.function(code)) for code in codes)


def _compiled(output: str, content: bytes) -> CodeType:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about the style of the subject
        tree = ast.parse(content, output)
        for node in ast.walk(tree):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                _strip_docstring(node)
        return compile(tree, output, "exec", dont_inherit=True, optimize=0)


def _strip_docstring(node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> None:
    """Remove the docstring, and strings behind it, which would take its place."""
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
    if not node.body and not isinstance(node, ast.Module):
        node.body.append(ast.copy_location(ast.Pass(), first))


def _all_codes(module: CodeType) -> Iterator[CodeType]:
    waiting = [module]
    while waiting:
        code = waiting.pop()
        yield code
        waiting += [constant for constant in code.co_consts if isinstance(constant, CodeType)]


class _Digests:
    """Digests of the code objects of a file; those that share a name are told apart by what they do."""

    def __init__(self, count: Mapping[str, int]) -> None:
        self._count = count
        self._known: dict[int, bytes] = {}

    def function(self, code: CodeType) -> Function:
        digest = self._digest(code)
        lines = str(code.co_firstlineno).encode()
        return Function(
            code=digest.hex(),
            masked=digest.hex(),
            masked_for=frozenset(),
            raw=short_digest(digest, code.co_linetable, lines).hex(),
            texts=_NO_TEXTS,
            length=sum(1 for _ in dis.get_instructions(code)),
            calls=frozenset(code.co_names),
        )

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
