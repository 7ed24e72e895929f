#include "survey.h"

#include <string.h>

/* How far back a byte still counts as repeated. */
#define SHORT_WHILE 64

static int is_printable(unsigned char byte)
{
    return (byte >= 32 && byte < 127) || byte == '\n' || byte == '\t';
}

/* Counts bytes, lines and repeats, and tells text from other data. */
void survey_input(const struct bytes *input, struct survey *survey)
{
    size_t last[256];
    size_t line_start = 0, strange = 0;

    memset(survey, 0, sizeof *survey);
    memset(last, 0, sizeof last);
    for (size_t i = 0; i < input->count; i++) {
        unsigned char byte = input->at[i];

        survey->counts[byte]++;
        if (last[byte] && i + 1 - last[byte] < SHORT_WHILE)
            survey->repeats++;
        last[byte] = i + 1;
        if (!is_printable(byte))
            strange++;
        if (byte == '\n') {
            if (i - line_start > survey->longest_line)
                survey->longest_line = i - line_start;
            line_start = i + 1;
            survey->lines++;
        }
    }
    survey->is_text = strange * 20 <= input->count;
}
