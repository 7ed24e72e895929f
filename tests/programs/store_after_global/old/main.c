#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile unsigned long sink;
static int strong, reset;
static long t;

static void hot(long n)
{
    for (long i = 0; i < n; ++i)
        sink += i;
}

int main(int argc, char **argv)
{
    int c;
    while ((c = getopt(argc, argv, "sr")) != -1) {
        switch (c) {
        case 's':
            strong = 1;
            break;
        case 'r':
            reset = 1;
            break;
        default:
            fprintf(stderr, "unknown option\n");
            exit(2);
        }
    }
    t = 1000;
    if (strong)
        t *= 4;
    hot(t);
    if (reset)
        t /= 2;
    printf("%d\n", t > 0);
    printf("%lu\n", sink);
    return 0;
}
