#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile unsigned long sink;
static int strong, wide;

static void hot(long n)
{
    for (long i = 0; i < n; ++i) {
        for (int k = 0; k < 5; ++k)
            sink += i + k;
    }
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
    if (strong)
        hot(2000);
    if (wide)
        sink += 7;
    printf("%lu\n", sink);
    return 0;
}
