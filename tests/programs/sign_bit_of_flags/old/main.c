#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile unsigned long sink;
static signed char flags;

static void hot(long n)
{
    for (long i = 0; i < n; ++i)
        sink += i;
}

int main(int argc, char **argv)
{
    int c;
    while ((c = getopt(argc, argv, "hl")) != -1) {
        switch (c) {
        case 'h':
            flags |= -128;
            break;
        case 'l':
            flags |= 1;
            break;
        default:
            fprintf(stderr, "unknown option\n");
            exit(2);
        }
    }
    if (flags & 0x100)
        hot(1000);
    if (flags & 1)
        printf("low\n");
    hot(100);
    printf("%lu\n", sink);
    return 0;
}
