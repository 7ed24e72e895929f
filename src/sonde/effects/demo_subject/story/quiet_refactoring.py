"""Revisions that change the code but not its performance: those before the dictionary, in order."""

from sonde.effects.demo_subject.edits import Rename, Replace
from sonde.effects.demo_subject.planned import Reason, quiet

_REFACTORING, _MESSAGES = Reason.REFACTORING, Reason.MESSAGES

EARLY_CODE = (
    quiet(
        _REFACTORING,
        "Name the size of a chunk",
        Replace("src/bytes.c", "    unsigned char chunk[4096];\n", "    unsigned char chunk[CHUNK_BYTES];\n"),
        Replace("src/bytes.c", "#include <string.h>\n", "#include <string.h>\n\n#define CHUNK_BYTES 4096\n"),
    ),
    quiet(
        _MESSAGES,
        "Say why a file cannot be read",
        Replace("src/bytes.c", "#include <stdio.h>\n", "#include <errno.h>\n#include <stdio.h>\n"),
        Replace(
            "src/bytes.c",
            'fprintf(stderr, "packer: cannot read %s\\n", path);',
            'fprintf(stderr, "packer: cannot read %s: %s\\n", path, strerror(errno));',
        ),
    ),
    quiet(
        _REFACTORING,
        "Name the factor of the hash",
        Replace("src/lz.c", "four * 2654435761u >> 19", "four * HASH_FACTOR >> 19"),
        Replace(
            "src/lz.c", "#define HASHES 8192\n", "#define HASHES 8192\n#define HASH_FACTOR 2654435761u\n"
        ),
    ),
    quiet(
        _REFACTORING,
        "Pack the payload in a function, as unpacking does",
        Replace(
            "src/pack.c",
            "/* Survey, filter, header, algorithm: in this order. */",
            """\
static void pack_payload(const struct bytes *filtered, const struct options *options, struct bytes *output)
{
    if (options->algorithm == ALGORITHM_RLE)
        rle_pack(filtered, output);
    else if (options->algorithm == ALGORITHM_HUFFMAN)
        huffman_pack(filtered, output);
    else
        lz_pack(filtered, options, output);
}

/* Survey, filter, header, algorithm: in this order. */""",
        ),
        Replace(
            "src/pack.c",
            """\
    if (options->algorithm == ALGORITHM_RLE)
        rle_pack(&filtered, output);
    else if (options->algorithm == ALGORITHM_HUFFMAN)
        huffman_pack(&filtered, output);
    else
        lz_pack(&filtered, options, output);
""",
            "    pack_payload(&filtered, options, output);\n",
        ),
    ),
    quiet(
        _REFACTORING,
        "Call the hash by what it hashes",
        Rename("src/lz.c", "hash_at", "hash_of_four", 3),
    ),
    quiet(
        _REFACTORING,
        "Count kinds of bytes in a function",
        Replace(
            "src/report.c",
            "void report_input(",
            """\
static int count_kinds(const struct survey *survey)
{
    int kinds = 0;

    for (int byte = 0; byte < 256; byte++)
        kinds += survey->counts[byte] != 0;
    return kinds;
}

void report_input(""",
        ),
        Replace(
            "src/report.c",
            """\
    int kinds = 0;

    for (int byte = 0; byte < 256; byte++)
        kinds += survey->counts[byte] != 0;
    fprintf(stderr, "input: %zu bytes of %d kinds, %zu pairs\\n", input->count, kinds, count_pairs(input));
""",
            """\
    fprintf(stderr, "input: %zu bytes of %d kinds, %zu pairs\\n", input->count, count_kinds(survey),
            count_pairs(input));
""",
        ),
    ),
    quiet(
        _MESSAGES,
        "Point to the manual when an option is unknown",
        Replace("src/options.c", '"unknown option"', '"unknown option (see docs/manual.md)"'),
    ),
    quiet(
        _REFACTORING,
        "Call halving halving",
        Rename("src/code.c", "flatten(", "halve(", 2),
    ),
    quiet(
        _REFACTORING,
        "Name the offset of a match's length",
        Replace("src/lz.c", "(unsigned)match.length + 124", "(unsigned)match.length + MATCH_OFFSET"),
        Replace("src/lz.c", "control - 124", "control - MATCH_OFFSET"),
        Replace(
            "src/lz.c",
            "#define LONGEST_MATCH 130\n",
            "#define LONGEST_MATCH 130\n#define MATCH_OFFSET (128 - SHORTEST_MATCH)\n",
        ),
    ),
    quiet(
        _MESSAGES,
        "Say more when --verify fails",
        Replace(
            "src/main.c",
            "packer: unpacking gives something else\\n",
            "packer: unpacking gives something else; please report this, with the file\\n",
        ),
    ),
    quiet(
        _REFACTORING,
        "Walk up the tree in a for loop",
        Replace(
            "src/code.c",
            """\
    while (parents[node] != NONE) {
        node = parents[node];
        depth++;
    }
""",
            """\
    for (; parents[node] != NONE; node = parents[node])
        depth++;
""",
        ),
    ),
    quiet(
        _REFACTORING,
        "Call the remainder of a division by its name",
        Rename("src/checksum.c", "rest", "remainder", 6),
    ),
)
