"""Revisions that do not build or crash, each with the one that mends it."""

from sonde.effects.demo_subject.edits import Append, Create, Replace
from sonde.effects.demo_subject.planned import Crashes, DoesNotBuild, PlannedRevision, Reason, quiet

_MENDING = Reason.MENDING

FORGOTTEN_SEMICOLON = (
    PlannedRevision(
        "Print the level with the algorithm",
        DoesNotBuild("a semicolon is missing"),
        (
            Replace(
                "src/report.c",
                'fprintf(stderr, "algorithm: %s\\n", algorithm_names[options->algorithm]);',
                'fprintf(stderr, "algorithm: %s, level %d\\n", '
                "algorithm_names[options->algorithm], options->level)",
            ),
        ),
    ),
    quiet(
        _MENDING,
        "Add the semicolon that was forgotten",
        Replace(
            "src/report.c",
            "options->algorithm], options->level)\n",
            "options->algorithm], options->level);\n",
        ),
    ),
)

HALF_A_RENAMING = (
    PlannedRevision(
        "Call paths paths",
        DoesNotBuild("main.c still uses the old names of two fields"),
        (
            Replace("src/options.h", "    const char *input;\n", "    const char *input_path;\n"),
            Replace("src/options.h", "    const char *output;\n", "    const char *output_path;\n"),
            Replace(
                "src/options.c",
                "        } else if (!options->input) {\n            options->input = words[i];\n",
                "        } else if (!options->input_path) {\n            options->input_path = words[i];\n",
            ),
            Replace(
                "src/options.c",
                "        } else if (!options->output) {\n            options->output = words[i];\n",
                "        } else if (!options->output_path) {\n            options->output_path = words[i];\n",
            ),
            Replace(
                "src/options.c",
                "    if (!options->input || !options->output)\n",
                "    if (!options->input_path || !options->output_path)\n",
            ),
        ),
    ),
    PlannedRevision(
        "Speak of paths in the manual as well",
        DoesNotBuild("main.c still uses the old names of two fields"),
        (Append("docs/manual.md", "- INPUT and OUTPUT are paths.\n"),),
    ),
    quiet(
        _MENDING,
        "Finish the renaming of paths",
        Replace("src/main.c", "read_file(options.input, &input)", "read_file(options.input_path, &input)"),
        Replace(
            "src/main.c", "write_file(options.output, &output)", "write_file(options.output_path, &output)"
        ),
    ),
)

FORGOTTEN_FILE = (
    PlannedRevision(
        "Keep exit codes in one place",
        DoesNotBuild("exit_codes.h was not added"),
        (
            Replace("src/main.c", '#include "bytes.h"\n', '#include "bytes.h"\n#include "exit_codes.h"\n'),
            Replace("src/main.c", "        return 2;\n", "        return EXIT_USAGE;\n"),
        ),
    ),
    quiet(
        _MENDING,
        "Add the header with the exit codes",
        Create(
            "src/exit_codes.h",
            "#ifndef EXIT_CODES_H\n#define EXIT_CODES_H\n\n"
            "#define EXIT_USAGE 2\n#define EXIT_MEMORY 3\n\n#endif\n",
        ),
    ),
)

OTHER_PROTOTYPE = (
    PlannedRevision(
        "Let the report say how many lines it printed",
        DoesNotBuild("report.c disagrees with report.h"),
        (
            Replace(
                "src/report.h",
                "void report_input(const struct bytes *input, const struct survey *survey);",
                "int report_input(const struct bytes *input, const struct survey *survey);",
            ),
        ),
    ),
    quiet(
        _MENDING,
        "Make report.c and report.h agree again",
        Replace("src/report.h", "int report_input(", "void report_input("),
    ),
)

CRASH = (
    PlannedRevision(
        "Align the figures of the report",
        Crashes(("verbose",)),
        (
            Replace(
                "src/report.c",
                "/* How many of",
                """\
enum figure { FIGURE_FILTER, FIGURE_ALGORITHM, FIGURE_PACKED, FIGURES };
static const char *const labels[FIGURES] = {"filter:", "algorithm:"};

/* So that all figures stand below each other. */
static int label_width(void)
{
    size_t widest = 0;

    for (int figure = 0; figure < FIGURES; figure++)
        if (strlen(labels[figure]) > widest)
            widest = strlen(labels[figure]);
    return (int)widest;
}

/* How many of""",
            ),
            Replace("src/report.c", "#include <stdlib.h>\n", "#include <stdlib.h>\n#include <string.h>\n"),
            Replace(
                "src/report.c",
                '    fprintf(stderr, "filter: %s\\n", filter_names[filter.kind]);\n',
                "    int width = label_width();\n\n"
                '    fprintf(stderr, "%-*s %s\\n", width, labels[FIGURE_FILTER], '
                "filter_names[filter.kind]);\n",
            ),
        ),
    ),
    quiet(
        _MENDING,
        "Do not crash for want of a label",
        Replace("src/report.c", '{"filter:", "algorithm:"};', '{"filter:", "algorithm:", "packed:"};'),
    ),
)
