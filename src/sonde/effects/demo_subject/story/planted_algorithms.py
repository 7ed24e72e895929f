"""Planted changes of the algorithms: lz, rle, huffman, and the dictionary of lz."""

from sonde.effects.demo_subject.edits import Delete, Replace
from sonde.effects.demo_subject.planned import PlannedRevision, Plant

UNPACK_WITHOUT_WINDOW = PlannedRevision(
    "Copy matches straight from what was unpacked",
    Plant("option", ("algorithm=lz",), {"verify-log": (-0.17, -0.41)}),
    (
        Replace("src/lz.c", '#include "tables.h"\n#include "window.h"\n', '#include "tables.h"\n'),
        Replace("src/lz.c", "#define HASHES 8192\n", "#define HASHES 8192\n#define WINDOW_BYTES 32768\n"),
        Replace(
            "src/lz.c",
            """\
static int copy_match(struct window *window, unsigned length, unsigned distance, struct bytes *output)
{
    for (unsigned i = 0; i < length; i++) {
        int byte = window_get(window, distance);

        if (byte < 0)
            return -1;
        window_put(window, (unsigned char)byte);
        bytes_put(output, (unsigned)byte);
    }
    return 0;
}
""",
            """\
static int copy_match(unsigned length, unsigned distance, struct bytes *output)
{
    unsigned char *to;

    if (distance == 0 || distance > output->count)
        return -1;
    while (output->room - output->count < length)
        bytes_grow(output);
    to = output->at + output->count;
    for (unsigned i = 0; i < length; i++)
        to[i] = (to - distance)[i];
    output->count += length;
    return 0;
}
""",
        ),
        Replace("src/lz.c", "    static struct window window;\n    size_t at = 0;\n", "    size_t at = 0;\n"),
        Replace(
            "src/lz.c",
            """\
            for (unsigned i = 0; i <= control; i++) {
                window_put(&window, input->at[at]);
                bytes_put(output, input->at[at++]);
            }
""",
            """\
            for (unsigned i = 0; i <= control; i++)
                bytes_put(output, input->at[at++]);
""",
        ),
        Replace("src/lz.c", "copy_match(&window, control", "copy_match(control"),
        Delete("src/window.c"),
        Delete("src/window.h"),
    ),
    body="All that was unpacked is in memory anyway: the window is not needed.",
)

_PATIENT_RUNS = (
    Replace(
        "src/rle.c",
        "#define LONGEST_RUN 130\n",
        "#define LONGEST_RUN 130\n\n"
        "/* So many bytes ahead a longer run is worth waiting for. */\n#define PATIENCE 2\n",
    ),
    Replace(
        "src/rle.c",
        "static void put_literals",
        """\
static int longer_run_follows(const struct bytes *input, size_t at, size_t run)
{
    for (size_t ahead = 1; ahead <= PATIENCE && at + ahead < input->count; ahead++)
        if (run_at(input, at + ahead) > run + ahead)
            return 1;
    return 0;
}

static void put_literals""",
    ),
    Replace(
        "src/rle.c",
        "        if (run < SHORTEST_RUN) {\n",
        "        if (longer_run_follows(input, at, run) || run < SHORTEST_RUN) {\n",
    ),
)

PATIENT_RUNS = PlannedRevision(
    "Wait for a longer run in rle",
    Plant(
        "undone",
        ("algorithm=rle",),
        {"pack-text": (0.35, 0.65), "pack-image": (0.17, 0.64), "verify-log": (0.23, 0.54)},
    ),
    _PATIENT_RUNS,
    body="A short run right before a long one breaks the literals for nothing.",
)

NO_PATIENT_RUNS = PlannedRevision(
    'Revert "Wait for a longer run in rle"',
    Plant(
        "undoing",
        ("algorithm=rle",),
        {"pack-text": (-0.28, -0.44), "pack-image": (-0.14, -0.46), "verify-log": (-0.20, -0.38)},
    ),
    tuple(edit.undone() for edit in reversed(_PATIENT_RUNS)),
    body="It saves one byte in ten thousand, and every byte of the input is looked at three times for it.",
)

DEEPER_SEARCH = PlannedRevision(
    "Search deeper at level 9",
    Plant(
        "constant table",
        ("algorithm=lz", "level=9"),
        {"pack-text": (0.25, 0.34), "pack-image": (0.10, 0.66), "verify-log": (0.28, 0.53)},
    ),
    (Replace("src/tables.c", "8, 10, 12};", "8, 10, 48};"),),
    body="Who asks for level 9 has time.",
)

WORDS_BY_FIRST_LETTER = PlannedRevision(
    "Look up words of the dictionary by their first letter",
    Plant(
        "option",
        ("dictionary",),
        {"pack-text": (-0.34, -0.55), "pack-image": (-0.45, -0.66), "verify-log": (-0.24, -0.42)},
    ),
    (
        Replace(
            "src/dictionary.c",
            "/* The number of the word",
            """\
/* For each letter, the number of the first word that begins with it, or WORDS. */
static void index_words(unsigned char first[256])
{
    for (int letter = 0; letter < 256; letter++)
        first[letter] = WORDS;
    for (unsigned number = WORDS; number-- > 0;)
        first[(unsigned char)words[number][0]] = (unsigned char)number;
}

/* The number of the word""",
        ),
        Replace(
            "src/dictionary.c",
            "static unsigned find_word(const struct bytes *input, size_t at)\n",
            "static unsigned find_word(const unsigned char first[256], "
            "const struct bytes *input, size_t at)\n",
        ),
        Replace(
            "src/dictionary.c", "    unsigned number = 0;\n", "    unsigned number = first[input->at[at]];\n"
        ),
        Replace(
            "src/dictionary.c",
            "{\n    size_t at = 0;\n\n"
            "    while (at < input->count) {\n        unsigned number = find_word(input, at);\n",
            "{\n    unsigned char first[256];\n    size_t at = 0;\n\n    index_words(first);\n"
            "    while (at < input->count) {\n        unsigned number = find_word(first, input, at);\n",
        ),
        Replace(
            "src/dictionary.c",
            "while (number < WORDS && !begins_with(input, at, words[number]))",
            "while (number < WORDS && words[number][0] == (char)input->at[at]\n"
            "           && !begins_with(input, at, words[number]))",
        ),
        Replace(
            "src/dictionary.c",
            "    return number;\n",
            "    return number < WORDS && words[number][0] == (char)input->at[at] ? number : WORDS;\n",
        ),
    ),
    body="The words are sorted, so that those of a letter stand together.",
)

NO_CODE_REUSE = PlannedRevision(
    "Give every block of huffman a code of its own",
    Plant(
        "deletion",
        ("algorithm=huffman",),
        {"pack-text": (0.14, 0.32), "pack-image": (0.14, 0.33), "verify-log": (0.09, 0.16)},
    ),
    (
        Replace(
            "src/huffman.c",
            """\
/* Whether the code of another block wastes less than one bit in sixteen here. */
static int still_fits(const struct code *code, const unsigned counts[256], size_t size)
{
    unsigned long bits = 0;

    for (int byte = 0; byte < 256; byte++)
        bits += (unsigned long)counts[byte] * code->length[byte];
    return bits * BLOCK_BYTES <= code->bits * size / 16 * 17;
}

""",
            "",
        ),
        Replace(
            "src/huffman.c",
            "        if (start > 0 && still_fits(&code, counts, size))\n            same = 1;\n",
            "",
        ),
    ),
    body="Nobody could explain when a code was kept, and when not.",
)
