#include "options.h"

#include <stdio.h>
#include <string.h>

static int complain(const char *what, const char *word)
{
    fprintf(stderr, "packer: %s: %s\n", what, word);
    return -1;
}

static int parse_level(const char *digits, struct options *options)
{
    if (digits[0] < '1' || digits[0] > '9' || digits[1] != '\0')
        return complain("the level is a digit from 1 to 9", digits);
    options->level = digits[0] - '0';
    return 0;
}

static int parse_word(const char *word, struct options *options)
{
    if (strcmp(word, "--unpack") == 0)
        options->action = ACTION_UNPACK;
    else if (strcmp(word, "--verify") == 0)
        options->action = ACTION_VERIFY;
    else if (strcmp(word, "--lz") == 0)
        options->algorithm = ALGORITHM_LZ;
    else if (strcmp(word, "--rle") == 0)
        options->algorithm = ALGORITHM_RLE;
    else if (strcmp(word, "--huffman") == 0)
        options->algorithm = ALGORITHM_HUFFMAN;
    else if (strncmp(word, "--level=", 8) == 0)
        return parse_level(word + 8, options);
    else if (strcmp(word, "--checksum") == 0)
        options->checksum = 1;
    else if (strcmp(word, "--filter") == 0)
        options->filter = 1;
    else if (strcmp(word, "--verbose") == 0)
        options->verbose = 1;
    else
        return complain("unknown option", word);
    return 0;
}

int parse_options(int count, char **words, struct options *options)
{
    options->action = ACTION_PACK;
    options->algorithm = ALGORITHM_LZ;
    options->level = 5;

    for (int i = 1; i < count; i++) {
        if (strncmp(words[i], "--", 2) == 0) {
            if (parse_word(words[i], options) != 0)
                return -1;
        } else if (!options->input) {
            options->input = words[i];
        } else if (!options->output) {
            options->output = words[i];
        } else {
            return complain("one word too many", words[i]);
        }
    }
    if (!options->input || !options->output)
        return complain("usage", "packer [OPTIONS] INPUT OUTPUT");
    return 0;
}
