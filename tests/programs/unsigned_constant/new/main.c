#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile unsigned long sink;
static unsigned limit = -1;
static int strong, verbose;

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
            limit = atoi(optarg);
            break;
        default:
            fprintf(stderr, "unknown option\n");
            exit(2);
        }
    }
    if (strong && limit > 100)
        hot(8000);
    hot(100);
    if (verbose)
        printf("done\n");
    printf("%lu\n", sink);
    return 0;
}
