#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile unsigned long sink;
static int strong, pack, unpack;

static void hot(long n)
{
    for (long i = 0; i < n; ++i)
        sink += i;
}

static void usage(const char *why)
{
    fprintf(stderr, "usage: tool [-s] [-p | -u]: %s\n", why);
    exit(2);
}

int main(int argc, char **argv)
{
    int c;
    while ((c = getopt(argc, argv, "spu")) != -1) {
        switch (c) {
        case 's':
            strong = 1;
            break;
        case 'p':
            pack = 1;
            break;
        case 'u':
            unpack = 1;
            break;
        default:
            fprintf(stderr, "unknown option\n");
            exit(2);
        }
    }
    if (pack && unpack)
        usage("either pack or unpack");
    long t = 3000;
    if (strong)
        t *= 4;
    hot(t);
    printf("%lu\n", sink);
    return 0;
}
