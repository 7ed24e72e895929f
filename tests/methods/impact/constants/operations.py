"""Operations to try, each with the text by which LLVM says where it is poison or undefined."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

from sonde.methods.impact.constants.values import as_unsigned
from tests.methods.impact.constants.compiled import function, loads, stores

FLAGS = {
    **dict.fromkeys(("add", "sub", "mul", "shl"), ("nuw", "nsw")),
    **dict.fromkeys(("udiv", "sdiv", "lshr", "ashr"), ("exact",)),
    **dict.fromkeys(("and", "xor", "urem", "srem"), ()),
    "or": ("disjoint",),
}
PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
WIDTHS = (1, 2, 3, 5, 7, 8, 9, 16, 17, 31, 32, 33, 63, 64)
WIDER = (65, 96, 100, 127, 128)
DIVIDED = (129, 150, 200)  # between these and 64, LLVM calls a library that Python does not have
DIVISIONS = ("udiv", "sdiv", "urem", "srem")


@dataclass(frozen=True)
class Tried:
    """An operation as LLVM spells it: `shape` without its operands."""

    name: str
    shape: str
    widths: tuple[int, ...]  # of the operands
    result: int  # width
    flags: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The instruction, with the operands %a0, %a1, ..."""
        values = [f"%a{n}" for n in range(len(self.widths))]
        if self.name == "select":
            words = [f"i{width} {value}" for width, value in zip(self.widths, values, strict=True)]
            return f"select {', '.join(words)}"
        head, to, result = self.shape.partition(" to ")
        return f"{head} {', '.join(values)}{to}{result}"

    def function(self, name: str) -> str:
        """A function that gives the result, and 1 if that is poison or undefined."""
        lines = [*loads(self.widths), *_is_wrong(self), *_guarded(self)]
        return function(name, [*lines, *stores([("%r", self.result), ("%wrong", 1)])])


def _guarded(tried: Tried) -> list[str]:
    """The operation itself; a division that would trap is made another one."""
    if tried.name not in DIVISIONS:
        return [f"%r = {tried.text}"]
    width = tried.widths[1]
    by = f"%by = select i1 %wrong, i{width} 1, i{width} %a1"
    return [by, f"%r = {tried.text.replace('%a1', '%by')}"]


def _is_wrong(tried: Tried) -> list[str]:
    """Lines that compute %wrong, in wider numbers and by other operations."""
    checks = [_CHECKS[flag](tried) for flag in (tried.name, *tried.flags) if flag in _CHECKS]
    lines, names = [], []
    for number, check in enumerate(checks):
        text = check.replace("%_", f"%c{number}_")
        lines += [line.strip() for line in text.strip().splitlines()]
        names.append(f"%c{number}_x")
    total = "false"
    for number, each in enumerate(names):
        lines.append(f"%t{number} = or i1 {total}, {each}")
        total = f"%t{number}"
    lines.append(f"%wrong = or i1 {total}, false")
    return lines


def _overshift(tried: Tried) -> str:
    width = tried.widths[0]
    return f"%_x = icmp uge i{width} %a1, {width}" if width > 1 else "%_x = icmp ne i1 %a1, 0"


def _overflow(tried: Tried, extend: str) -> str:
    narrow, wide = tried.widths[0], 2 * tried.widths[0] + 2
    safe = f"%_s = select i1 %_o, i{narrow} 0, i{narrow} %a1" if tried.name == "shl" else ""
    over = _overshift(tried).replace("%_x", "%_o") if tried.name == "shl" else ""
    second = f"zext i{narrow} %_s" if tried.name == "shl" else f"{extend} i{narrow} %a1"
    return f"""
        {over}
        {safe}
        %_a = {extend} i{narrow} %a0 to i{wide}
        %_b = {second} to i{wide}
        %_r = {tried.name} i{wide} %_a, %_b
        %_n = trunc i{wide} %_r to i{narrow}
        %_w = {extend} i{narrow} %_n to i{wide}
        %_x = icmp ne i{wide} %_r, %_w
    """


def _cut(tried: Tried, extend: str) -> str:
    wide, narrow = tried.widths[0], tried.result
    return f"""
        %_n = trunc i{wide} %a0 to i{narrow}
        %_w = {extend} i{narrow} %_n to i{wide}
        %_x = icmp ne i{wide} %a0, %_w
    """


