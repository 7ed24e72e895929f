#ifndef REPORT_H
#define REPORT_H

#include "bytes.h"
#include "filter.h"
#include "options.h"
#include "survey.h"

void report_input(const struct bytes *input, const struct survey *survey);
void report_packing(const struct options *options, struct filter filter, size_t before, size_t after);

#endif
