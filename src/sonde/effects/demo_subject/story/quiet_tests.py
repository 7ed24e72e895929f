"""Revisions that change only the subject's own tests, in the order of the story."""

from sonde.effects.demo_subject.edits import Append, Create, Replace
from sonde.effects.demo_subject.planned import Reason, quiet

_CASES = (
    ("Test rle with a filter", "filter", "--rle --filter"),
    ("Test the lowest level", "algorithms", "--lz --level=1"),
    ("Test the highest level", "algorithms", "--lz --level=9"),
    ("Test all filters with a checksum", "filter", "--lz --filter --checksum"),
    ("Test a level that huffman ignores", "algorithms", "--huffman --level=9"),
    ("Test huffman, filtered and checked", "filter", "--huffman --filter --checksum"),
    ("Test that the last algorithm counts", "algorithms", "--rle --huffman --lz"),
    ("Test --verify with rle", "algorithms", "--rle --verify"),
    ("Test --verify with huffman", "algorithms", "--huffman --verify"),
    ("Test --verify with a filter", "filter", "--lz --filter --verify"),
    ("Test a middle level with a filter", "filter", "--lz --level=3 --filter"),
    ("Test --verify with a filtered rle", "filter", "--rle --filter --verify"),
    ("Test level 2", "algorithms", "--lz --level=2"),
    ("Test level 7", "algorithms", "--lz --level=7"),
    ("Test that the order of options is free", "filter", "--filter --verify --huffman"),
)

TESTS = (
    quiet(
        Reason.TESTS,
        "Test the checksum",
        Create("tests/cases/checksum.txt", "--lz --checksum\n--rle --checksum\n--huffman --checksum\n"),
    ),
    *(
        quiet(Reason.TESTS, subject, Append(f"tests/cases/{name}.txt", options + "\n"))
        for subject, name, options in _CASES[:7]
    ),
    quiet(
        Reason.TESTS,
        "Test the dictionary",
        Create("tests/cases/dictionary.txt", "--lz --dictionary\n--lz --dictionary --level=9\n"),
    ),
    quiet(
        Reason.TESTS,
        "Say which options failed a test",
        Replace(
            "tests/run.sh",
            '            cmp "$input" "$unpacked"\n',
            '            cmp "$input" "$unpacked" || { echo "failed: $options $input"; exit 1; }\n',
        ),
    ),
    quiet(
        Reason.TESTS,
        "Test an empty file",
        Replace("tests/run.sh", "src/*.c packer; do", "src/*.c packer /dev/null; do"),
    ),
    *(
        quiet(Reason.TESTS, subject, Append(f"tests/cases/{name}.txt", options + "\n"))
        for subject, name, options in _CASES[7:]
    ),
    quiet(
        Reason.TESTS,
        "Test the dictionary with a checksum",
        Append("tests/cases/dictionary.txt", "--lz --dictionary --checksum --verify\n"),
    ),
    quiet(
        Reason.TESTS,
        "Count the cases that passed",
        Replace(
            "tests/run.sh",
            'echo "all cases passed"',
            'echo "all $(cat tests/cases/*.txt | wc -l) cases passed"',
        ),
    ),
)
