#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile unsigned long sink;
enum mode { PLAIN, FAST, BEST };
static enum mode mode;
static int verbose;

static void plain(long n)
{
    for (long i = 0; i < n; ++i)
        sink += i;
}

static void fast(long n)
{
    for (long i = 0; i < n / 2; ++i)
        sink += 2 * i;
}

static void best(long n)
{
    for (long i = 0; i < 3 * n; ++i)
        sink ^= sink << 1 ^ i;
}

int main(int argc, char **argv)
{
    for (int at = 1; at < argc; ++at) {
        if (strcmp(argv[at], "--mode=plain") == 0)
            mode = PLAIN;
        else if (strcmp(argv[at], "--mode=fast") == 0)
            mode = FAST;
        else if (strcmp(argv[at], "--mode=best") == 0)
            mode = BEST;
        else if (strcmp(argv[at], "-v") == 0)
            verbose = 1;
        else {
            fprintf(stderr, "unknown: %s\n", argv[at]);
            exit(2);
        }
    }

    void (*work)(long) = plain;
    if (mode == FAST)
        work = fast;
    else if (mode == BEST)
        work = best;
    long n = 3000;
    work(n);
    if (verbose)
        printf("done\n");
    printf("%lu\n", sink);
    return 0;
}
