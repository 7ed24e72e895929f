"""Small spaces and models of our own, and the plain loop that says what is valid in them."""

from itertools import product

from sonde.space.expressions import holds

PACKER_XML = """\
<?xml version="1.0" encoding="utf-8"?>
<vm name="packer">
  <binaryOptions>
    <configurationOption>
      <name>root</name><outputString></outputString><parent></parent><optional>False</optional>
    </configurationOption>
    <configurationOption>
      <name>checksum</name><outputString>--checksum</outputString><parent>root</parent>
      <impliedOptions><options>lz | rle</options></impliedOptions><optional>True</optional>
    </configurationOption>
    <configurationOption>
      <name>algorithm</name><outputString>noOutput</outputString><parent>root</parent><optional>False</optional>
    </configurationOption>
    <configurationOption>
      <name>lz</name><outputString>--lz {fast}</outputString><parent>algorithm</parent>
      <excludedOptions><options>rle</options><options>none</options></excludedOptions><optional>False</optional>
    </configurationOption>
    <configurationOption>
      <name>rle</name><parent>algorithm</parent>
      <excludedOptions><options>lz</options><options>none</options></excludedOptions><optional>False</optional>
    </configurationOption>
    <configurationOption>
      <name>none</name><parent>algorithm</parent>
      <excludedOptions><options>lz</options><options>rle</options></excludedOptions><optional>False</optional>
    </configurationOption>
    <configurationOption>
      <name>filter</name><parent>root</parent>
      <excludedOptions><options>rle</options></excludedOptions><optional>True</optional>
    </configurationOption>
  </binaryOptions>
  <numericOptions>
    <configurationOption>
      <name>level</name><prefix>--level=</prefix><postfix></postfix><parent>root</parent>
      <minValue>1</minValue><maxValue>9</maxValue><stepFunction>n + 4</stepFunction>
    </configurationOption>
    <configurationOption>
      <name>threads</name><parent>root</parent><values>4;1;2</values>
    </configurationOption>
  </numericOptions>
  <booleanConstraints>
    <constraint>!filter | checksum</constraint>
  </booleanConstraints>
  <nonBooleanConstraints>
    <constraint>level * threads &lt;= 20</constraint>
  </nonBooleanConstraints>
  <mixedConstraints>
    <constraint req="all" exprKind="pos">filter * level &gt;= 5</constraint>
    <constraint req="none" exprKind="neg">checksum + threads = 5</constraint>
  </mixedConstraints>
</vm>
"""

PACKER_DIMACS = """\
c a packer
c 1 packer
c 2 check sum is no name
c 3 lz
c 4 and
p cnf 4 4
1 0
-3 1 0
-3
-4 0
1 2
3 4 0
"""

PACKER_UVL = """\
namespace Packer

features
    Packer {abstract true}
        mandatory
            Algorithm // one of these
                alternative
                    lz {cost 3}
                    rle
                    "my zip"
        optional
            checksum {constraint checksum => !rle}
            Integer level
            filter
                or
                    delta
                    bcj
            limits
                [1..2]
                    small
                        optional
                            tiny
                    middle
                    large

constraints
    checksum => lz
    !(delta & bcj) | rle
    lz <=> !filter
"""


def valid_values(space):
    """Every valid configuration as a mapping, by the plain loop over all values."""
    names = [option.name for option in space.options]
    found = []
    for values in product(*(option.values for option in space.options)):
        chosen = dict(zip(names, values, strict=True))
        if all(holds(constraint, chosen) for constraint in space.constraints):
            found.append(chosen)
    return found


def as_set(mappings):
    return {tuple(sorted(mapping.items())) for mapping in mappings}
