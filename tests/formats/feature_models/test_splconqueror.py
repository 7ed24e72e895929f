"""SPLConqueror's XML: what it says, and what is written of a space."""

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from sonde.core.options import Option
from sonde.formats.feature_models.errors import ModelError
from sonde.formats.feature_models.splconqueror import read_splconqueror
from sonde.formats.feature_models.splconqueror_writing import write_splconqueror
from sonde.space.space import Space
from tests.effects.models.spaces import PACKER_XML, as_set, valid_values
from tests.space.strategies import expressions

SWITCH = (False, True)


def model(options, constraints="", numbers=""):
    binary, numeric = (
        f"<binaryOptions>{options}</binaryOptions>",
        f"<numericOptions>{numbers}</numericOptions>",
    )
    return f"<vm>{binary}{numeric}{constraints}</vm>"


def option(name, rest="", optional=True):
    return (
        f"<configurationOption><name>{name}</name>{rest}<optional>{optional}</optional></configurationOption>"
    )


def number(name, rest):
    return f"<configurationOption><name>{name}</name>{rest}</configurationOption>"


def said(text):
    return [str(constraint) for constraint in read_splconqueror(text).constraints]


def test_every_part_of_a_model_becomes_an_option_or_a_constraint(golden):
    space = read_splconqueror(PACKER_XML)
    lines = [f"{each.name} {each.values} {each.words!r}" for each in space.options]

    golden("models/splconqueror.txt", "\n".join([*lines, *map(str, space.constraints), ""]))


def test_a_model_allows_what_its_tree_and_its_constraints_do():
    def is_valid(chosen):
        on = {name for name, value in chosen.items() if value is True}
        return (
            {"root", "algorithm"} <= on
            and len(on & {"lz", "rle", "none"}) == 1
            and ("checksum" not in on or on & {"lz", "rle"})
            and not {"filter", "rle"} <= on
            and ("filter" not in on or "checksum" in on)
            and chosen["level"] * chosen["threads"] <= 20
            and ("filter" not in on or chosen["level"] >= 5)
            and int(chosen["checksum"]) + chosen["threads"] != 5
        )

    space = read_splconqueror(PACKER_XML)
    everything = valid_values(Space(space.options))

    assert as_set(valid_values(space)) == as_set(chosen for chosen in everything if is_valid(chosen))


def test_a_mandatory_option_that_excludes_something_elsewhere_is_not_forced():
    # As SPLConqueror's own solver has it: excludedOptions take an option out of the mandatory ones.
    text = model(
        option("a", "<excludedOptions><options>b</options></excludedOptions>", optional=False) + option("b")
    )

    assert as_set(valid_values(read_splconqueror(text))) == {
        (("a", False), ("b", False)),
        (("a", True), ("b", False)),
        (("a", False), ("b", True)),
    }


@pytest.mark.parametrize(
    ("constraint", "sentences"),
    [
        ("!a | b", ["a implies b"]),
        ("!a | !b", ["a excludes b"]),
        ("a &amp; !b", ["a", "not b"]),
        ("!(a &amp; b) | c", ["not (a and b) or c"]),
        ("a =&gt; b | c", ["a implies b or c"]),
    ],
)
def test_formulas_become_sentences(constraint, sentences):
    constraints = f"<booleanConstraints><constraint>{constraint}</constraint></booleanConstraints>"

    assert said(model(option("a") + option("b") + option("c"), constraints)) == sentences


@pytest.mark.parametrize(
    ("attributes", "comparison", "sentences"),
    [
        ('req="none"', "a * ((b * 1) + (c * 10)) = 1 * a", ["a implies b", "a excludes c"]),
        ('req="all"', "a * level &gt;= 5", ["a implies level >= 5"]),
        ('req="all" exprKind="neg"', "a * level &gt;= 5", ["a implies level = 1"]),
        ('req="none"', "level != 5", ["level != 5"]),
        ('req="none"', "level + a * 4 &lt; 10", ["a implies level <= 5"]),
        ('req="none"', "log10(level) &gt; 0.5", ["level >= 5"]),
        ('req="none"', "level / (level - 5) &gt; 1", ["level = 9"]),
    ],
)
def test_comparisons_become_sentences(attributes, comparison, sentences):
    constraints = f"<mixedConstraints><constraint {attributes}>{comparison}</constraint></mixedConstraints>"
    numbers = number("level", "<values>1;5;9</values>")

    assert said(model(option("a") + option("b") + option("c"), constraints, numbers)) == sentences


