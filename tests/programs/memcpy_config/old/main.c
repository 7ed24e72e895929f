#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile unsigned long sink;

struct config {
    int quiet;
    int strong;
    int wide;
};

static struct config parsed, used;

static void hot(long n)
{
    for (long i = 0; i < n; ++i)
        sink += i;
}

int main(int argc, char **argv)
{
    int c;
    while ((c = getopt(argc, argv, "qsw")) != -1) {
        switch (c) {
        case 'q':
            parsed.quiet = 1;
            break;
        case 's':
            parsed.strong = 1;
            break;
        case 'w':
            parsed.wide = 1;
            break;
        default:
            fprintf(stderr, "unknown option\n");
            exit(2);
        }
    }
    memcpy(&used, &parsed, sizeof used);
    long t = 1000;
    if (used.strong)
        t *= 4;
    if (used.wide)
        sink += 8;
    hot(t);
    if (!used.quiet)
        printf("done\n");
    printf("%lu\n", sink);
    return 0;
}
