"""Small functions of two numbers: what all stages call."""

from __future__ import annotations

from collections.abc import Sequence

from studies.impact.generated.python.drawing.draft import Draft, Step

_WORDS = ("mix", "blend", "shift", "stir", "hash_of", "turn", "join_two", "bend")


def add_steps(draft: Draft, modules: Sequence[str]) -> None:
    """Some in the first module, at times some in later ones."""
    rng = draft.rng
    for module in modules:
        few = rng.randint(2, 4) if module == modules[0] else rng.randint(0, 2)
        for _ in range(few):
            name = draft.fresh(*_WORDS)
            draft.add(module, _text(draft, module, name))
            draft.steps.append(Step(name, module))


def _text(draft: Draft, module: str, name: str) -> str:
    rng = draft.rng
    odd, shift = rng.randrange(3, 99, 2), rng.randint(1, 5)
    shapes = [
        f"""
def {name}(first, second):
    return (first * {odd} + second) & 65535
""",
        f"""
def {name}(first, second, rounds={rng.randint(1, 3)}):
    for turn in range(rounds):
        first = (first * {odd} ^ second >> {shift}) & 65535
    return first
""",
        f"""
def {name}(first, second):
    if first & {rng.choice((1, 3, 7))}:
        return (first >> {shift}) + second & 65535
    return (first ^ second * {odd}) & 65535
""",
    ]
    if draft.steps:
        shapes.append(
            f"""
def {name}(first, second):
    found = {draft.step(module)}(second, first)
    return (found + {odd}) & 65535
"""
        )
    return rng.choice(shapes)
