#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile unsigned long sink;
static int a, b, third_wanted;

static void first(long n)
{
    for (long i = 0; i < n; ++i)
        sink += i;
}

static void second(long n)
{
    for (long i = 0; i < n; ++i)
        sink |= i;
}

static void third(long n)
{
    for (long i = 0; i < n; ++i)
        sink -= i;
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
    long x = 7000;
    long y = 7000;
    long z = 7000;
    if (a)
        x += 1200;
    if (b)
        y += 1200;
    if (third_wanted)
        z += 100;
    first(x);
    second(y);
    third(z);
    printf("%lu\n", sink);
    return 0;
}
