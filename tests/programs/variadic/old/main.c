#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile unsigned long sink;
static int strong, verbose;
static long limit, width;

static void hot(long n)
{
    for (long i = 0; i < n; ++i)
        sink += i;
}

enum what { LIMIT, WIDTH };

static void set(enum what what, ...)
{
    va_list given;
    va_start(given, what);
    if (what == LIMIT)
        limit = va_arg(given, long);
    else
        width = va_arg(given, int);
    va_end(given);
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
    set(LIMIT, 1000L);
    set(WIDTH, 80);
    if (strong)
        limit *= 4;
    hot(limit);
    if (verbose)
        printf("%ld\n", width);
    printf("%lu\n", sink);
    return 0;
}
