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

struct row {
    int values[3];
    int count;
};

static struct row rows[4][4];

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
    int *all = (int *)rows;
    for (int i = 0; i < 64; ++i)
        all[i] = 10;
    work(rows[1][2].count);
    if (verbose)
        printf("done\n");
    printf("%lu\n", sink);
    return 0;
}
