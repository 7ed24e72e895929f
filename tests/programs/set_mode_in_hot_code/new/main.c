#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile unsigned long sink;
static int strong, verbose;

enum kind { NONE, CAPITALS, WORDS };

struct filter {
    enum kind kind;
    int stride;
};

static void hot(long n)
{
    for (long i = 0; i < n; ++i)
        sink += i;
}

static void apply(struct filter filter)
{
    if (filter.kind == CAPITALS)
        sink += filter.stride;
    else if (filter.kind == WORDS)
        hot(8000);
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
    struct filter filter = {NONE, 0};
    if (strong)
        filter.kind = WORDS;
    apply(filter);
    hot(10);
    if (verbose)
        printf("done\n");
    printf("%lu\n", sink);
    return 0;
}
