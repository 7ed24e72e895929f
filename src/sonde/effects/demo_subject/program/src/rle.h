#ifndef RLE_H
#define RLE_H

#include "bytes.h"

void rle_pack(const struct bytes *input, struct bytes *output);
int rle_unpack(const struct bytes *input, struct bytes *output);

#endif
