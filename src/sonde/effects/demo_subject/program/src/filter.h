#ifndef FILTER_H
#define FILTER_H

#include "bytes.h"
#include "survey.h"

enum filter_kind { FILTER_NONE, FILTER_CAPITALS, FILTER_DIFFERENCES };

struct filter {
    enum filter_kind kind;
    int stride; /* of the differences */
};

struct filter choose_filter(const struct bytes *input, const struct survey *survey);
void apply_filter(struct filter filter, const struct bytes *input, struct bytes *output);
int undo_filter(struct filter filter, const struct bytes *input, struct bytes *output);

#endif
