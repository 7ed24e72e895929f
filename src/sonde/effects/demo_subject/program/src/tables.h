#ifndef TABLES_H
#define TABLES_H

/* Earlier places that the search of lz looks at, by level. */
extern const int search_depth[10];

/* Differences between neighbours at these distances are tried by the filter. */
extern const int filter_strides[];
extern const int filter_stride_count;

#endif
