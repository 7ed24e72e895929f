"""The configurations of the demo subject, as its sonde.toml describes them."""

from collections.abc import Iterator, Mapping
from itertools import product

# An option that is on or off has a bool, the others what stands in the command.
DemoConfiguration = Mapping[str, bool | int | str]

_VALUES: Mapping[str, tuple[bool | int | str, ...]] = {
    "algorithm": ("lz", "rle", "huffman"),
    "level": (1, 5, 9),
    "checksum": (False, True),
    "filter": (False, True),
    "verbose": (False, True),
    "dictionary": (False, True),
}


def valid_configurations() -> Iterator[DemoConfiguration]:
    """Every configuration that the constraints allow."""
    for values in product(*_VALUES.values()):
        configuration = dict(zip(_VALUES, values, strict=True))
        if configuration["dictionary"] and (configuration["algorithm"] != "lz" or configuration["filter"]):
            continue
        yield configuration


def words(configuration: DemoConfiguration) -> tuple[str, ...]:
    """The words of the command line that choose the configuration."""
    switches = (f"--{name}" for name, value in configuration.items() if value is True)
    return (f"--{configuration['algorithm']}", f"--level={configuration['level']}", *switches)


def holds(term: tuple[str, ...], configuration: DemoConfiguration) -> bool:
    """Whether all literals, each X, !X or X=v, are true in the configuration."""
    return all(_is_true(literal, configuration) for literal in term)


def _is_true(literal: str, configuration: DemoConfiguration) -> bool:
    name, equals, value = literal.partition("=")
    if equals:
        return str(configuration[name]) == value
    return configuration[name.removeprefix("!")] is not literal.startswith("!")
