"""Revisions that change only comments of the program, in the order of the story."""

from sonde.effects.demo_subject.edits import Replace
from sonde.effects.demo_subject.planned import Reason, quiet

_COMMENTS = (
    (
        "src/bytes.h",
        "/* A row of bytes that grows at its end. */",
        "/* A row of bytes that grows at its end; all zero is an empty row. */",
        "Say how a row of bytes begins",
    ),
    (
        "src/lz.c",
        "/* Where each hash occurred last, and before that. */",
        "/* Where each hash occurred last, and before that: one chain a hash. */",
        "Say what a chain is",
    ),
    (
        "src/pack.h",
        "void pack(",
        "/* Appends to the output; never fails. */\nvoid pack(",
        "Say that packing never fails",
    ),
    (
        "src/huffman.c",
        "/* Reads bits until they are a word of the code; -1 if they never are. */",
        "/* Reads bits until they are a word of the code; -1 if they never become one. */",
        "Mend a comment on words",
    ),
    (
        "src/code.h",
        "/* A prefix code: words are numbered in the order of length, then of byte. */",
        "/* A prefix code. Words count upwards in the order of length, then of byte. */",
        "Explain the order of words",
    ),
    (
        "src/options.h",
        "/* What the user asked for. */",
        "/* What the user asked for; unpacking heeds only action, input and output. */",
        "Say which options matter when unpacking",
    ),
    (
        "src/survey.c",
        "/* How far back a byte still counts as repeated. */",
        "/* How far back, in bytes, a byte still counts as repeated. */",
        "Give a distance its unit",
    ),
    (
        "src/rle.c",
        "repeats, plus 125.\n */",
        "repeats, plus 125:\n * a run of fewer than three bytes would gain nothing.\n */",
        "Explain the shortest run",
    ),
    (
        "src/tables.h",
        "/* Earlier places that the search of lz looks at, by level. */",
        "/* Earlier places that the search of lz looks at, by level; level 0 is not used. */",
        "Explain the first entry of a table",
    ),
    (
        "src/filter.c",
        "/* Stands before a letter that was a capital. */",
        "/* Stands before a letter that was a capital; texts hardly ever contain it. */",
        "Explain the mark of capitals",
    ),
    (
        "src/checksum.c",
        "#define POLYNOMIAL",
        "/* The usual one, its bits in reverse. */\n#define POLYNOMIAL",
        "Say which polynomial this is",
    ),
    (
        "src/dictionary.h",
        "/* Common words become two bytes each. */",
        "/* Common words become two bytes each; restoring fails, with -1, on a number without a word. */",
        "Say when restoring words fails",
    ),
    (
        "src/code.c",
        "/* Flatter counts give shorter words. */",
        "/* Flatter counts give shorter words; all equal, they give eight bits. */",
        "Say where flattening ends",
    ),
    (
        "src/main.c",
        "/* Unpacks what was just packed, and compares it with the input. */",
        "/* Unpacks what was just packed, and compares it with the input, byte by byte. */",
        "Be exact about --verify",
    ),
    (
        "src/lz.c",
        "/* The longest match among the first `depth` places of the chain. */",
        "/* The longest match among the first `depth` places of the chain; its length is 0 if none is. */",
        "Say what no match looks like",
    ),
    (
        "src/report.c",
        "/* How many of the 65536 pairs of neighbours occur. */",
        "/* How many of the 65536 pairs of neighbours occur; few pairs promise a small file. */",
        "Say why pairs are counted",
    ),
    (
        "src/filter.h",
        "struct filter {",
        "/* A filter, with all that undoing it needs. */\nstruct filter {",
        "Say what is in a filter",
    ),
    (
        "src/survey.h",
        "/* What one look at the input tells. */",
        "/* What one look at the input tells; the filters and the report live on it. */",
        "Say who uses the survey",
    ),
    (
        "src/bytes.c",
        "/* Doubles the room, so that a long row of puts stays cheap. */",
        "/* Doubles the room, so that a long row of puts stays cheap. Ends the program if there is none. */",
        "Say what happens without memory",
    ),
    (
        "src/tables.h",
        "/* Differences between neighbours at these distances are tried by the filter. */",
        "/* The filter tries differences between bytes that are so far apart. */",
        "Simplify a comment on strides",
    ),
    (
        "src/code.c",
        "/* How often we take a byte to occur that does not. */",
        "/* Added to all counts, so that no byte is without a word. */",
        "Correct a comment on rare bytes",
    ),
    (
        "src/huffman.c",
        "/* Each block has a code of its own, or keeps that of the block before. */",
        "/* Each block has a code of its own. A bit before it is left over from older files. */",
        "Follow the code in a comment on blocks",
    ),
    (
        "src/dictionary.c",
        "/* Words of prose and of logs, in the order of their letters. */",
        "/* Words of prose and of logs, in the order of their letters. New ones change the format. */",
        "Warn of new words",
    ),
    (
        "src/filter.c",
        "/* Text gets its capitals folded, all else becomes differences. */",
        "/* Text gets its capitals folded, all else becomes differences: numbers near zero. */",
        "Say why differences help",
    ),
)

COMMENTS = tuple(
    quiet(Reason.COMMENTS, subject, Replace(path, old, new)) for path, old, new, subject in _COMMENTS
)
