#include "tables.h"

/* level:                     0  1  2  3  4  5  6  7   8   9 */
const int search_depth[10] = {0, 2, 3, 4, 5, 6, 7, 8, 10, 12};

const int filter_strides[] = {1, 2, 3, 4};
const int filter_stride_count = sizeof filter_strides / sizeof filter_strides[0];
