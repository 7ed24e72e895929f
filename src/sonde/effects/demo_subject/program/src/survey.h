#ifndef SURVEY_H
#define SURVEY_H

#include "bytes.h"

/* What one look at the input tells. */
struct survey {
    size_t counts[256];
    size_t lines;
    size_t longest_line;
    size_t repeats; /* bytes that occurred a short while ago */
    int is_text;
};

void survey_input(const struct bytes *input, struct survey *survey);

#endif
