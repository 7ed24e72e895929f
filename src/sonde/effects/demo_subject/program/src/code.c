#include "code.h"

#include <string.h>

#define NODES 511
#define NONE (-1)

/* How often we take a byte to occur that does not. */
#define RARE 16

/* The lightest node that has no parent yet. */
static int lightest(const unsigned weights[NODES], const int parents[NODES], int count)
{
    int best = NONE;

    for (int node = 0; node < count; node++) {
        if (parents[node] == NONE && (best == NONE || weights[node] < weights[best]))
            best = node;
    }
    return best;
}

static int depth_of(const int parents[NODES], int node)
{
    int depth = 0;

    while (parents[node] != NONE) {
        node = parents[node];
        depth++;
    }
    return depth;
}

/* Joins the two lightest nodes until one is left; returns the longest word. */
static int grow_tree(const unsigned counts[256], unsigned char lengths[256])
{
    unsigned weights[NODES];
    int parents[NODES];
    int longest = 0;

    memcpy(weights, counts, 256 * sizeof weights[0]);
    for (int node = 0; node < NODES; node++)
        parents[node] = NONE;
    for (int count = 256; count < NODES; count++) {
        int left = lightest(weights, parents, count);
        int right;

        parents[left] = count;
        right = lightest(weights, parents, count);
        parents[right] = count;
        weights[count] = weights[left] + weights[right];
    }
    for (int byte = 0; byte < 256; byte++) {
        int depth = depth_of(parents, byte);

        lengths[byte] = (unsigned char)depth;
        if (depth > longest)
            longest = depth;
    }
    return longest;
}

void code_from_lengths(struct code *code)
{
    unsigned word = 0, index = 0;

    for (unsigned length = 1; length <= LONGEST_WORD; length++) {
        word <<= 1;
        code->first_word[length] = word;
        code->first_index[length] = index;
        for (int byte = 0; byte < 256; byte++) {
            if (code->length[byte] != length)
                continue;
            code->word[byte] = (unsigned short)word++;
            code->sorted[index++] = (unsigned char)byte;
        }
        code->words[length] = index - code->first_index[length];
    }
}

static void flatten(unsigned counts[256])
{
    for (int byte = 0; byte < 256; byte++)
        counts[byte] = (counts[byte] + 1) / 2;
}

void code_from_counts(struct code *code, const unsigned counts[256])
{
    unsigned flattened[256];

    /* Every byte gets a word, so that the next block can use the code as well. */
    for (int byte = 0; byte < 256; byte++)
        flattened[byte] = counts[byte] + RARE;
    /* Flatter counts give shorter words. */
    while (grow_tree(flattened, code->length) > LONGEST_WORD)
        flatten(flattened);
    code->bits = 0;
    for (int byte = 0; byte < 256; byte++)
        code->bits += (unsigned long)counts[byte] * code->length[byte];
    code_from_lengths(code);
}