MISTAKES = {
    "cycle": model(option("a", "<parent>b</parent>") + "\n" + option("b", "<parent>a</parent>")),
    "itself": model(option("a", "<parent>a</parent>")),
    "unknown-parent": model(option("check") + option("a", "<parent>chek</parent>")),
    "unknown-excluded": model(option("a", "<excludedOptions><options>b</options></excludedOptions>")),
    "unknown-in-formula": model(
        option("a"), "<booleanConstraints><constraint>a | zz</constraint></booleanConstraints>"
    ),
    "ambiguous": model(
        option("a") + option("b"),
        "<booleanConstraints><constraint>a | b &amp; a</constraint></booleanConstraints>",
    ),
    "formula": model(
        option("a"), "<booleanConstraints><constraint>a | (!a</constraint></booleanConstraints>"
    ),
    "comparison": model(option("a"), "<mixedConstraints><constraint>a + 1</constraint></mixedConstraints>"),
    "sum": model(option("a"), "<mixedConstraints><constraint>a + * 1 = 2</constraint></mixedConstraints>"),
    "never": model(
        option("a"), "<mixedConstraints><constraint req='none'>a = 2</constraint></mixedConstraints>"
    ),
    "deep-formula": model(
        option("a"), f"<booleanConstraints><constraint>{'(' * 999}a</constraint></booleanConstraints>"
    ),
    "twice": model(option("a") + "\n" + option("a")),
    "nameless": model(option("")),
    "no-options": "<vm></vm>",
    "step": model(
        "", "", number("n1", "<minValue>1</minValue><maxValue>9</maxValue><stepFunction>n</stepFunction>")
    ),
    "many-levels": model("", "", number("n1", "<minValue>1</minValue><maxValue>1E9</maxValue>")),
    "no-number": model("", "", number("n1", "<values>1;two</values>")),
    "number-as-parent": model(option("a", "<parent>n1</parent>"), "", number("n1", "<values>1;2</values>")),
    "other-xml": "<featureModel><struct/></featureModel>",
    "truncated": PACKER_XML[:1000],
    "bomb": '<!DOCTYPE vm [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>\n<vm>&b;</vm>',
    "external": '<!DOCTYPE vm SYSTEM "file:///etc/passwd">\n<vm/>',
    "deep": "<vm>" + "<a>" * 5000,
    "too-many-combinations": model(
        "".join(option(f"a{at}") for at in range(20)),
        "<mixedConstraints><constraint req='none'>"
        + " + ".join(f"a{at}" for at in range(20))
        + " = 3</constraint></mixedConstraints>",
    ),
}


def test_every_mistake_is_told_with_its_line_and_its_remedy(golden):
    messages = []
    for name, text in MISTAKES.items():
        with pytest.raises(ModelError) as caught:
            read_splconqueror(text, "model.xml")
        messages.append(f"{name}\n  {caught.value}\n")

    golden("models/splconqueror-mistakes.txt", "".join(messages))


@st.composite
def some_plain_spaces(draw):
    names = draw(st.lists(st.sampled_from(["a", "checksum", "no.cache", "root"]), min_size=1, unique=True))
    options = [Option(name, SWITCH, False, words=draw(st.sampled_from(["", "-x {{1}}"]))) for name in names]
    if draw(st.booleans()):
        options.append(Option("level", (1, 2.5, 9), 1, words="--level={value}k"))
    constraints = draw(st.lists(expressions(options), max_size=3))
    return Space(tuple(options), tuple(constraints))


@given(space=some_plain_spaces())
@settings(suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
def test_what_is_written_reads_back_as_the_same_space(space):
    assume(valid_values(space))
    try:
        text = write_splconqueror(space)
    except ModelError:
        assume(False)
    again = read_splconqueror(text)

    assert {each.name: (each.values, each.words) for each in again.options} == {
        each.name: (each.values, each.words) for each in space.options
    }
    assert as_set(valid_values(again)) == as_set(valid_values(space))


def test_reading_what_is_written_of_a_model_gives_its_configurations():
    space = read_splconqueror(PACKER_XML)

    assert as_set(valid_values(read_splconqueror(write_splconqueror(space)))) == as_set(valid_values(space))


def test_one_of_several_becomes_alternatives():
    space = Space.of(
        (
            Option("algorithm", ("lz", "rle", "lz 4"), "lz", words="--{value}"),
            Option("checksum", SWITCH, False),
        ),
        ("checksum implies algorithm != rle",),
    )
    again = read_splconqueror(write_splconqueror(space))

    assert [each.name for each in again.options] == [
        "algorithm",
        "algorithm_lz",
        "algorithm_rle",
        "algorithm_lz_4",
        "checksum",
    ]
    assert len(valid_values(again)) == len(valid_values(space)) == 5


def test_declarations_in_the_source_are_taken_over():
    location = """<locations><sourceRange category="necessary"><path>src/main.c</path>
        <start><line>42</line><column>5</column></start><end><line>42</line><column>9</column></end>
        </sourceRange></locations>"""
    option = (
        f"<configurationOption><name>fast</name><optional>True</optional>{location}</configurationOption>"
    )

    space = read_splconqueror(f"<vm><binaryOptions>{option}</binaryOptions></vm>")

    assert space.option["fast"].variables == ("src/main.c:42",)
