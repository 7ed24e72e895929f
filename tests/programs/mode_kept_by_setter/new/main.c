#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum style { ANY, PLAIN, WIDE, SIDE };

static volatile unsigned long sink;
static enum style style = WIDE;
static int quiet;

static void hot(long n)
{
    for (long i = 0; i < n; ++i)
        sink += i;
}

static void choose(enum style wanted)
{
    if (style < wanted)
        style = wanted;
}

int main(int argc, char **argv)
{
    int c;
    while ((c = getopt(argc, argv, "psq")) != -1) {
        switch (c) {
        case 'p':
            choose(PLAIN);
            break;
        case 's':
            choose(SIDE);
            break;
        case 'q':
            quiet = 1;
            break;
        default:
            exit(2);
        }
    }
    hot(1000);
    if (style == WIDE)
        hot(4000);
    if (!quiet)
        printf("%lu\n", sink);
    return 0;
}
