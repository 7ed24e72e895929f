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
    int kind;
    int count;
};

static void put(unsigned char *to, int value)
{
    for (int i = 0; i < 4; ++i)
        to[i] = value >> 8 * i;
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
    unsigned char bytes[8];
    struct packet packet;
    for (int i = 0; i < 8; i += 4)
        put(bytes + i, 10);
    memcpy(&packet, bytes, sizeof packet);
    work(packet.count);
    if (verbose)
        printf("done\n");
    printf("%lu\n", sink);
    return 0;
}
