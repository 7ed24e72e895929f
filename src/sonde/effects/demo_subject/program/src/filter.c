#include "filter.h"

#include <stdlib.h>

#include "tables.h"

/* Stands before a letter that was a capital. */
#define CAPITAL 1

/* Smaller is better: the sum of all differences at this stride. */
static size_t roughness(const struct bytes *input, size_t stride)
{
    size_t sum = 0;

    for (size_t i = stride; i < input->count; i++)
        sum += (size_t)abs((signed char)(input->at[i] - input->at[i - stride]));
    return sum;
}

static int best_stride(const struct bytes *input)
{
    int best = filter_strides[0];
    size_t least = (size_t)-1;

    for (int i = 0; i < filter_stride_count; i++) {
        size_t sum = roughness(input, (size_t)filter_strides[i]);

        if (sum < least) {
            least = sum;
            best = filter_strides[i];
        }
    }
    return best;
}

/* Text gets its capitals folded, all else becomes differences. */
struct filter choose_filter(const struct bytes *input, const struct survey *survey)
{
    struct filter filter = {FILTER_CAPITALS, 0};

    if (!survey->is_text) {
        filter.kind = FILTER_DIFFERENCES;
        filter.stride = best_stride(input);
    }
    return filter;
}

static void fold_capitals(const struct bytes *input, struct bytes *output)
{
    for (size_t i = 0; i < input->count; i++) {
        unsigned char byte = input->at[i];

        if (byte >= 'A' && byte <= 'Z') {
            bytes_put(output, CAPITAL);
            byte = (unsigned char)(byte - 'A' + 'a');
        } else if (byte == CAPITAL) {
            bytes_put(output, CAPITAL);
        }
        bytes_put(output, byte);
    }
}

static int unfold_capitals(const struct bytes *input, struct bytes *output)
{
    for (size_t i = 0; i < input->count; i++) {
        unsigned char byte = input->at[i];

        if (byte == CAPITAL) {
            if (++i == input->count)
                return -1;
            byte = input->at[i];
            if (byte >= 'a' && byte <= 'z')
                byte = (unsigned char)(byte - 'a' + 'A');
        }
        bytes_put(output, byte);
    }
    return 0;
}

static void take_differences(const struct bytes *input, size_t stride, struct bytes *output)
{
    for (size_t i = 0; i < input->count; i++)
        bytes_put(output, input->at[i] - (i < stride ? 0u : input->at[i - stride]));
}

static void add_differences(const struct bytes *input, size_t stride, struct bytes *output)
{
    for (size_t i = 0; i < input->count; i++)
        bytes_put(output, input->at[i] + (i < stride ? 0u : output->at[i - stride]));
}

void apply_filter(struct filter filter, const struct bytes *input, struct bytes *output)
{
    if (filter.kind == FILTER_CAPITALS)
        fold_capitals(input, output);
    else if (filter.kind == FILTER_DIFFERENCES)
        take_differences(input, (size_t)filter.stride, output);
    else
        bytes_copy(output, input);
}

int undo_filter(struct filter filter, const struct bytes *input, struct bytes *output)
{
    if (filter.kind == FILTER_CAPITALS)
        return unfold_capitals(input, output);
    if (filter.kind == FILTER_DIFFERENCES)
        add_differences(input, (size_t)filter.stride, output);
    else
        bytes_copy(output, input);
    return 0;
}
