#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile unsigned long sink;
static int strong, verbose;

static void hot(long n)
{
    for (long i = 0; i < n; ++i)
        sink += i;
}

static void work(long n)
{
    if (strong)
        hot(n * 9000);
    else
        hot(n * 3000);
}

struct packet {
    unsigned char kind;
    unsigned char count;
};

static unsigned char buffer[64];

static int fill(void)
{
    int n = 0;
    while (n < 4)
        buffer[n++] = 30;
    return n;
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
    int n = fill();
    const struct packet *packet = (const void *)buffer;
    if (n > 1)
        work(packet->count);
    if (verbose)
        printf("done\n");
    printf("%lu\n", sink);
    return 0;
}
