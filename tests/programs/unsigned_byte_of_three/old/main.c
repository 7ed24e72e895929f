#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile unsigned long sink;
static unsigned char level = 1;
static int verbose;

static void hot(long n)
{
    for (long i = 0; i < n; ++i)
        sink += i;
}

int main(int argc, char **argv)
{
    int c;
    while ((c = getopt(argc, argv, "lmhv")) != -1) {
        switch (c) {
        case 'l':
            level = 1;
            break;
        case 'm':
            level = 120;
            break;
        case 'h':
            level = 200;
            break;
        case 'v':
            verbose = 1;
            break;
        default:
            fprintf(stderr, "unknown option\n");
            exit(2);
        }
    }
    long t = 1000;
    if (level > 150)
        hot(t);
    hot(100);
    if (verbose)
        printf("done\n");
    printf("%lu\n", sink);
    return 0;
}
