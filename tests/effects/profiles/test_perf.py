"""Samples in what perf prints."""

from sonde.effects.profiles.perf import read_samples

TEXT = """\
    7f69878f8813 get_common_indices.constprop.0 (/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2)
    55d2c0a01189 _ZN4pack4loopEi (/sonde/build/pack it)
    55d2c0a0118c _ZN4pack4loopEi (/sonde/build/pack it)
    55d2c0a02000 [unknown] (/sonde/build/pack it)
               0 [unknown] ([unknown])
    7ffd000      [unknown]
"""


def test_samples_are_counted_by_file_and_symbol():
    assert read_samples(TEXT) == {
        ("/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2", "get_common_indices.constprop.0"): 1,
        ("/sonde/build/pack it", "_ZN4pack4loopEi"): 2,
        ("/sonde/build/pack it", "[unknown]"): 1,
        ("[unknown]", "[unknown]"): 1,
    }
