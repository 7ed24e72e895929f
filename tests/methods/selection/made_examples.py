"""Short spellings of examples."""

from __future__ import annotations

from sonde.methods.selection.examples import Example


def example(is_hit, revision="r", benchmark="pack", is_proven=False, **values):
    return Example(
        revision=revision,
        base="",
        benchmark=benchmark,
        values={name: float(value) for name, value in values.items()},
        effect=0.1 if is_hit else 0.0,
        is_hit=is_hit,
        is_proven=is_proven,
    )
