#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile unsigned long sink;
static int strong, verbose;

struct sizes {
    long small;
    long large;
};

static void hot(long n)
{
    for (long i = 0; i < n; ++i)
        sink += i;
}

static long chosen(const struct sizes *sizes)
{
    return strong ? sizes->large : sizes->small;
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
    struct sizes sizes = {100, 1000};
    hot(chosen(&sizes));
    if (verbose)
        printf("done\n");
    printf("%lu\n", sink);
    return 0;
}
