"""Planted changes of the checksum, and of what stands in its place when it is off."""

from sonde.effects.demo_subject.edits import Replace
from sonde.effects.demo_subject.planned import PlannedRevision, Plant

SMALL_CHECKSUM_TABLE = PlannedRevision(
    "Shrink the table of the checksum to four entries",
    Plant(
        "option",
        ("checksum",),
        {"pack-text": (0.12, 0.34), "pack-image": (0.12, 0.34), "verify-log": (0.18, 0.47)},
    ),
    (
        Replace(
            "src/checksum.c",
            "static void fill_table(uint32_t table[256])",
            "static void fill_table(uint32_t table[4])",
        ),
        Replace(
            "src/checksum.c",
            "for (uint32_t byte = 0; byte < 256; byte++) {\n        uint32_t rest = byte;",
            "for (uint32_t pair = 0; pair < 4; pair++) {\n        uint32_t rest = pair;",
        ),
        Replace("src/checksum.c", "bit < 8; bit++", "bit < 2; bit++"),
        Replace("src/checksum.c", "table[byte] = rest", "table[pair] = rest"),
        Replace("src/checksum.c", "CRC-32, one byte at a time.", "CRC-32, two bits at a time."),
        Replace("src/checksum.c", "    uint32_t table[256];", "    uint32_t table[4];"),
        Replace(
            "src/checksum.c",
            """\
    for (size_t i = 0; i < bytes->count; i++)
        sum = sum >> 8 ^ table[(sum ^ bytes->at[i]) & 255];
""",
            """\
    for (size_t i = 0; i < bytes->count; i++) {
        sum ^= bytes->at[i];
        for (int pair = 0; pair < 4; pair++)
            sum = sum >> 2 ^ table[sum & 3];
    }
""",
        ),
    ),
    body="A kilobyte on the stack is much for the small boards that unpack our files.",
)

SUMS_WITHOUT_CHECKSUM = PlannedRevision(
    "Guard files without a checksum by four small sums",
    Plant(
        "option off",
        ("!checksum",),
        {"pack-text": (0.12, 0.37), "pack-image": (0.11, 0.39), "verify-log": (0.18, 0.58)},
    ),
    (
        Replace(
            "src/checksum.h",
            "uint32_t checksum(const struct bytes *bytes);\n",
            "uint32_t checksum(const struct bytes *bytes);\n"
            "uint32_t small_sums(const struct bytes *bytes);\n",
        ),
        Replace(
            "src/checksum.c",
            "    return ~sum;\n}\n",
            """\
    return ~sum;
}

/* Finds most damages, though not all: sums modulo four primes. */
uint32_t small_sums(const struct bytes *bytes)
{
    uint32_t first = 1, second = 0, third = 0, fourth = 0;

    for (size_t i = 0; i < bytes->count; i++) {
        first = (first + bytes->at[i]) % 251;
        second = (second + first) % 241;
        third = (third + second) % 239;
        fourth = (fourth + third) % 233;
    }
    return first | second << 8 | third << 16 | fourth << 24;
}
""",
        ),
        Replace("src/pack.c", "#define FORMAT 1\n", "#define FORMAT 2\n"),
        Replace(
            "src/pack.c",
            "options->checksum ? checksum(input) : 0)",
            "options->checksum ? checksum(input) : small_sums(input))",
        ),
        Replace(
            "src/pack.c",
            "    if (header[7] && checksum(output) != get_number(header + 16))\n",
            "    if ((header[7] ? checksum(output) : small_sums(output)) != get_number(header + 16))\n",
        ),
    ),
    body="A damaged file went unnoticed too often. This changes the format: its number is 2 now.",
)
