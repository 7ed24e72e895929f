"""Makes a tree smaller while something stays true of it: parts of blocks go, nodes become simpler.

Delta debugging on the merged tree, so that both revisions shrink alike. Each pass tries large parts first;
passes are repeated until none of them finds anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from studies.impact.generated.subjects import Language, Subject
from studies.impact.generated.trees import Changed, Path, at, replaced, size, walk, walk_tuples

Holds = Callable[[Subject], bool]


def reduce(subject: Subject, language: Language, holds: Holds) -> Subject:
    """The smallest subject found of which it still holds."""
    while True:
        before = _size(subject)
        subject = _without_options(subject, holds)
        subject = _tidied(_without_parts(_tidied(subject, language, holds), language, holds), language, holds)
        subject = _tidied(_unwrapped(subject, language, holds), language, holds)
        subject = _tidied(_simplified(subject, language, holds), language, holds)
        if _size(subject) >= before:
            return subject


def _size(subject: Subject) -> int:
    values = sum(len(option.values) for option in subject.options)
    return size(subject.program) + 10 * values


def _without_options(subject: Subject, holds: Holds) -> Subject:
    """Fewer options, and fewer values of those that have many."""
    for option in subject.options:
        constraints = tuple(each for each in subject.constraints if option.name not in each.split())
        options = tuple(each for each in subject.options if each != option)
        smaller = replace(subject, options=options, constraints=constraints)
        if options and holds(smaller):
            subject = smaller
    for option in subject.options:
        for value in option.values:
            current = next(each for each in subject.options if each.name == option.name)
            left = tuple(each for each in current.values if each != value)
            if len(left) < 2 or value == current.default:
                continue
            fewer = replace(current, values=left)
            options = tuple(fewer if each.name == option.name else each for each in subject.options)
            smaller = replace(subject, options=options)
            if holds(smaller):
                subject = smaller
    return subject


def _tidied(subject: Subject, language: Language, holds: Holds) -> Subject:
    """Without what nobody names; all at once, since it is seldom that this is wrong."""
    smaller = replace(subject, program=language.tidied(subject.program))
    return smaller if smaller != subject and holds(smaller) else subject


def _without_parts(subject: Subject, language: Language, holds: Holds) -> Subject:
    """Fewer parts of every block, file and table; halves first, single ones last.

    What was named by a part that went is dropped at once. Then some paths lead elsewhere; the next pass finds
    what this one passes over.
    """
    for path in _blocks(subject):
        shorter = _shortened(subject, path, holds)
        subject = _tidied(shorter, language, holds) if shorter is not subject else subject
    return subject


def _blocks(subject: Subject) -> list[Path]:
    """The paths of all tuples: the last definition first, since it names those before; outer blocks first."""
    definitions: dict[Path, list[Path]] = {}
    for path, _ in walk_tuples(subject.program):
        definitions.setdefault(path[:2], []).append(path)
    return [path for paths in reversed(definitions.values()) for path in paths]


def _is_free(subject: Subject, path: Path) -> bool:
    """Whether there may be any number of parts: not where a change stands for a single node."""
    try:
        around = at(subject.program, path[:-1])
    except (AttributeError, IndexError):
        return False
    return not isinstance(around, Changed) or path[-2].position >= 0


def _shortened(subject: Subject, path: Path, holds: Holds) -> Subject:
    block = _block(subject, path) if _is_free(subject, path) else ()
    length = len(block)
    while length >= 1 and block:
        start = 0
        while start < len(block):
            shorter = (*block[:start], *block[start + length :])
            smaller = replace(subject, program=replaced(subject.program, path, shorter))
            if holds(smaller):
                subject, block = smaller, shorter
            else:
                start += length
        length //= 2
    return subject


def _block(subject: Subject, path: Path) -> tuple[object, ...]:
    """The tuple at a path; nothing if the way there is gone."""
    try:
        found = at(subject.program, path)
    except (AttributeError, IndexError):
        return ()
    return found if isinstance(found, tuple) else ()


def _unwrapped(subject: Subject, language: Language, holds: Holds) -> Subject:
    """What a statement holds comes in its place."""
    for path, _ in sorted(walk_tuples(subject.program), key=lambda each: len(each[0])):
        position = 0
        while position < len(block := _block(subject, path)):
            for inside in language.unwrapped(block[position]):
                flat = (*block[:position], *inside, *block[position + 1 :])
                smaller = replace(subject, program=replaced(subject.program, path, flat))
                if holds(smaller):
                    subject = smaller
                    break
            position += 1
    return subject


def _simplified(subject: Subject, language: Language, holds: Holds) -> Subject:
    """Simpler nodes, from the top, so that what is replaced is never looked into."""
    waiting = [path for path, _ in walk(subject.program)]
    done: set[Path] = set()
    while waiting:
        path = waiting.pop(0)
        if any(path[: len(each)] == each for each in done):
            continue
        for node in _candidates(subject, language, path):
            smaller = replace(subject, program=replaced(subject.program, path, node))
            if holds(smaller):
                subject = smaller
                done.add(path)
                break
    return subject


def _candidates(subject: Subject, language: Language, path: Path) -> Iterator[object]:
    try:
        node = at(subject.program, path)
    except (AttributeError, IndexError):
        return
    if isinstance(node, Changed):
        if len(node.base) == len(node.head) == 1:
            yield from node.base
    else:
        yield from language.simpler(node)
