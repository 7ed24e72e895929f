"""Feature models of other tools: SPLConqueror's XML, DIMACS and UVL.

All of them become spaces, and spaces become the first two.
"""

from sonde.effects.models.reading import read_model
from sonde.formats.feature_models.dimacs import write_dimacs
from sonde.formats.feature_models.errors import ModelError
from sonde.formats.feature_models.splconqueror_writing import write_splconqueror

__all__ = ["ModelError", "read_model", "write_dimacs", "write_splconqueror"]
