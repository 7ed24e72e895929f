#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile unsigned long sink;
static int a, b, third_wanted;
static long kept; /* what the first leaves to the second */

static void first(long x)
{
    for (long i = 0; i < 2000; ++i)
        sink += i;
    kept = x;
}

static void second(long y)
{
    long n = 2000 + kept * y;
    for (long i = 0; i < n; ++i)
        sink ^= i;
}

static void third(long n)
{
    for (long i = 0; i < n; ++i)
        sink += i ^ (sink >> 1);
}

int main(int argc, char **argv)
{
    int letter;
    while ((letter = getopt(argc, argv, "abc")) != -1) {
        switch (letter) {
        case 'a':
            a = 1;
            break;
        case 'b':
            b = 1;
            break;
        case 'c':
            third_wanted = 1;
            break;
        default:
            fprintf(stderr, "unknown option\n");
            exit(2);
        }
    }
    long x = 0;
    long y = 0;
    long z = 2000;
    if (a)
        x *= 2;
    if (b)
        x *= 3;
    first(x);
    second(y);
    if (third_wanted)
        third(z);
    printf("%lu\n", sink);
    return 0;
}
