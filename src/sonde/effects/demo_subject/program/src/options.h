#ifndef OPTIONS_H
#define OPTIONS_H

enum action { ACTION_PACK, ACTION_UNPACK, ACTION_VERIFY };
enum algorithm { ALGORITHM_LZ, ALGORITHM_RLE, ALGORITHM_HUFFMAN };

/* What the user asked for. */
struct options {
    enum action action;
    enum algorithm algorithm;
    int level;    /* 1 is fast, 9 is thorough */
    int checksum; /* store a CRC of the input */
    int filter;   /* make the input easier to pack */
    int verbose;  /* print figures on stderr */
    const char *input;
    const char *output;
};

/* Returns 0, or -1 after a message on stderr. */
int parse_options(int count, char **words, struct options *options);

#endif
