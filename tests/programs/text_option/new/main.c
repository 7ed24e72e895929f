#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile unsigned long sink;
static const char *mode = "plain";
static int verbose;

static void hot(long n)
{
    for (long i = 0; i < n; ++i)
        sink += i;
}

int main(int argc, char **argv)
{
    for (int at = 1; at < argc; ++at) {
        if (strncmp(argv[at], "--mode=", 7) == 0)
            mode = argv[at] + 7;
        else if (strcmp(argv[at], "-v") == 0)
            verbose = 1;
    }
    long t = 3000;
    if (strcmp(mode, "best") == 0)
        t *= 4;
    hot(t);
    if (verbose)
        printf("done\n");
    printf("%lu\n", sink);
    return 0;
}
