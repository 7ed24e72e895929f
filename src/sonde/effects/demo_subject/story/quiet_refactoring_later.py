"""Revisions that change the code but not its performance: those from 1.1 to 1.2, in order."""

from sonde.effects.demo_subject.edits import Rename, Replace
from sonde.effects.demo_subject.planned import Reason, quiet

_REFACTORING, _MESSAGES = Reason.REFACTORING, Reason.MESSAGES

LATE_CODE = (
    quiet(
        _REFACTORING,
        "Call it refusing, not complaining",
        Rename("src/options.c", "complain(", "refuse(", 7),
    ),
    quiet(
        _REFACTORING,
        "Undo filters in a switch",
        Replace(
            "src/filter.c",
            """\
    if (filter.kind == FILTER_CAPITALS)
        return unfold_capitals(input, output);
    if (filter.kind == FILTER_WORDS)
        return restore_words(input, output);
    if (filter.kind == FILTER_DIFFERENCES)
        add_differences(input, (size_t)filter.stride, output);
    else
        bytes_copy(output, input);
    return 0;
""",
            """\
    switch (filter.kind) {
    case FILTER_CAPITALS:
        return unfold_capitals(input, output);
    case FILTER_WORDS:
        return restore_words(input, output);
    case FILTER_DIFFERENCES:
        add_differences(input, (size_t)filter.stride, output);
        return 0;
    case FILTER_NONE:
        bytes_copy(output, input);
        return 0;
    }
    return -1;
""",
        ),
    ),
    quiet(
        _MESSAGES,
        "Say which format is expected",
        Replace(
            "src/pack.c",
            '    if (header[3] != FORMAT)\n        return fail("this file has another format");\n',
            """\
    if (header[3] != FORMAT) {
        fprintf(stderr, "packer: this file has format %d, not %d\\n", header[3], FORMAT);
        return -1;
    }
""",
        ),
    ),
    quiet(
        _REFACTORING,
        "Call a capital that is marked what it is",
        Rename("src/filter.c", "fold_capitals(", "mark_capitals(", 4),
        Rename("src/filter.c", "unmark_capitals(", "restore_capitals(", 2),
    ),
    quiet(
        _REFACTORING,
        "Name the offset of a run's length",
        Replace("src/rle.c", "(unsigned)run + 125", "(unsigned)run + RUN_OFFSET"),
        Replace("src/rle.c", "control - 125;", "control - RUN_OFFSET;"),
        Replace(
            "src/rle.c",
            "#define LONGEST_RUN 130\n",
            "#define LONGEST_RUN 130\n#define RUN_OFFSET (128 - SHORTEST_RUN)\n",
        ),
    ),
    quiet(
        _REFACTORING,
        "Parse the algorithm in a function",
        Replace(
            "src/options.c",
            "static int parse_word(",
            """\
static int parse_algorithm(const char *word, struct options *options)
{
    if (strcmp(word, "--lz") == 0)
        options->algorithm = ALGORITHM_LZ;
    else if (strcmp(word, "--rle") == 0)
        options->algorithm = ALGORITHM_RLE;
    else if (strcmp(word, "--huffman") == 0)
        options->algorithm = ALGORITHM_HUFFMAN;
    else
        return -1;
    return 0;
}

static int parse_word(""",
        ),
        Replace(
            "src/options.c",
            """\
    else if (strcmp(word, "--lz") == 0)
        options->algorithm = ALGORITHM_LZ;
    else if (strcmp(word, "--rle") == 0)
        options->algorithm = ALGORITHM_RLE;
    else if (strcmp(word, "--huffman") == 0)
        options->algorithm = ALGORITHM_HUFFMAN;
    else if (strncmp(""",
            """\
    else if (parse_algorithm(word, options) == 0)
        return 0;
    else if (strncmp(""",
        ),
    ),
    quiet(
        _MESSAGES,
        "Say how much memory was missing",
        Replace(
            "src/bytes.c",
            'fprintf(stderr, "packer: out of memory\\n");',
            'fprintf(stderr, "packer: out of memory: %zu bytes are needed\\n", room);',
        ),
    ),
    quiet(
        _REFACTORING,
        "Name the place of a size in the header",
        Replace(
            "src/pack.c", "header[4], get_number(header + 12)", "header[4], get_number(header + FILTERED_AT)"
        ),
        Replace(
            "src/pack.c",
            "filtered.count == get_number(header + 12)",
            "filtered.count == get_number(header + FILTERED_AT)",
        ),
        Replace(
            "src/pack.c", "#define HEADER_BYTES 20\n", "#define HEADER_BYTES 20\n#define FILTERED_AT 12\n"
        ),
    ),
)
