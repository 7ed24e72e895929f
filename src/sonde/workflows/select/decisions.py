"""One decision: from the snapshots of two builds and a profile to run or skip."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sonde.core.evidence import Profile
from sonde.core.findings.selections import Basis, Proof, Selected, Touched
from sonde.core.results import Metric
from sonde.effects.snapshots.demangling import demangled
from sonde.methods.selection.differences import BuildDifference
from sonde.methods.selection.exposure import exposure_to
from sonde.methods.selection.indicators import Values, values_of
from sonde.methods.selection.predictors import Predictor, ReachedAndChanged
from sonde.methods.selection.proof import Doubt, Proven, prove
from sonde.methods.selection.reach import reach_of
from sonde.workflows.select.cases import SelectionCase
from sonde.workflows.select.profiles import BaseProfile


@dataclass(frozen=True)
class BuildComparison:
    """What two builds mean to a benchmark."""

    proof: Proven | Doubt
    values: Values  # of the indicators
    refusal: str | None  # why the profile says too little to decide anything

    @property
    def is_hidden(self) -> bool:
        """Whether something may have changed that no indicator shows, such as a file that it reads."""
        if isinstance(self.proof, Proven):
            return False
        shown = (*self.proof.touched, *self.proof.constants, *self.proof.moved)
        return len(self.proof.reasons) > len(shown)


def compare(difference: BuildDifference, profile: Profile, metric: Metric) -> BuildComparison:
    """Compare two builds; the profile is of the old one."""
    reach = reach_of(profile, difference.old)
    exposure = exposure_to(difference, reach)
    return BuildComparison(prove(exposure, profile, metric), values_of(exposure), reach.refusal)


def decide(
    case: SelectionCase, difference: BuildDifference, base_profile: BaseProfile, predictor: Predictor
) -> Selected:
    """Run or skip, with the evidence."""
    comparison = compare(difference, base_profile.profile, case.metric)
    proof = comparison.proof
    if isinstance(proof, Proven):
        selected = case.unchanged(Proof.NOT_REACHED, proof.reason, *proof.caveats)
    elif comparison.refusal is not None:
        selected = case.answer(True, Basis.UNKNOWN, comparison.refusal)
    elif isinstance(predictor, ReachedAndChanged) or comparison.is_hidden:
        selected = case.answer(True, Basis.CHANGED, *proof.reasons)
    else:
        selected = replace(
            case.answer(predictor.runs(comparison.values), Basis.PREDICTED, *proof.reasons),
            verdict=predictor.why(comparison.values),
        )
    return replace(
        selected,
        touched=tuple(_readable(each) for each in proof.touched) if isinstance(proof, Doubt) else (),
        constants=tuple(map(demangled, proof.constants)) if isinstance(proof, Doubt) else (),
        indicators=comparison.values,
        profiled=base_profile.revision,
        hops=base_profile.hops,
        seconds=base_profile.profile.seconds,
    )


def _readable(touched: Touched) -> Touched:
    return replace(touched, name=demangled(touched.name))
