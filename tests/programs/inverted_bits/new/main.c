#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile unsigned long sink;
static int strong, verbose;
static int level = 1;

static void hot(long n)
{
    for (long i = 0; i < n; ++i)
        sink += i;
}

int main(int argc, char **argv)
{
    int c;
    while ((c = getopt(argc, argv, "svl:")) != -1) {
        switch (c) {
        case 's':
            strong = 1;
            break;
        case 'v':
            verbose = 1;
            break;
        case 'l':
            level = atoi(optarg);
            break;
        default:
            fprintf(stderr, "unknown option\n");
            exit(2);
        }
    }
    if (~level & 2)
        hot(8000);
    hot(1000);
    if (verbose)
        printf("done\n");
    printf("%lu\n", sink);
    return 0;
}
