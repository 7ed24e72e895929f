"""Revisions that change only documentation, in the order of the story."""

from sonde.effects.demo_subject.edits import Append, Create, Replace
from sonde.effects.demo_subject.planned import Reason, quiet

_MANUAL, _FORMAT, _FAQ, _NEWS, _README = (
    "docs/manual.md",
    "docs/format.md",
    "docs/faq.md",
    "NEWS.md",
    "README.md",
)

_APPENDED = (
    ("Say what --verify is for", _MANUAL, "- Use `--verify` for files that exist only once."),
    ("Say how large a file may be", _FORMAT, "- Sizes have four bytes, so a file ends below 4 GiB."),
    (
        "Answer: can a file be packed twice?",
        _FAQ,
        "\n**Can a file be packed twice?** Yes, but it does not shrink again.",
    ),
    ("Say which files rle is for", _MANUAL, "- Drawings and tables full of zeros are the files for `--rle`."),
    (
        "Describe the control bytes of rle",
        _FORMAT,
        "- rle: below 128 literals follow, from 128 on a byte repeats.",
    ),
    ("Name the compilers that were tried", _README, "\nTried with several versions of gcc and clang."),
    (
        "Answer: why is there no archive?",
        _FAQ,
        "\n**Why is there no archive of many files?** `tar` makes one; pack that.",
    ),
    ("Describe the control bytes of lz", _FORMAT, "- lz: from 128 on, a length and two bytes of distance."),
    ("Say that unpacking needs no options", _MANUAL, "- `--unpack` needs nothing but the two names."),
    (
        "Explain the levels",
        _MANUAL,
        "- A level is how many earlier places lz looks at, not how much it saves.",
    ),
    ("Tell where questions go", _README, "\nQuestions are welcome on the list packer@example.org."),
    ("Answer: is packing the same as hiding?", _FAQ, "\n**Does packing hide what is inside?** No."),
    (
        "Describe the blocks of huffman",
        _FORMAT,
        "- huffman: blocks of 32 KiB, each with a code or a bit that keeps the last.",
    ),
    (
        "Say what the exit codes mean",
        _MANUAL,
        "- Exit codes: 0 all is well, 1 it failed, 2 wrong options, 3 no memory.",
    ),
    ("Begin the news of 1.1", _NEWS, "\n## 1.1\nUnpacking lz is faster. The checksum needs less memory."),
    (
        "Document --dictionary",
        _MANUAL,
        "- `--dictionary` replaces common words before lz; not with `--filter`.",
    ),
    (
        "Document the words in the format",
        _FORMAT,
        "- Filter 3 is the dictionary: a 2 stands before the number of a word.",
    ),
    (
        "Answer: whose words are these?",
        _FAQ,
        "\n**Whose words are in the dictionary?** Those of our own logs.",
    ),
    (
        "Say that names with dashes need a path",
        _MANUAL,
        "- A file whose name begins with dashes is `./--name`.",
    ),
    (
        "Explain what a short while is",
        _MANUAL,
        "- `--verbose` counts as repeated what comes again within 64 bytes.",
    ),
    ("Show how to pack from a script", _README, "\n    for file in *.log; do ./packer $file $file.pk; done"),
    ("Answer: which level is right?", _FAQ, "\n**Which level is right?** 5, unless you know better."),
    ("Say how the stride is stored", _FORMAT, "- The stride is 0 unless the filter takes differences."),
    ("Mention UTF-8 in the manual", _MANUAL, "- Text may be UTF-8; a few broken characters are forgiven."),
    ("Mention UTF-8 in the news", _NEWS, "Texts in UTF-8 are known as text."),
    (
        "Explain why capitals are folded",
        _FORMAT,
        "- Folded capitals let lz find a word at the start of a sentence.",
    ),
    (
        "Answer: why is my image larger?",
        _FAQ,
        "\n**Why did my image grow?** It was packed already, as most images are.",
    ),
    ("Say what a damaged file gives", _MANUAL, "- A damaged file gives a message, and no output."),
    ("Thank those who sent files", _README, "\nThanks to all who sent files that did not unpack."),
    ("Name the authors", _README, "\nWritten by Ada, Ben, Carla and Dan."),
    ("Answer: what comes next?", _FAQ, "\n**What comes next?** Reading from pipes."),
    ("Point to the examples", _README, "\n`docs/examples.md` shows more."),
    (
        "Begin the news of 1.2",
        _NEWS,
        "\n## 1.2\nrle no longer waits for longer runs. `--dictionary` is faster.",
    ),
    ("Say what the filter does to images", _MANUAL, "- `--filter` helps images that are not packed yet."),
    ("Describe the marks of capitals", _FORMAT, "- Filter 1: a 1 stands before a letter that was a capital."),
    (
        "Answer: may I use it in my program?",
        _FAQ,
        "\n**May I use it in my program?** Yes; `src/pack.h` is all you need.",
    ),
    ("List what is planned", _README, "\nPlanned: reading from pipes, and packing on several cores."),
    ("Say when huffman drops the filter", _MANUAL, "- huffman drops a filter that costs it more than 3 %."),
    ("Explain the order of bits", _FORMAT, "- huffman fills a byte from its high bit down."),
    (
        "Answer: does it need a lot of memory?",
        _FAQ,
        "\n**How much memory does it need?** About three times the input.",
    ),
    ("Mention the deeper search in the news", _NEWS, "Level 9 searches deeper."),
    (
        "Say that figures go to stderr",
        _MANUAL,
        "- Figures and messages go to stderr; nothing goes to stdout.",
    ),
    ("Warn of old formats", _FORMAT, "- A packer reads only files of its own format."),
    ("Begin the news of 1.3", _NEWS, "\n## 1.3\nHuffman codes belong to one block each."),
    (
        "Answer: why did huffman's files grow?",
        _FAQ,
        "\n**Why did huffman's files grow in 1.3?** Each block has its own code now.",
    ),
    ("Say how to report a bug", _README, "\nA bug report with the file in question is worth ten without."),
    (
        "Explain why there is no default output",
        _MANUAL,
        "- There is no default name of the output, so nothing is overwritten by mistake.",
    ),
    (
        "Describe the four sums",
        _FORMAT,
        "- Without a checksum its place holds four sums, modulo 251, 241, 239 and 233.",
    ),
    ("Mention the new format in the news", _NEWS, "Files without a checksum hold small sums: format 2."),
    (
        "Answer: can 1.3 read files of 1.2?",
        _FAQ,
        "\n**Can 1.3 read files of 1.2?** Unpack them with 1.2 first.",
    ),
)

DOCUMENTATION = (
    quiet(
        Reason.DOCUMENTATION,
        "Tell contributors how we work",
        Create("docs/contributing.md", "# Contributing\n\nOne change a revision. Run `make test` first.\n"),
    ),
    quiet(
        Reason.DOCUMENTATION,
        "Say more about the best algorithm",
        Replace(
            "docs/faq.md",
            "For most files lz.",
            "For most files lz; for files full of runs rle; for noise none.",
        ),
    ),
    *(quiet(Reason.DOCUMENTATION, subject, Append(path, text + "\n")) for subject, path, text in _APPENDED),
)
