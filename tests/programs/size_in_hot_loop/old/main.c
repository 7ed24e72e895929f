#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile unsigned long sink;
static int strong, verbose;
static char from[4000], to[4000];

static void work(void)
{
    for (int i = 0; i < 50; ++i)
        sink += i;
}

static void hot(long n, size_t size)
{
    for (long i = 0; i < n; ++i)
        memcpy(to, from, size);
}

int main(int argc, char **argv)
{
    size_t size = 4;
    long n = 1000;
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
    if (strong)
        size = sizeof from;
    for (int i = 0; i < 1000; ++i)
        work();
    hot(n, size);
    if (verbose)
        printf("done\n");
    printf("%lu %d\n", sink, to[1]);
    return 0;
}
