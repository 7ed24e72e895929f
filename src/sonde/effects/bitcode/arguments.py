"""The words of a compiler's call, sorted: what is compiled, what decides its meaning, and what does not."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath

C_SUFFIXES = frozenset((".c", ".i"))
CPLUSPLUS_SUFFIXES = frozenset((".cc", ".cp", ".cpp", ".cxx", ".c++", ".C", ".CPP", ".ii"))
ASSEMBLER_SUFFIXES = frozenset((".s", ".S", ".sx", ".asm"))

_LANGUAGES = {"c": "c", "c++": "c++", "cpp-output": "c", "c++-cpp-output": "c++"}

# They tell the preprocessor what to read; what it has read tells all about them.
_READING = ("-include", "-imacros", "-isystem", "-iquote", "-idirafter", "-I", "-D", "-U")
_READING_APART = (*_READING, "-iprefix", "-iwithprefix", "-iwithprefixbefore", "-isysroot", "--sysroot")
# They matter, and a word of their own follows.
_SHAPING_APART = ("-target", "-arch")
# They do not matter to what the code means, and a word of their own follows.
_DROPPED_APART = (
    *("-o", "-MF", "-MT", "-MQ", "-MJ", "-L", "-l", "-T", "-u", "-e", "-z", "-R", "-h", "-A", "-B", "-G"),
    *("-Xlinker", "-Xassembler", "-Xclang", "-mllvm", "-aux-info", "--param", "-specs", "-wrapper"),
    *("-dumpbase", "-dumpdir", "-dumpbase-ext", "-framework", "-rpath", "-soname", "-imultilib"),
)
# They change what the code means, or which code there is. Optimisation, warnings, linking do not.
_SHAPING = re.compile(
    r"-std=.*|-ansi|-trigraphs|-pthreads?|-stdlib=.*|--target=.*|-undef|-E[BL]"
    r"|-m(?!llvm|no-red-zone|tune|indirect|function-return|fentry|record|nop-|cmodel|stack|preferred|branch|harden).*"
    r"|-f(no-)?(signed|unsigned|short|pack-struct|common|exceptions|non-call-exceptions|rtti|char|permissive"
    r"|ms-|gnu89|gnu-|asm|freestanding|hosted|builtin|wrapv|trapv|strict-overflow|blocks|coroutines|concepts"
    r"|threadsafe|sized|aligned|operator-names|cond-mismatch|lax-vector|plan9|input-charset|exec-charset|wide-exec"
    r"|dollars|fast-math|finite-math|extended-identifiers|constexpr|template|strict-flex|declspec|elide|access-control|nested|fixed"
    r"|max-type-align|leading-underscore|abi|use-cxa|weak|zero-initialized|single-precision).*"
)
_FORTIFIED = re.compile(r"(-D|-U|-Wp,-D|-Wp,-U)_(FORTIFY_SOURCE|GLIBCXX_ASSERTIONS)\b.*")
OPENMP = "-D_OPENMP=201511"  # the routine stays whole: pragmas are then ignored


@dataclass(frozen=True)
class Compilation:
    """What a call compiles, and how."""

    sources: tuple[tuple[str, str], ...]  # each with its language, or an empty text: its suffix decides
    reading: tuple[str, ...]  # words for the preprocessor
    shaping: tuple[str, ...]  # words that change what the code means


def sort_words(words: Iterable[str]) -> Compilation:
    """The words of a call in their order, without those that do not matter to what the code means."""
    sources: list[tuple[str, str]] = []
    reading: list[str] = []
    shaping: list[str] = []
    language = ""
    rest = iter(words)
    for word in rest:
        if word == "-x" or (word.startswith("-x") and len(word) > 2):
            named = next(rest, "none") if word == "-x" else word[2:]
            language = "" if named == "none" else named
        elif _FORTIFIED.fullmatch(word):
            continue
        elif word in ("-D", "-U"):
            value = next(rest, "")
            if not _FORTIFIED.fullmatch(word + value):
                reading += [word + value]
        elif word in _READING_APART:
            reading += [word, next(rest, "")]
        elif word in _SHAPING_APART:
            shaping += [word, next(rest, "")]
        elif word == "-Xpreprocessor":
            reading += _preprocessor_words([next(rest, "")])
        elif word in _DROPPED_APART:
            next(rest, "")
        elif word.startswith("-Wp,"):
            reading += _preprocessor_words(word.split(",")[1:])
        elif word in ("-fopenmp", "-qopenmp") or word.startswith("-fopenmp="):
            reading.append(OPENMP)
        elif word.startswith((*_READING, "-nostdinc", "--sysroot=")):
            reading.append(word)
        elif word.startswith("-") and word != "-":
            if _SHAPING.fullmatch(word):
                shaping.append(word)
        elif language or is_source(word) or is_assembler(word):
            sources.append((word, language))
    return Compilation(tuple(sources), tuple(reading), tuple(shaping))


def _preprocessor_words(parts: Iterable[str]) -> list[str]:
    """What is handed on to the preprocessor, without names of files for lists of headers.

    Clang hands such words on to all of itself, which could be told to load a library.
    """
    return [part for part in parts if part.startswith(("-D", "-U", "-I"))]


def is_source(path: str) -> bool:
    """Whether a compiler takes a file of this name for C or C++."""
    return PurePosixPath(path).suffix in C_SUFFIXES | CPLUSPLUS_SUFFIXES


def is_assembler(path: str) -> bool:
    """Whether a file of this name is in assembler."""
    return PurePosixPath(path).suffix in ASSEMBLER_SUFFIXES


def language_for_clang(language: str) -> str | None:
    """What clang calls a language that `-x` named; nothing: the suffix decides; None: not C or C++."""
    return "" if not language else _LANGUAGES.get(language)
