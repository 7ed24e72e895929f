"""In which configurations code weighs most: there a change of it shows best."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from sonde.core.options import Configuration, OptionName, Value
from sonde.methods.impact.hot.profiles import FunctionCosts

LEAST_GAIN = 1.1  # times the share in the default configuration; less is not worth an unusual value


def heaviest(
    default: Configuration,
    profiles: Iterable[tuple[Configuration, FunctionCosts]],
    functions: Collection[str],
    varied: Collection[OptionName],
) -> Configuration:
    """The default with those values of other options than the `varied` ones with which functions weigh most.

    An option that takes no part in what a change does to some code may still decide how much else is done,
    and so how large the change is beside it. Each value counts by the configurations that differ from the
    default in it alone; the result may break constraints.
    """
    shares: dict[tuple[OptionName, Value], float] = {}
    usual = 0.0
    for configuration, costs in profiles:
        share = costs.share(functions)
        differing = [(name, value) for name, value in configuration.values if value != default[name]]
        if not differing:
            usual = max(usual, share)
        elif len(differing) == 1:
            shares[differing[0]] = max(shares.get(differing[0], 0.0), share)
    best: dict[OptionName, tuple[float, Value]] = {}
    for (name, value), share in shares.items():
        if name not in varied and share > LEAST_GAIN * usual and share > best.get(name, (0.0, value))[0]:
            best[name] = share, value
    return Configuration.of({**default.chosen, **{name: value for name, (_, value) in best.items()}})
