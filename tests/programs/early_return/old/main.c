#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile unsigned long sink;
static int far, verbose;

static long hot(const long *values, long count, long wanted)
{
    for (long i = 0; i < count; ++i) {
        for (int k = 0; k < 4; ++k)
            sink += k;
        if (values[i] == wanted)
            return i;
    }
    return count;
}

int main(int argc, char **argv)
{
    int c;
    while ((c = getopt(argc, argv, "fv")) != -1) {
        switch (c) {
        case 'f':
            far = 1;
            break;
        case 'v':
            verbose = 1;
            break;
        default:
            fprintf(stderr, "unknown option\n");
            exit(2);
        }
    }
    static long values[9000];
    for (long i = 0; i < 9000; ++i)
        values[i] = i;
    long wanted = 1000;
    if (far)
        wanted *= 3;
    printf("%ld\n", hot(values, 9000, wanted));
    if (verbose)
        printf("done\n");
    return 0;
}
