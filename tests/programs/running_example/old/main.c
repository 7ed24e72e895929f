#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile unsigned long sink;
static int strong, verbose;

static long iterations_for(long quality)
{
    long iterations = quality * 2;
    if (strong)
        iterations *= iterations;
    return iterations;
}

static void compress(long iterations)
{
    for (long i = 0; i < iterations; ++i)
        for (int k = 0; k < 20; ++k)
            sink += k;
}

static void work(long quality)
{
    long iterations = iterations_for(quality);
    if (verbose)
        printf("Iterations: %ld\n", iterations);
    compress(iterations);
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
    work(50);
    printf("%lu\n", sink);
    return 0;
}
