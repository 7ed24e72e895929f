#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile unsigned long sink;
static int strong, verbose, statistics;
static long last;

static void hot(long n)
{
    for (long i = 0; i < n; ++i)
        sink += i;
}

int main(int argc, char **argv)
{
    int c;
    while ((c = getopt(argc, argv, "svt")) != -1) {
        switch (c) {
        case 's':
            strong = 1;
            break;
        case 'v':
            verbose = 1;
            break;
        case 't':
            statistics = 1;
            break;
        default:
            fprintf(stderr, "unknown option\n");
            exit(2);
        }
    }
    long t = 3000;
    if (strong)
        t *= 4;
    if (verbose)
        printf("%ld rounds\n", t);
    if (statistics)
        last = t;
    hot(t);
    if (statistics)
        printf("last %ld\n", last);
    printf("%lu\n", sink);
    return 0;
}
