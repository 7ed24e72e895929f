#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile unsigned long sink;
static int feature;

static void hot(long n)
{
    for (long i = 0; i < n; ++i) {
        sink += i;
        if (feature)
            sink ^= n;
    }
}

int main(int argc, char **argv)
{
    int c;
    while ((c = getopt(argc, argv, "f")) != -1) {
        switch (c) {
        case 'f':
            feature = 1;
            break;
        default:
            fprintf(stderr, "unknown option\n");
            exit(2);
        }
    }
    long t = 4000;
    hot(t);
    printf("%lu\n", sink);
    return 0;
}
