#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile unsigned long sink;
static int strong, header;
static char buffer[200];

static void hot(long n)
{
    for (long i = 0; i < n; ++i)
        buffer[i % 200] ^= (char)i;
}

int main(int argc, char **argv)
{
    int c;
    while ((c = getopt(argc, argv, "se")) != -1) {
        switch (c) {
        case 's':
            strong = 1;
            break;
        case 'e':
            header = 1;
            break;
        default:
            fprintf(stderr, "unknown option\n");
            exit(2);
        }
    }
    long t = 3000;
    if (header)
        strcpy(buffer, "header");
    if (strong)
        t *= 4;
    hot(t);
    printf("%d\n", buffer[0]);
    return 0;
}
