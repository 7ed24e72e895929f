#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile unsigned long sink;
static int strong, verbose;

static void hot(unsigned char *text, long n)
{
    for (long i = 0; i < n; ++i)
        text[i % 100] += (unsigned char)i;
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
    unsigned char *text = malloc(220);
    memset(text, 0, 100);
    hot(text, strong ? 2000 : 1000);
    sink = text[0];
    if (verbose)
        printf("done\n");
    printf("%lu\n", sink);
    return 0;
}
