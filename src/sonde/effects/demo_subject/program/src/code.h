#ifndef CODE_H
#define CODE_H

#define LONGEST_WORD 15

/* A prefix code: words are numbered in the order of length, then of byte. */
struct code {
    unsigned char length[256]; /* in bits */
    unsigned short word[256];
    unsigned long bits; /* of the block that it was made for */
    unsigned first_word[LONGEST_WORD + 1];
    unsigned first_index[LONGEST_WORD + 1];
    unsigned words[LONGEST_WORD + 1];
    unsigned char sorted[256];
};

void code_from_counts(struct code *code, const unsigned counts[256]);
void code_from_lengths(struct code *code);

#endif
