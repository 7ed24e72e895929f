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
        {"strong", no_argument, NULL, 0},
        {"verbose", no_argument, NULL, 0},
        {NULL, 0, NULL, 0},
    };
    int c, row = 0;
    while ((c = getopt_long(argc, argv, "", longs, &row)) != -1) {
        if (c != 0)
            exit(2);
        if (row == 0) {
            strong = 1;
            n = 1000;
        } else {
            verbose = 1;
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
