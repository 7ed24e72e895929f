#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile unsigned long sink;
static int cached, verbose;
static int is_ready;

static void hot(long n)
{
    for (long i = 0; i < n; ++i)
        sink += i;
}

static void prepare(void)
{
    if (cached && is_ready)
        return;
    hot(2000);
    is_ready = 1;
}

int main(int argc, char **argv)
{
    int c;
    while ((c = getopt(argc, argv, "cv")) != -1) {
        switch (c) {
        case 'c':
            cached = 1;
            break;
        case 'v':
            verbose = 1;
            break;
        default:
            fprintf(stderr, "unknown option\n");
            exit(2);
        }
    }
    for (int round = 0; round < 5; ++round)
        prepare();
    if (verbose)
        printf("done\n");
    printf("%lu\n", sink);
    return 0;
}
