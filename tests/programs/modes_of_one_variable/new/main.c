#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile unsigned long sink;

static int mode, quiet;

static void hot(long n)
{
    for (long i = 0; i < n; ++i)
        sink += i;
}

int main(int argc, char **argv)
{
    int c;
    while ((c = getopt(argc, argv, "sfq")) != -1) {
        switch (c) {
        case 's':
            mode = 1;
            break;
        case 'f':
            mode = 2;
            break;
        case 'q':
            quiet = 1;
            break;
        default:
            fprintf(stderr, "unknown option\n");
            exit(2);
        }
    }
    long t = 1000;
    if (mode == 1)
        t = 9000;
    hot(t);
    if (!quiet)
        printf("done\n");
    printf("%lu\n", sink);
    return 0;
}
