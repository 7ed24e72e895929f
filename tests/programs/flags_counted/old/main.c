#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile unsigned long sink;

#define STRONG 0x01
#define FOLD 0x02
#define QUIET 0x04

static unsigned flags;

static void hot(long n)
{
    for (long i = 0; i < n; ++i)
        sink += i;
}

static int bits_of(unsigned value)
{
    int found = 0;
    for (; value; value >>= 1)
        found += value & 1;
    return found;
}

int main(int argc, char **argv)
{
    int c;
    while ((c = getopt(argc, argv, "sfq")) != -1) {
        switch (c) {
        case 's':
            flags |= STRONG;
            break;
        case 'f':
            flags |= FOLD;
            break;
        case 'q':
            flags |= QUIET;
            break;
        default:
            fprintf(stderr, "unknown option\n");
            exit(2);
        }
    }
    long t = 1000;
    if (bits_of(flags) > 1)
        t = 2000;
    hot(t);
    printf("%lu\n", sink);
    return 0;
}
