#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile unsigned long sink;

struct flags {
    unsigned quiet : 1;
    unsigned strong : 1;
    unsigned level : 3;
};

static struct flags flags;

static void hot(long n)
{
    for (long i = 0; i < n; ++i)
        sink += i;
}

int main(int argc, char **argv)
{
    int c;
    while ((c = getopt(argc, argv, "qs")) != -1) {
        switch (c) {
        case 'q':
            flags.quiet = 1;
            break;
        case 's':
            flags.strong = 1;
            break;
        default:
            fprintf(stderr, "unknown option\n");
            exit(2);
        }
    }
    long t = 1000;
    if (flags.strong)
        t *= 4;
    hot(t);
    if (!flags.quiet)
        printf("done\n");
    printf("%lu\n", sink);
    return 0;
}
