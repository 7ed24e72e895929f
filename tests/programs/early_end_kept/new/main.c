#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile unsigned long sink;
static int quick, verbose;

static void hot(long n)
{
    for (long i = 0; i < n; ++i)
        sink += i;
}

int main(int argc, char **argv)
{
    int c;
    while ((c = getopt(argc, argv, "qv")) != -1) {
        switch (c) {
        case 'q':
            quick = 1;
            puts("this would be done");
            exit(0);
        case 'v':
            verbose = 1;
            break;
        default:
            fprintf(stderr, "unknown option\n");
            exit(2);
        }
    }
    hot(90000);
    if (verbose)
        printf("done\n");
    printf("%d %lu\n", quick, sink);
    return 0;
}
