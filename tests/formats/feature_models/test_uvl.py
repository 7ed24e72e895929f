"""UVL: what a tree of features says."""

import builtins

import pytest

from sonde.core.errors import MissingTool
from sonde.formats.feature_models.errors import ModelError
from sonde.formats.feature_models.uvl import read_uvl
from tests.effects.models.spaces import PACKER_UVL, valid_values

ROOT = "features\n    Root\n"

MISTAKES = {
    "empty": "constraints\n    a\n",
    "no-root": "features\n",
    "unknown": ROOT + "constraints\n    Rot => Root\n",
    "twice": ROOT + "        optional\n            a\n            a\n",
    "clones": ROOT + "        optional\n            a cardinality [1..3]\n",
    "arithmetic": ROOT + "constraints\n    Root.cost > 3\n",
    "sum": ROOT + "constraints\n    sum(cost) > 3\n",
    "cardinality": ROOT + "        [3..4]\n            a\n            b\n",
    "indentation": "features\n    a\n  b\n",
    "imports": "imports\n    other as o\nfeatures\n    Root\n",
    "letters": "features\n    Root ^\n",
    "deep-formula": ROOT + f"constraints\n    {'(' * 200}Root{')' * 200}\n",
    "deep-tree": "features\n"
    + "".join(f"{' ' * (2 * at)}f{at}\n{' ' * (2 * at + 1)}optional\n" for at in range(1, 700))
    + " " * 1400
    + "last\n",
}


def test_a_tree_becomes_constraints(golden):
    space = read_uvl(PACKER_UVL)
    names = ", ".join(option.name for option in space.options)

    golden("models/uvl.txt", "\n".join([names, *map(str, space.constraints), ""]))


def test_a_model_allows_what_its_tree_and_its_constraints_do():
    def is_valid(on):
        groups = [on & {"delta", "bcj"}, on & {"small", "middle", "large"}]
        return (
            {"Packer", "Algorithm"} <= on
            and len(on & {"lz", "rle", "my_zip"}) == 1
            and bool(groups[0]) == ("filter" in on)
            and (1 <= len(groups[1]) <= 2 if "limits" in on else not groups[1])
            and ("tiny" not in on or "small" in on)
            and ("checksum" not in on or "lz" in on)
            and (not {"delta", "bcj"} <= on or "rle" in on)
            and ("lz" in on) == ("filter" not in on)
        )

    space = read_uvl(PACKER_UVL)
    found = [{name for name, value in chosen.items() if value} for chosen in valid_values(space)]

    assert all(map(is_valid, found))
    # Without filter: lz, with and without checksum. With it: rle with three filters, or zip with two.
    assert len(found) == (2 + 3 + 2) * 2 * (1 + 6 + 3)


def test_every_mistake_is_told_with_its_remedy(golden):
    messages = []
    for name, text in MISTAKES.items():
        with pytest.raises(ModelError) as caught:
            read_uvl(text, "model.uvl")
        messages.append(f"{name}\n  {caught.value}\n")

    golden("models/uvl-mistakes.txt", "".join(messages))


def test_without_the_package_it_says_what_to_install(monkeypatch):
    real = builtins.__import__

    def refuse(name, *rest):
        if name.startswith("uvllang"):
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(MissingTool, match=r"pip install 'sonde\[uvl\]'"):
        read_uvl(ROOT)
