#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static volatile unsigned long sink;
static int strong, verbose;
static int table[16];

static void work(void)
{
    for (int i = 0; i < 50; ++i)
        sink += i;
}

static void hot(long n)
{
    for (long i = 0; i < n; ++i)
        if (table[i % 16])
            work();
}

int main(int argc, char **argv)
{
    long n = 1500;
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
        for (int i = 0; i < 16; ++i)
            table[i] = !table[i];
    for (int i = 0; i < 1000; ++i)
        work();
    hot(n);
    if (verbose)
        printf("done\n");
    printf("%lu\n", sink);
    return 0;
}
