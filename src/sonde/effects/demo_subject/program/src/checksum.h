#ifndef CHECKSUM_H
#define CHECKSUM_H

#include <stdint.h>

#include "bytes.h"

uint32_t checksum(const struct bytes *bytes);

#endif
