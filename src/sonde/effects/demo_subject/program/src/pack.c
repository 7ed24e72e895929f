#include "pack.h"

#include <stdint.h>
#include <stdio.h>

#include "checksum.h"
#include "filter.h"
#include "huffman.h"
#include "lz.h"
#include "report.h"
#include "rle.h"
#include "survey.h"

#define FORMAT 1
#define HEADER_BYTES 20

static void put_number(struct bytes *output, uint32_t number)
{
    for (int shift = 0; shift < 32; shift += 8)
        bytes_put(output, number >> shift & 255);
}

static uint32_t get_number(const unsigned char *at)
{
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static void put_header(const struct bytes *input, const struct options *options, struct filter filter,
                       size_t filtered, struct bytes *output)
{
    bytes_put(output, 'P');
    bytes_put(output, 'K');
    bytes_put(output, 'R');
    bytes_put(output, FORMAT);
    bytes_put(output, options->algorithm);
    bytes_put(output, filter.kind);
    bytes_put(output, (unsigned)filter.stride);
    bytes_put(output, (unsigned)options->checksum);
    put_number(output, (uint32_t)input->count);
    put_number(output, (uint32_t)filtered);
    put_number(output, options->checksum ? checksum(input) : 0);
}

/* Survey, filter, header, algorithm: in this order. */
void pack(const struct bytes *input, const struct options *options, struct bytes *output)
{
    struct survey survey;
    struct filter filter = {FILTER_NONE, 0};
    struct bytes filtered = {0};

    survey_input(input, &survey);
    if (options->verbose)
        report_input(input, &survey);
    if (options->filter)
        filter = choose_filter(input, &survey);
    apply_filter(filter, input, &filtered);
    put_header(input, options, filter, filtered.count, output);
    if (options->algorithm == ALGORITHM_RLE)
        rle_pack(&filtered, output);
    else if (options->algorithm == ALGORITHM_HUFFMAN)
        huffman_pack(&filtered, output);
    else
        lz_pack(&filtered, options, output);
    if (options->verbose)
        report_packing(options, filter, input->count, output->count);
    bytes_free(&filtered);
}

static int fail(const char *why)
{
    fprintf(stderr, "packer: %s\n", why);
    return -1;
}

static int unpack_payload(const struct bytes *payload, unsigned algorithm, size_t size, struct bytes *output)
{
    if (algorithm == ALGORITHM_RLE)
        return rle_unpack(payload, output);
    if (algorithm == ALGORITHM_HUFFMAN)
        return huffman_unpack(payload, size, output);
    if (algorithm == ALGORITHM_LZ)
        return lz_unpack(payload, output);
    return -1;
}

int unpack(const struct bytes *input, struct bytes *output)
{
    struct bytes filtered = {0}, payload = *input;
    struct filter filter;
    const unsigned char *header = input->at;
    int result;

    if (input->count < HEADER_BYTES || header[0] != 'P' || header[1] != 'K' || header[2] != 'R')
        return fail("this is not a packed file");
    if (header[3] != FORMAT)
        return fail("this file has another format");
    filter.kind = (enum filter_kind)header[5];
    filter.stride = header[6];
    payload.at += HEADER_BYTES;
    payload.count -= HEADER_BYTES;
    result = unpack_payload(&payload, header[4], get_number(header + 12), &filtered);
    if (result == 0 && filtered.count == get_number(header + 12))
        result = undo_filter(filter, &filtered, output);
    bytes_free(&filtered);
    if (result != 0 || output->count != get_number(header + 8))
        return fail("this file is damaged");
    if (header[7] && checksum(output) != get_number(header + 16))
        return fail("the checksum differs");
    return 0;
}