def _flagged(extend: str):
    return lambda tried: (_cut if tried.name == "trunc" else _overflow)(tried, extend)


def _inexact(tried: Tried) -> str:
    width = tried.widths[0]
    if tried.name in DIVISIONS:
        remainder = "urem" if tried.name == "udiv" else "srem"
        return f"""
            {_undefined(tried).replace("%_x", "%_u")}
            %_d = select i1 %_u, i{width} 1, i{width} %a1
            %_r = {remainder} i{width} %a0, %_d
            %_x = icmp ne i{width} %_r, 0
        """
    return f"""
        {_overshift(tried).replace("%_x", "%_o")}
        %_s = select i1 %_o, i{width} 0, i{width} %a1
        %_m = shl i{width} -1, %_s
        %_k = and i{width} %a0, %_m
        %_x = icmp ne i{width} %_k, %a0
    """


def _undefined(tried: Tried) -> str:
    width = tried.widths[0]
    if tried.name in ("udiv", "urem"):
        return f"%_x = icmp eq i{width} %a1, 0"
    return f"""
        %_z = icmp eq i{width} %a1, 0
        %_l = icmp eq i{width} %a0, {-(1 << (width - 1))}
        %_m = icmp eq i{width} %a1, -1
        %_b = and i1 %_l, %_m
        %_x = or i1 %_z, %_b
    """


def _disjoint(tried: Tried) -> str:
    width = tried.widths[0]
    return f"""
        %_b = and i{width} %a0, %a1
        %_x = icmp ne i{width} %_b, 0
    """


def _negative(tried: Tried) -> str:
    return f"%_x = icmp slt i{tried.widths[0]} %a0, 0"


def _signs(tried: Tried) -> str:
    width = tried.widths[0]
    return f"""
        %_e = xor i{width} %a0, %a1
        %_x = icmp slt i{width} %_e, 0
    """


_CHECKS = {
    **dict.fromkeys(("shl", "lshr", "ashr"), _overshift),
    **dict.fromkeys(DIVISIONS, _undefined),
    "nsw": _flagged("sext"),
    "nuw": _flagged("zext"),
    "exact": _inexact,
    "disjoint": _disjoint,
    "nneg": _negative,
    "samesign": _signs,
}


@st.composite
def operations(draw: st.DrawFn) -> Tried:
    """One operation of any kind and width."""
    name = draw(st.sampled_from([*FLAGS, "icmp", "trunc", "zext", "sext", "freeze", "bitcast", "select"]))
    width = draw(st.sampled_from((*WIDTHS, *(DIVIDED if name in DIVISIONS else WIDER))))
    if name in FLAGS:
        flags = tuple(draw(st.sets(st.sampled_from(FLAGS[name])))) if FLAGS[name] else ()
        return Tried(name, " ".join([name, *flags, f"i{width}"]), (width, width), width, flags)
    if name == "icmp":
        flags = draw(st.sampled_from(((), ("samesign",))))
        predicate = draw(st.sampled_from(PREDICATES))
        return Tried(name, " ".join([name, *flags, predicate, f"i{width}"]), (width, width), 1, flags)
    if name == "select":
        return Tried(name, f"select i1 i{width} i{width}", (1, width, width), width)
    if name in ("freeze", "bitcast"):
        to = f" to i{width}" if name == "bitcast" else ""
        return Tried(name, f"{name} i{width}{to}", (width,), width)
    other = draw(st.integers(1, 128).filter(lambda each: each != width))
    low, high = sorted((width, other))
    flags = {"trunc": ("nuw", "nsw"), "zext": ("nneg",), "sext": ()}[name]
    flags = tuple(draw(st.sets(st.sampled_from(flags)))) if flags else ()
    before, after = (high, low) if name == "trunc" else (low, high)
    return Tried(name, " ".join([name, *flags, f"i{before} to i{after}"]), (before,), after, flags)


def numbers(width: int) -> st.SearchStrategy[int]:
    """Numbers of a width, without a sign; those at the ends and around zero come often."""
    near = [as_unsigned(end + more, width) for end in (0, 1 << (width - 1)) for more in range(-3, 4)]
    return st.one_of(
        st.sampled_from(near), st.integers(0, (1 << width) - 1), st.integers(0, min(15, (1 << width) - 1))
    )
