#ifndef HUFFMAN_H
#define HUFFMAN_H

#include "bytes.h"

void huffman_pack(const struct bytes *input, struct bytes *output);
int huffman_unpack(const struct bytes *input, size_t size, struct bytes *output);

#endif
