"""One engine of constants: what an instruction gives for known operands, by its type, width and flags.

Everything that asks what a value is, where a decision goes, or which bits of a value come along asks here.
A value that is not known is UNKNOWN.
"""

from sonde.methods.impact.constants.bits_carried import ALL_BITS, bits_asked, bits_carried
from sonde.methods.impact.constants.boundaries import Boundaries, all_boundaries
from sonde.methods.impact.constants.boundaries_before import boundaries_before
from sonde.methods.impact.constants.conversions import (
    Conversions,
    converted,
    is_conversion,
    one_after_another,
    unconverted,
)
from sonde.methods.impact.constants.decisions import chosen
from sonde.methods.impact.constants.expressions import boundaries_of, evaluate, first_boundaries
from sonde.methods.impact.constants.folding import fold, is_folded
from sonde.methods.impact.constants.literals import is_failure, number_in, number_of
from sonde.methods.impact.constants.values import (
    SOME_ADDRESS,
    UNKNOWN,
    ConstantNumber,
    ConstantValue,
    KnownConstant,
    RoutineAddress,
    SomeAddress,
    Unknown,
    as_unsigned,
    in_order,
)

__all__ = [
    "ALL_BITS",
    "SOME_ADDRESS",
    "UNKNOWN",
    "Boundaries",
    "ConstantNumber",
    "ConstantValue",
    "Conversions",
    "KnownConstant",
    "RoutineAddress",
    "SomeAddress",
    "Unknown",
    "all_boundaries",
    "as_unsigned",
    "bits_asked",
    "bits_carried",
    "boundaries_before",
    "boundaries_of",
    "chosen",
    "converted",
    "evaluate",
    "first_boundaries",
    "fold",
    "in_order",
    "is_conversion",
    "is_failure",
    "is_folded",
    "number_in",
    "number_of",
    "one_after_another",
    "unconverted",
]
