"""Revisions that merge a short side branch; all of them are quiet."""

from sonde.effects.demo_subject.edits import Append, Create, Replace
from sonde.effects.demo_subject.planned import Reason, merge, quiet

EXAMPLES = merge(
    "Merge branch 'examples'",
    quiet(
        Reason.DOCUMENTATION,
        "Begin a page of examples",
        Create("docs/examples.md", "# Examples\n\n    packer --rle drawing.bmp drawing.pk\n"),
    ),
    quiet(
        Reason.DOCUMENTATION,
        "Add an example with a checksum",
        Append("docs/examples.md", "    packer --lz --checksum letter.txt letter.pk\n"),
    ),
    forks_before=3,
)

DEFAULTS = merge(
    "Merge branch 'defaults'",
    quiet(
        Reason.REFACTORING,
        "Set the defaults in a function",
        Replace(
            "src/options.c",
            "    options->action = ACTION_PACK;\n"
            "    options->algorithm = ALGORITHM_LZ;\n"
            "    options->level = 5;\n\n",
            "    set_defaults(options);\n",
        ),
        Replace(
            "src/options.c",
            "int parse_options(",
            """\
static void set_defaults(struct options *options)
{
    options->action = ACTION_PACK;
    options->algorithm = ALGORITHM_LZ;
    options->level = 5;
}

int parse_options(""",
        ),
    ),
    quiet(
        Reason.REFACTORING,
        "Name the default level",
        Replace("src/options.c", "options->level = 5;", "options->level = DEFAULT_LEVEL;"),
        Replace("src/options.c", "#include <string.h>\n", "#include <string.h>\n\n#define DEFAULT_LEVEL 5\n"),
    ),
    forks_before=4,
)

MORE_LEVELS = merge(
    "Merge branch 'more-levels'",
    quiet(
        Reason.TESTS,
        "Test levels on their own",
        Create("tests/cases/levels.txt", "--level=4\n--level=6\n"),
    ),
    quiet(
        Reason.TESTS,
        "Test levels with a checksum",
        Append("tests/cases/levels.txt", "--level=8 --checksum\n"),
    ),
    forks_before=2,
)
