#include "dictionary.h"

/* Words of prose and of logs, in the order of their letters. */
static const char *const words[] = {
    "accepted from ", "because ", "connection ", "holds all ", "request for ", "until the next ", "worker ",
};
#define WORDS (sizeof words / sizeof words[0])

/* Stands before the number of a word, plus one, or before 0 if the byte itself is meant. */
#define MARK 2

static int begins_with(const struct bytes *input, size_t at, const char *word)
{
    while (*word && at < input->count && input->at[at] == (unsigned char)*word) {
        word++;
        at++;
    }
    return *word == '\0';
}

/* The number of the word that begins here, or WORDS. */
static unsigned find_word(const struct bytes *input, size_t at)
{
    unsigned number = 0;

    while (number < WORDS && !begins_with(input, at, words[number]))
        number++;
    return number;
}

void replace_words(const struct bytes *input, struct bytes *output)
{
    size_t at = 0;

    while (at < input->count) {
        unsigned number = find_word(input, at);

        if (number < WORDS) {
            bytes_put(output, MARK);
            bytes_put(output, number + 1);
            for (const char *letter = words[number]; *letter; letter++)
                at++;
            continue;
        }
        bytes_put(output, input->at[at]);
        if (input->at[at++] == MARK)
            bytes_put(output, 0);
    }
}

int restore_words(const struct bytes *input, struct bytes *output)
{
    for (size_t at = 0; at < input->count; at++) {
        unsigned number;

        if (input->at[at] != MARK) {
            bytes_put(output, input->at[at]);
            continue;
        }
        if (++at == input->count || input->at[at] > WORDS)
            return -1;
        number = input->at[at];
        if (number == 0)
            bytes_put(output, MARK);
        else
            for (const char *letter = words[number - 1]; *letter; letter++)
                bytes_put(output, (unsigned char)*letter);
    }
    return 0;
}
