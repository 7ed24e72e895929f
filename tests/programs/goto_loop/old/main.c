#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile unsigned long sink;
static int strong, verbose;

static void hot(long n)
{
    long i = 0;
again:
    if (i >= n)
        goto done;
    sink += i;
    ++i;
    goto again;
done:
    sink ^= 1;
}

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
    long t = 1000;
    if (!strong)
        goto work;
    t *= 4;
work:
    hot(t);
    if (verbose)
        printf("done\n");
    printf("%lu\n", sink);
    return 0;
}
