#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

static volatile unsigned long sink;
static int strong, verbose;

static void hot(long n)
{
    for (long i = 0; i < n; ++i)
        for (int k = 0; k < 50; ++k)
            sink += k;
}

int main(int argc, char **argv)
{
    long n = 100;
    static const struct option longs[] = {
        {"strong", no_argument, NULL, 1000},
        {"verbose", no_argument, NULL, 1001},
        {NULL, 0, NULL, 0},
    };
    int c;
    while ((c = getopt_long_only(argc, argv, "", longs, NULL)) != -1) {
        switch (c) {
        case 1000:
            strong = 1;
            n = 1000;
            break;
        case 1001:
            verbose = 1;
            break;
        default:
            exit(2);
        }
    }
    hot(n);
    if (strong)
        printf("strong\n");
    if (verbose)
        printf("done\n");
    printf("%lu\n", sink);
    return 0;
}
