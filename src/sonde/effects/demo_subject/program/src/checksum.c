#include "checksum.h"

#define POLYNOMIAL 0xEDB88320u

static void fill_table(uint32_t table[256])
{
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t rest = byte;

        for (int bit = 0; bit < 8; bit++)
            rest = rest & 1 ? rest >> 1 ^ POLYNOMIAL : rest >> 1;
        table[byte] = rest;
    }
}

/* CRC-32, one byte at a time. */
uint32_t checksum(const struct bytes *bytes)
{
    uint32_t table[256];
    uint32_t sum = 0xFFFFFFFFu;

    fill_table(table);
    for (size_t i = 0; i < bytes->count; i++)
        sum = sum >> 8 ^ table[(sum ^ bytes->at[i]) & 255];
    return ~sum;
}
