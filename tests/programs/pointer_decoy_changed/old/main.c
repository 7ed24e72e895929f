#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile unsigned long sink;
static int mode, loud;

static void plain(long n)
{
    for (long i = 0; i < n; ++i)
        sink += i;
}

static void best(long n)
{
    for (long i = 0; i < 4 * n; ++i)
        sink ^= sink << 1 ^ i;
}

static void whisper(long n)
{
    sink += n & 1;
}

static void shout(long n)
{
    sink += n & 3;
}

static void (*const kernels[])(long) = {plain, best};
static void (*const reporters[])(long) = {whisper, shout};

int main(int argc, char **argv)
{
    int c;
    while ((c = getopt(argc, argv, "bl")) != -1) {
        switch (c) {
        case 'b':
            mode = 1;
            break;
        case 'l':
            loud = 1;
            break;
        default:
            fprintf(stderr, "unknown option\n");
            exit(2);
        }
    }
    long t = 1000;
    reporters[loud](t);
    kernels[mode](t);
    printf("%lu\n", sink);
    return 0;
}
