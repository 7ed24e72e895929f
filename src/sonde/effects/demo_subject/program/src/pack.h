#ifndef PACK_H
#define PACK_H

#include "bytes.h"
#include "options.h"

void pack(const struct bytes *input, const struct options *options, struct bytes *output);

/* Returns 0, or -1 after a message on stderr. */
int unpack(const struct bytes *input, struct bytes *output);

#endif
