#ifndef LZ_H
#define LZ_H

#include "bytes.h"
#include "options.h"

void lz_pack(const struct bytes *input, const struct options *options, struct bytes *output);
int lz_unpack(const struct bytes *input, struct bytes *output);

#endif
