#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile unsigned long sink;
static const char *mode = "plain";
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

struct kind {
    const char *name;
    void (*work)(long);
    long rounds;
};

static const struct kind kinds[] = {
    {"plain", plain, 1000},
    {"fast", fast, 1000},
    {"best", best, 4000},
};

int main(int argc, char **argv)
{
    for (int at = 1; at < argc; ++at) {
        if (strncmp(argv[at], "--mode=", 7) == 0)
            mode = argv[at] + 7;
        else if (strcmp(argv[at], "-v") == 0)
            verbose = 1;
    }
    const struct kind *kind = &kinds[0];
    for (size_t at = 0; at < sizeof kinds / sizeof kinds[0]; ++at)
        if (strcmp(kinds[at].name, mode) == 0)
            kind = &kinds[at];
    kind->work(kind->rounds);
    if (verbose)
        printf("done\n");
    printf("%lu\n", sink);
    return 0;
}
