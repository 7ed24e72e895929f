#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile unsigned long sink;
static int mode, verbose;

static void hot(long n)
{
    for (long i = 0; i < n; ++i)
        sink += i;
}

int main(int argc, char **argv)
{
    int c;
    while ((c = getopt(argc, argv, "m:v")) != -1) {
        switch (c) {
        case 'm':
            mode = atoi(optarg);
            break;
        case 'v':
            verbose = 1;
            break;
        default:
            fprintf(stderr, "unknown option\n");
            exit(2);
        }
    }
    if (mode == 0)
        hot(100);
    else if (mode == 1)
        hot(200);
    else
        hot(1000);
    if (verbose)
        printf("done\n");
    printf("%lu\n", sink);
    return 0;
}
