#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile unsigned long sink;
static int mode = 1;
static int verbose;

static void hot(long n)
{
    for (long i = 0; i < n; ++i)
        sink += i;
}

int main(int argc, char **argv)
{
    int c;
    while ((c = getopt(argc, argv, "fv")) != -1) {
        switch (c) {
        case 'f':
            mode = 3;
            break;
        case 'v':
            verbose = 1;
            break;
        default:
            fprintf(stderr, "unknown option\n");
            exit(2);
        }
    }
    if (1u << mode & 0x18)
        hot(1000);
    hot(100);
    if (verbose)
        printf("done\n");
    printf("%lu\n", sink);
    return 0;
}
