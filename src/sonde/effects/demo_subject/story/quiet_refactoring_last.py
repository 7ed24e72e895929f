"""Revisions that change the code but not its performance: those after 1.2, in order."""

from sonde.effects.demo_subject.edits import Rename, Replace
from sonde.effects.demo_subject.planned import Reason, quiet

_REFACTORING, _MESSAGES = Reason.REFACTORING, Reason.MESSAGES

LAST_CODE = (
    quiet(
        _REFACTORING,
        "Call a source of bits what it is",
        Rename("src/huffman.c", "struct source", "struct bit_source", 6),
    ),
    quiet(
        _REFACTORING,
        "Print the kind of the input in a function",
        Replace(
            "src/report.c",
            "void report_input(",
            """\
static void report_text(const struct survey *survey)
{
    fprintf(stderr, "input: text, %zu characters\\n", survey->characters);
    fprintf(stderr, "input: %zu lines, the longest has %zu bytes\\n", survey->lines, survey->longest_line);
}

void report_input(""",
        ),
        Replace(
            "src/report.c",
            """\
        fprintf(stderr, "input: text, %zu characters\\n", survey->characters);
    if (survey->is_text)
        fprintf(stderr, "input: %zu lines, the longest has %zu bytes\\n", survey->lines,
                survey->longest_line);
}

void report_packing""",
            """\
        report_text(survey);
}

void report_packing""",
        ),
    ),
    quiet(
        _MESSAGES,
        "Say what a damaged file means",
        Replace(
            "src/pack.c",
            'return fail("this file is damaged");',
            'return fail("this file is damaged, or it was not written by packer");',
        ),
    ),
    quiet(
        _REFACTORING,
        "Say starts_with, as everybody does",
        Rename("src/dictionary.c", "begins_with", "starts_with", 2),
    ),
    quiet(
        _REFACTORING,
        "Remove what is left of kept codes",
        Replace("src/huffman.c", "        int same = 0;\n", ""),
        Replace(
            "src/huffman.c",
            "        put_bits(&bits, same ? SAME_CODE : NEW_CODE, 1);\n",
            "        put_bits(&bits, NEW_CODE, 1);\n",
        ),
        Replace(
            "src/huffman.c",
            """\
        if (!same) {
            code_from_counts(&code, counts);
            put_code(&bits, &code);
        }
""",
            "        code_from_counts(&code, counts);\n        put_code(&bits, &code);\n",
        ),
        Replace("src/huffman.c", "#define SAME_CODE 0\n", ""),
    ),
    quiet(
        _MESSAGES,
        "Say that the sums differ, not only the checksum",
        Replace("src/pack.c", 'fail("the checksum differs")', 'fail("the checksum or the sums differ")'),
    ),
)
