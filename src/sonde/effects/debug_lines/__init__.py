"""The source lines of machine code: from the debug information of a build, or of a second one that has some.

own = read_code_lines(outputs_folder, outputs.files, roots)
visit = DebugBuild(folder, outputs_folder, outputs.files, sandbox)     # for Builder.visit
"""

from sonde.effects.debug_lines.debug_build import DebugBuild
from sonde.effects.debug_lines.joining import merge, read_code_lines

__all__ = ["DebugBuild", "merge", "read_code_lines"]
