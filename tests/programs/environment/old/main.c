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

int main(int argc, char **argv)
{
    int c;
    while ((c = getopt(argc, argv, "v")) != -1) {
        switch (c) {
        case 'v':
            verbose = 1;
            break;
        default:
            fprintf(stderr, "unknown option\n");
            exit(2);
        }
    }
    const char *wish = getenv("TOOL_STRONG");
    strong = wish != NULL && strcmp(wish, "1") == 0;
    long t = 1000;
    if (strong)
        t *= 4;
    hot(t);
    if (verbose)
        printf("done\n");
    printf("%lu\n", sink);
    return 0;
}
