"""Which changed code a run has executed, by source line.

regions = find_regions(differences)
seen = see(profile, lines)
execution = executed(regions[0].at_base, seen)
"""

from sonde.methods.impact.coverage.executed import Execution, executed
from sonde.methods.impact.coverage.regions import find_regions
from sonde.methods.impact.coverage.seen import Seen, see, see_python

__all__ = ["Execution", "Seen", "executed", "find_regions", "see", "see_python"]
