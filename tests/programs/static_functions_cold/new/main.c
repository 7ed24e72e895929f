#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

unsigned long hot(int strong);
static int strong, verbose;

static long rounds(int strong_now)
{
    return strong_now ? 5 : 1;
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
    unsigned long found = hot(strong);
    if (verbose)
        printf("%ld\n", rounds(strong));
    printf("%lu\n", found);
    return 0;
}
