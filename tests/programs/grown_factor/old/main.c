#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile unsigned long sink;
static int strong, wide, counting, verbose;

static void hot(long n)
{
    for (long i = 0; i < n; ++i)
        sink += i;
}

int main(int argc, char **argv)
{
    int c;
    while ((c = getopt(argc, argv, "swcv")) != -1) {
        switch (c) {
        case 's':
            strong = 1;
            break;
        case 'w':
            wide = 1;
            break;
        case 'c':
            counting = 1;
            break;
        case 'v':
            verbose = 1;
            break;
        default:
            fprintf(stderr, "unknown option\n");
            exit(2);
        }
    }
    long factor = optind > 0 ? 3 : 2, width = factor + 20, letters = 0;
    if (strong)
        factor *= 2;
    if (wide)
        factor = width;
    for (const char *at = argv[0]; *at; ++at)
        if (counting)
            letters += *at != '/';
    hot(factor * 1000);
    if (verbose)
        printf("%ld times\n", factor);
    printf("%lu %ld\n", sink, letters);
    return 0;
}
