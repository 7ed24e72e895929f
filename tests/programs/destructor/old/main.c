#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile unsigned long sink;
static int strong, verbose;
static long late;

static void hot(long n)
{
    for (long i = 0; i < n; ++i)
        sink += i;
}

__attribute__((destructor)) static void finish(void)
{
    if (strong)
        hot(late);
}

int main(int argc, char **argv)
{
    int c;
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
    late = 2000;
    if (verbose)
        printf("done\n");
    return 0;
}
