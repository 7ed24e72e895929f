#include "huffman.h"

#include <string.h>

#include "code.h"

/* Each block has a code of its own, or keeps that of the block before. */
#define BLOCK_BYTES 32768
#define NEW_CODE 1
#define SAME_CODE 0

struct bits {
    struct bytes *output;
    unsigned long waiting;
    int count;
};

static void put_bits(struct bits *bits, unsigned value, int count)
{
    bits->waiting = bits->waiting << count | value;
    bits->count += count;
    while (bits->count >= 8) {
        bits->count -= 8;
        bytes_put(bits->output, (unsigned)(bits->waiting >> bits->count) & 255);
    }
}

static void count_bytes(const unsigned char *block, size_t size, unsigned counts[256])
{
    memset(counts, 0, 256 * sizeof counts[0]);
    for (size_t i = 0; i < size; i++)
        counts[block[i]]++;
}

/* Whether the code of another block wastes less than one bit in sixteen here. */
static int still_fits(const struct code *code, const unsigned counts[256], size_t size)
{
    unsigned long bits = 0;

    for (int byte = 0; byte < 256; byte++)
        bits += (unsigned long)counts[byte] * code->length[byte];
    return bits * BLOCK_BYTES <= code->bits * size / 16 * 17;
}

static void put_code(struct bits *bits, const struct code *code)
{
    for (int byte = 0; byte < 256; byte++)
        put_bits(bits, code->length[byte], 4);
}

void huffman_pack(const struct bytes *input, struct bytes *output)
{
    struct bits bits = {output, 0, 0};
    struct code code = {0};
    unsigned counts[256];

    for (size_t start = 0; start < input->count; start += BLOCK_BYTES) {
        const unsigned char *block = input->at + start;
        size_t size = input->count - start < BLOCK_BYTES ? input->count - start : BLOCK_BYTES;
        int same = 0;

        count_bytes(block, size, counts);
        if (start > 0 && still_fits(&code, counts, size))
            same = 1;
        put_bits(&bits, same ? SAME_CODE : NEW_CODE, 1);
        if (!same) {
            code_from_counts(&code, counts);
            put_code(&bits, &code);
        }
        for (size_t i = 0; i < size; i++)
            put_bits(&bits, code.word[block[i]], code.length[block[i]]);
    }
    put_bits(&bits, 0, 7);
}

struct source {
    const struct bytes *input;
    size_t bit;
};

static unsigned get_bit(struct source *source)
{
    size_t byte = source->bit / 8;
    unsigned shift = 7 - source->bit % 8;

    source->bit++;
    return byte < source->input->count ? source->input->at[byte] >> shift & 1 : 0;
}

static unsigned get_bits(struct source *source, int count)
{
    unsigned value = 0;

    while (count-- > 0)
        value = value << 1 | get_bit(source);
    return value;
}

static void get_code(struct source *source, struct code *code)
{
    for (int byte = 0; byte < 256; byte++)
        code->length[byte] = (unsigned char)get_bits(source, 4);
    code_from_lengths(code);
}

/* Reads bits until they are a word of the code; -1 if they never are. */
static int get_byte(struct source *source, const struct code *code)
{
    unsigned word = 0;

    for (int length = 1; length <= LONGEST_WORD; length++) {
        word = word << 1 | get_bit(source);
        if (word - code->first_word[length] < code->words[length])
            return code->sorted[code->first_index[length] + word - code->first_word[length]];
    }
    return -1;
}

int huffman_unpack(const struct bytes *input, size_t size, struct bytes *output)
{
    struct source source = {input, 0};
    struct code code = {0};

    for (size_t done = 0; done < size; done++) {
        int byte;

        if (done % BLOCK_BYTES == 0 && get_bits(&source, 1) == NEW_CODE)
            get_code(&source, &code);
        byte = get_byte(&source, &code);
        if (byte < 0)
            return -1;
        bytes_put(output, (unsigned)byte);
    }
    return 0;
}
