#include "lz.h"

#include <stdio.h>
#include <stdlib.h>

#include "tables.h"
#include "window.h"

/*
 * A control byte below 128 says how many literals follow, less one.
 * From 128 to 254 it is the length of a match, plus 124; two bytes of
 * distance follow, the low one first. 255 is reserved.
 */
#define MOST_LITERALS 128
#define SHORTEST_MATCH 4
#define LONGEST_MATCH 130
#define HASHES 8192
#define NOWHERE (-1)

/* Where each hash occurred last, and before that. */
struct chains {
    int newest[HASHES];
    int earlier[WINDOW_BYTES];
};

struct match {
    size_t length;
    size_t distance;
};

static unsigned hash_at(const unsigned char *at)
{
    unsigned four = at[0] | at[1] << 8 | at[2] << 16 | (unsigned)at[3] << 24;

    return four * 2654435761u >> 19;
}

static void remember(struct chains *chains, const struct bytes *input, size_t at)
{
    unsigned hash;

    if (at + SHORTEST_MATCH > input->count)
        return;
    hash = hash_at(input->at + at);
    chains->earlier[at % WINDOW_BYTES] = chains->newest[hash];
    chains->newest[hash] = (int)at;
}

static size_t common_length(const struct bytes *input, size_t left, size_t right)
{
    size_t length = 0;

    while (length < LONGEST_MATCH && right + length < input->count
           && input->at[left + length] == input->at[right + length])
        length++;
    return length;
}

/* The longest match among the first `depth` places of the chain. */
static struct match find_match(const struct chains *chains, const struct bytes *input, size_t at, int depth)
{
    struct match best = {0, 0};
    int place;

    if (at + SHORTEST_MATCH > input->count)
        return best;
    place = chains->newest[hash_at(input->at + at)];
    while (place != NOWHERE && at - (size_t)place < WINDOW_BYTES && depth-- > 0) {
        size_t length = common_length(input, (size_t)place, at);

        if (length > best.length) {
            best.length = length;
            best.distance = at - (size_t)place;
        }
        place = chains->earlier[place % WINDOW_BYTES];
    }
    if (best.length < SHORTEST_MATCH)
        best.length = 0;
    return best;
}

static void put_literals(const struct bytes *input, size_t start, size_t end, struct bytes *output)
{
    while (start < end) {
        size_t part = end - start < MOST_LITERALS ? end - start : MOST_LITERALS;

        bytes_put(output, (unsigned)part - 1);
        for (size_t i = 0; i < part; i++)
            bytes_put(output, input->at[start + i]);
        start += part;
    }
}

static void put_match(struct match match, struct bytes *output)
{
    bytes_put(output, (unsigned)match.length + 124);
    bytes_put(output, (unsigned)match.distance & 255);
    bytes_put(output, (unsigned)match.distance >> 8);
}

static struct chains *new_chains(void)
{
    struct chains *chains = malloc(sizeof *chains);

    if (!chains) {
        fprintf(stderr, "packer: out of memory\n");
        exit(3);
    }
    for (int i = 0; i < HASHES; i++)
        chains->newest[i] = NOWHERE;
    return chains;
}

void lz_pack(const struct bytes *input, const struct options *options, struct bytes *output)
{
    struct chains *chains = new_chains();
    int depth = search_depth[options->level];
    size_t literals = 0, at = 0;

    while (at < input->count) {
        struct match match = find_match(chains, input, at, depth);

        if (match.length == 0) {
            remember(chains, input, at++);
            continue;
        }
        put_literals(input, literals, at, output);
        put_match(match, output);
        for (size_t i = 0; i < match.length; i++)
            remember(chains, input, at++);
        literals = at;
    }
    put_literals(input, literals, at, output);
    free(chains);
}

static int copy_match(struct window *window, unsigned length, unsigned distance, struct bytes *output)
{
    for (unsigned i = 0; i < length; i++) {
        int byte = window_get(window, distance);

        if (byte < 0)
            return -1;
        window_put(window, (unsigned char)byte);
        bytes_put(output, (unsigned)byte);
    }
    return 0;
}

int lz_unpack(const struct bytes *input, struct bytes *output)
{
    static struct window window;
    size_t at = 0;

    while (at < input->count) {
        unsigned control = input->at[at++];

        if (control < 128) {
            if (input->count - at < control + 1)
                return -1;
            for (unsigned i = 0; i <= control; i++) {
                window_put(&window, input->at[at]);
                bytes_put(output, input->at[at++]);
            }
        } else {
            if (control == 255 || input->count - at < 2)
                return -1;
            if (copy_match(&window, control - 124, input->at[at] | input->at[at + 1] << 8, output) != 0)
                return -1;
            at += 2;
        }
    }
    return 0;
}
