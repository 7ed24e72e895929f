#ifndef DICTIONARY_H
#define DICTIONARY_H

#include "bytes.h"

/* Common words become two bytes each. */
void replace_words(const struct bytes *input, struct bytes *output);
int restore_words(const struct bytes *input, struct bytes *output);

#endif
