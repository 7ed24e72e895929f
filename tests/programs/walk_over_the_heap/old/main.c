#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile unsigned long sink;
static int strong, verbose;

static void hot(long n)
{
    for (long i = 0; i < n; ++i)
        sink += i;
}

static void work(long n)
{
    if (strong)
        hot(n * 9000);
    else
        hot(n * 3000);
}

struct settings {
    int count;
    int width;
};

static void fill(int *last, int n, int value)
{
    for (int i = 0; i < n; ++i)
        last[-i] = value;
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
    struct settings *settings = calloc(1, sizeof *settings);
    fill(&settings->width, 2, 10);
    work(settings->count);
    if (verbose)
        printf("done\n");
    printf("%lu\n", sink);
    return 0;
}
