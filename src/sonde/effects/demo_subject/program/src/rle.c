#include "rle.h"

/*
 * A control byte below 128 says how many literals follow, less one.
 * From 128 on it says how often the next byte repeats, plus 125.
 */
#define MOST_LITERALS 128
#define SHORTEST_RUN 3
#define LONGEST_RUN 130

static size_t run_at(const struct bytes *input, size_t start)
{
    size_t end = start + 1;

    while (end < input->count && end - start < LONGEST_RUN && input->at[end] == input->at[start])
        end++;
    return end - start;
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

void rle_pack(const struct bytes *input, struct bytes *output)
{
    size_t literals = 0, at = 0;

    while (at < input->count) {
        size_t run = run_at(input, at);

        if (run < SHORTEST_RUN) {
            at += run;
            continue;
        }
        put_literals(input, literals, at, output);
        bytes_put(output, (unsigned)run + 125);
        bytes_put(output, input->at[at]);
        at += run;
        literals = at;
    }
    put_literals(input, literals, at, output);
}

int rle_unpack(const struct bytes *input, struct bytes *output)
{
    size_t at = 0;

    while (at < input->count) {
        unsigned control = input->at[at++];

        if (control < 128) {
            if (input->count - at < control + 1)
                return -1;
            for (unsigned i = 0; i <= control; i++)
                bytes_put(output, input->at[at++]);
        } else {
            if (at == input->count)
                return -1;
            for (unsigned i = 0; i < control - 125; i++)
                bytes_put(output, input->at[at]);
            at++;
        }
    }
    return 0;
}
