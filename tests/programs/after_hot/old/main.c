#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile unsigned long sink;
static int strong, total, average;

static long hot(long n)
{
    long found = 0;
    for (long i = 0; i < n; ++i)
        found += i & 7;
    return found;
}

int main(int argc, char **argv)
{
    int c;
    while ((c = getopt(argc, argv, "sta")) != -1) {
        switch (c) {
        case 's':
            strong = 1;
            break;
        case 't':
            total = 1;
            break;
        case 'a':
            average = 1;
            break;
        default:
            fprintf(stderr, "unknown option\n");
            exit(2);
        }
    }
    long t = 1000;
    if (strong)
        t *= 4;
    long found = hot(t);
    if (total)
        printf("%ld\n", found & 1);
    if (average)
        printf("%ld\n", found / t);
    return 0;
}
