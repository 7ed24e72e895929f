#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static volatile unsigned long sink;
static int strong, verbose;

static void hot(void)
{
    for (int i = 0; i < 50; ++i)
        sink += i;
}

int main(int argc, char **argv)
{
    int c, limit = 10;
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
    for (int i = 0; i < 1000; ++i) {
        int near = i / 4;
        int is_wanted = near < limit && i % 2;
        if (is_wanted)
            hot();
    }
    if (verbose)
        printf("done\n");
    printf("%lu\n", sink);
    return 0;
}
