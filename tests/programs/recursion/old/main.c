#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile unsigned long sink;
static int twice, verbose;

static void hot(int depth)
{
    if (depth == 0)
        return;
    for (int i = 0; i < 200; ++i)
        sink += i;
    hot(depth - 1);
    if (twice)
        hot(depth - 1);
}

int main(int argc, char **argv)
{
    int c;
    while ((c = getopt(argc, argv, "tv")) != -1) {
        switch (c) {
        case 't':
            twice = 1;
            break;
        case 'v':
            verbose = 1;
            break;
        default:
            fprintf(stderr, "unknown option\n");
            exit(2);
        }
    }
    int depth = 4;
    hot(depth);
    if (verbose)
        printf("done\n");
    printf("%lu\n", sink);
    return 0;
}
