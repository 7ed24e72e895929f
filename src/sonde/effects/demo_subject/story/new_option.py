"""The revision in which the option `dictionary` appears."""

from importlib.resources import files

from sonde.effects.demo_subject.edits import Create, Replace
from sonde.effects.demo_subject.planned import PlannedRevision, Quiet, Reason


def _added(path: str) -> Create:
    return Create(path, (files("sonde.effects.demo_subject") / "additions" / path).read_text("utf-8"))


DICTIONARY = PlannedRevision(
    "Add --dictionary, which knows common words",
    Quiet(Reason.NEW_OPTION),
    (
        _added("src/dictionary.h"),
        _added("src/dictionary.c"),
        Replace(
            "src/options.h",
            "    int filter;   /* make",
            "    int dictionary; /* replace common words, for lz */\n    int filter;   /* make",
        ),
        Replace(
            "src/options.c",
            '    else if (strcmp(word, "--filter") == 0)\n',
            '    else if (strcmp(word, "--dictionary") == 0)\n'
            "        options->dictionary = 1;\n"
            '    else if (strcmp(word, "--filter") == 0)\n',
        ),
        Replace(
            "src/options.c",
            "    if (!options->input || !options->output)\n",
            "    if (options->dictionary && options->algorithm != ALGORITHM_LZ)\n"
            '        return complain("only lz gains by", "--dictionary");\n'
            "    if (options->dictionary && options->filter)\n"
            '        return complain("--filter would hide the words from the", "--dictionary");\n'
            "    if (!options->input || !options->output)\n",
        ),
        Replace("src/filter.h", "FILTER_DIFFERENCES }", "FILTER_DIFFERENCES, FILTER_WORDS }"),
        Replace("src/filter.c", '#include "tables.h"\n', '#include "dictionary.h"\n#include "tables.h"\n'),
        Replace(
            "src/filter.c",
            "        take_differences(input, (size_t)filter.stride, output);\n    else\n",
            "        take_differences(input, (size_t)filter.stride, output);\n"
            "    else if (filter.kind == FILTER_WORDS)\n"
            "        replace_words(input, output);\n"
            "    else\n",
        ),
        Replace(
            "src/filter.c",
            "        return unfold_capitals(input, output);\n",
            "        return unfold_capitals(input, output);\n"
            "    if (filter.kind == FILTER_WORDS)\n"
            "        return restore_words(input, output);\n",
        ),
        Replace(
            "src/pack.c",
            "    apply_filter(filter, input, &filtered);\n",
            "    if (options->dictionary)\n"
            "        filter.kind = FILTER_WORDS;\n"
            "    apply_filter(filter, input, &filtered);\n",
        ),
        Replace("src/report.c", '"differences"}', '"differences", "words"}'),
    ),
    body="The words are those of our own logs. The other filters would hide them, and only lz gains by them.",
)
