"""`match`: which case is executed, and what its names are bound to."""

from __future__ import annotations

import ast

from sonde.formats.python_source.code.body import PythonBody


def execute_match(body: PythonBody, node: ast.Match) -> None:
    """Try each case, one after the other."""
    writer = body.writer
    subject, end = body.value(node.subject), writer.new_block()
    for case in node.cases:
        inside, further = writer.new_block(), writer.new_block()
        parts = _parts(body, case.pattern, subject)
        if _is_always(case.pattern) and case.guard is None:
            writer.jump(inside)
        elif case.guard is not None:
            guarded = writer.new_block()
            writer.branch(writer.judge("match", parts), guarded, further)
            writer.begin(guarded)
            writer.branch(body.truth(body.value(case.guard)), inside, further)
        else:
            writer.branch(writer.judge("match", parts), inside, further)
        writer.begin(inside)
        body.unit.execute(body, case.body)
        writer.jump(end)
        writer.begin(further)
    writer.jump(end)
    writer.begin(end)


def _is_always(pattern: ast.pattern) -> bool:
    return isinstance(pattern, ast.MatchAs) and pattern.pattern is None


def _parts(body: PythonBody, pattern: ast.pattern, value: int) -> list[int]:
    """What decides whether a pattern fits; names are bound on the way."""
    found = body.with_content([value])
    if isinstance(pattern, ast.MatchValue):
        other = body.value(pattern.value)
        return [*found, other, *body.special(value, "__eq__", (other,))]
    if isinstance(pattern, ast.MatchAs):
        if pattern.pattern is not None:
            found += _parts(body, pattern.pattern, value)
        if pattern.name:
            body.store_name(pattern.name, value)
    elif isinstance(pattern, ast.MatchStar):
        if pattern.name:
            body.store_name(pattern.name, body.container([value]))
    elif isinstance(pattern, ast.MatchOr):
        for each in pattern.patterns:
            found += _parts(body, each, value)
    elif isinstance(pattern, ast.MatchSequence):
        for each in pattern.patterns:
            found += _parts(body, each, body.element(value)[0])
    elif isinstance(pattern, ast.MatchMapping):
        for key, each in zip(pattern.keys, pattern.patterns, strict=True):
            found.append(body.value(key))
            found += _parts(body, each, body.content(value))
        if pattern.rest:
            body.store_name(pattern.rest, value)
    elif isinstance(pattern, ast.MatchClass):
        for each in pattern.patterns:
            found += _parts(body, each, body.writer.compute("any", (value, body.content(value))))
        for name, each in zip(pattern.kwd_attrs, pattern.kwd_patterns, strict=True):
            found += _parts(body, each, body.attribute(value, name))
    return found
