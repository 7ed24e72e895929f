#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static volatile unsigned long sink;
static int strong, verbose, other;

static void hot(long n)
{
    for (long i = 0; i < n; ++i)
        for (int k = 0; k < 50; ++k)
            sink += k;
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
            exit(2);
        }
    }
    int *where = argc > 100 ? &strong : &other;
    long n = 100;
    if (argc < 50) {
        *where = 0;
        n = 1500;
    }
    hot(n);
    if (strong)
        printf("strong\n");
    if (verbose)
        printf("done\n");
    printf("%lu\n", sink);
    return 0;
}
