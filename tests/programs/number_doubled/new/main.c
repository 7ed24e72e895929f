#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile unsigned long sink;
static int level = 1, verbose;

static void hot(long n)
{
    for (long i = 0; i < n; ++i)
        sink += i;
}

int main(int argc, char **argv)
{
    int c;
    while ((c = getopt(argc, argv, "l:v")) != -1) {
        switch (c) {
        case 'l':
            level = atoi(optarg);
            break;
        case 'v':
            verbose = 1;
            break;
        default:
            fprintf(stderr, "unknown option\n");
            exit(2);
        }
    }
    if (level < 0)
        exit(2);
    int twice = level + level;
    if (twice > 15)
        hot(8000);
    hot(100);
    if (verbose)
        printf("done\n");
    printf("%lu\n", sink);
    return 0;
}
