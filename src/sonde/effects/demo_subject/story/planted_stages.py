"""Planted changes of the stages around the algorithms: survey and filter."""

from sonde.effects.demo_subject.edits import Replace
from sonde.effects.demo_subject.planned import PlannedRevision, Plant

UTF8_SURVEY = PlannedRevision(
    "Know UTF-8 text from other data",
    Plant("core", (), {"pack-text": (0.10, 0.41), "pack-image": (0.10, 0.36), "verify-log": (0.10, 0.43)}),
    (
        Replace(
            "src/survey.c",
            "/* Counts bytes, lines",
            """\
#define BROKEN 4

/*
 * Follows UTF-8 from byte to byte. The state is the number of bytes that the
 * character still misses, or BROKEN if the byte cannot be where it is.
 */
static unsigned follow_utf8(unsigned state, unsigned char byte)
{
    unsigned missing = state == BROKEN ? 0 : state;

    if (byte >= 0x80 && byte < 0xC0)
        return missing ? missing - 1 : BROKEN;
    if (missing || byte >= 0xF8)
        return BROKEN;
    return byte >= 0xF0 ? 3 : byte >= 0xE0 ? 2 : byte >= 0xC0 ? 1 : 0;
}

/* Counts bytes, lines""",
        ),
        Replace(
            "src/survey.c",
            "    size_t line_start = 0, strange = 0;\n",
            "    size_t line_start = 0, strange = 0;\n    unsigned state = 0, trouble = 0, worst = 0;\n",
        ),
        Replace(
            "src/survey.c",
            "        if (!is_printable(byte))\n            strange++;\n",
            """\
        state = follow_utf8(state, byte);
        if (byte < 0x80 ? !is_printable(byte) : state == BROKEN)
            strange++;
        /* One broken character in a text is harmless, a stretch of them is not. */
        trouble = trouble - trouble / 16 + (state == BROKEN ? 256 : 0);
        if (trouble > worst)
            worst = trouble;
        survey->characters += (byte & 0xC0) != 0x80;
""",
        ),
        Replace(
            "src/survey.c",
            "strange * 20 <= input->count;",
            "strange * 20 <= input->count && worst < 2048;",
        ),
        Replace("src/survey.h", "    size_t lines;\n", "    size_t lines;\n    size_t characters;\n"),
        Replace(
            "src/report.c",
            'input: text, %zu lines, the longest has %zu bytes\\n", survey->lines, survey->longest_line);',
            'input: text, %zu characters\\n", survey->characters);\n'
            "    if (survey->is_text)\n"
            '        fprintf(stderr, "input: %zu lines, the longest has %zu bytes\\n", survey->lines,\n'
            "                survey->longest_line);",
        ),
    ),
    body="Texts with umlauts were taken for images. Follow the characters, and judge the worst stretch.",
)

STRIDE_FROM_SAMPLE = PlannedRevision(
    "Choose the stride of the differences from a sample",
    Plant("option", ("filter",), {"pack-image": (-0.16, -0.35)}),
    (
        Replace(
            "src/filter.c",
            "/* Smaller is better: the sum of all differences at this stride. */",
            "/* One stretch in so many is looked at to choose the stride. */\n"
            "#define SAMPLED_SHARE 16\n"
            "#define STRETCH_BYTES 512\n\n"
            "/* Smaller is better: the sum of the differences at this stride, in a sample. */",
        ),
        Replace(
            "src/filter.c",
            """\
    for (size_t i = stride; i < input->count; i++)
        sum +=""",
            """\
    for (size_t start = stride; start < input->count; start += SAMPLED_SHARE * STRETCH_BYTES)
        for (size_t i = start; i < input->count && i < start + STRETCH_BYTES; i++)
            sum +=""",
        ),
    ),
    body="A sixteenth of the input tells the same as all of it.",
)

WEIGH_FILTER_FOR_HUFFMAN = PlannedRevision(
    "Drop the filter where huffman loses by it",
    Plant(
        "interaction",
        ("algorithm=huffman", "filter"),
        {"pack-text": (0.46, 0.59), "pack-image": (0.50, 0.66), "verify-log": (0.25, 0.31)},
    ),
    (
        Replace(
            "src/huffman.h",
            "int huffman_unpack",
            "/* About how many bytes packing would give. */\n"
            "size_t huffman_size(const struct bytes *input);\nint huffman_unpack",
        ),
        Replace(
            "src/huffman.c",
            "struct source {\n",
            """\
size_t huffman_size(const struct bytes *input)
{
    struct code code = {0};
    unsigned counts[256];
    unsigned long bits = 0;

    for (size_t start = 0; start < input->count; start += BLOCK_BYTES) {
        size_t size = input->count - start < BLOCK_BYTES ? input->count - start : BLOCK_BYTES;

        count_bytes(input->at + start, size, counts);
        code_from_counts(&code, counts);
        bits += code.bits;
    }
    return bits / 8;
}

struct source {
""",
        ),
        Replace(
            "src/pack.c",
            "    put_header(input, options, filter, filtered.count, output);\n",
            """\
    if (options->filter && options->algorithm == ALGORITHM_HUFFMAN
        && huffman_size(&filtered) / 32 * 31 > huffman_size(input)) {
        filter.kind = FILTER_NONE;
        bytes_copy(&filtered, input);
    }
    put_header(input, options, filter, filtered.count, output);
""",
        ),
    ),
    body="Folded capitals cost huffman a word each. Compare both; a filter that costs over 3 % goes.",
)
