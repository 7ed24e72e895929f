#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile unsigned long sink;
static int strong, wide;

static unsigned long mix(unsigned long value)
{
    return value * 3;
}

static void hot(long n)
{
    unsigned long value = 1;
    for (long i = 0; i < n; ++i) {
        if (strong)
            value = mix(value);
        if (wide)
            sink += i;
    }
    sink += value;
}

int main(int argc, char **argv)
{
    int c;
    while ((c = getopt(argc, argv, "sw")) != -1) {
        switch (c) {
        case 's':
            strong = 1;
            break;
        case 'w':
            wide = 1;
            break;
        default:
            fprintf(stderr, "unknown option\n");
            exit(2);
        }
    }
    hot(2000);
    printf("%lu\n", sink);
    return 0;
}
