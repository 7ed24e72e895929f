#include "report.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const algorithm_names[] = {"lz", "rle", "huffman"};
static const char *const filter_names[] = {"none", "capitals", "differences"};

/* How many of the 65536 pairs of neighbours occur. */
static size_t count_pairs(const struct bytes *input)
{
    unsigned char *seen = calloc(65536, 1);
    size_t pairs = 0;

    if (!seen)
        return 0;
    for (size_t i = 1; i < input->count; i++) {
        unsigned pair = input->at[i - 1] << 8 | input->at[i];

        pairs += !seen[pair];
        seen[pair] = 1;
    }
    free(seen);
    return pairs;
}

void report_input(const struct bytes *input, const struct survey *survey)
{
    int kinds = 0;

    for (int byte = 0; byte < 256; byte++)
        kinds += survey->counts[byte] != 0;
    fprintf(stderr, "input: %zu bytes of %d kinds, %zu pairs\n", input->count, kinds, count_pairs(input));
    fprintf(stderr, "input: %zu repeated a short while later\n", survey->repeats);
    if (survey->is_text)
        fprintf(stderr, "input: text, %zu lines, the longest has %zu bytes\n", survey->lines, survey->longest_line);
}

void report_packing(const struct options *options, struct filter filter, size_t before, size_t after)
{
    fprintf(stderr, "filter: %s\n", filter_names[filter.kind]);
    fprintf(stderr, "algorithm: %s\n", algorithm_names[options->algorithm]);
    fprintf(stderr, "packed: %zu of %zu bytes\n", after, before);
}
