/* Options come first. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile unsigned long sink;
static int strong, verbose;

/* The loop that takes the time. */
static void hot(long count)
{
    for (long at = 0; at < count; ++at) {
        sink += at;
    }
}

int main(int argc, char **argv)
{
    int c;
    while ((c = getopt(argc, argv, "sv")) != -1) {
        switch (c) {
        case 's':
            strong = 1;
            break;
        case 'v':
            verbose = 1;
            break;
        default:
            fprintf(stderr, "unknown option\n");
            exit(2);
        }
    }

    long rounds = 2000;
    if (strong) { rounds *= 3; }
    for (int k = 0; k < 2; ++k) {
        hot(rounds);
    }
    if (verbose)
        printf("done\n");
    printf("%lu\n", sink);
    return 0;
}
