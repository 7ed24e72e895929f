#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile unsigned long sink;

struct options {
    int verbose;
    int strong;
    const char *name;
};

static void hot(long n)
{
    for (long i = 0; i < n; ++i)
        sink += i;
}

static long prepare(const struct options *options)
{
    long t = 3000;
    if (options->strong)
        t *= 4;
    return t;
}

static void run(const struct options *options)
{
    long t = prepare(options);
    if (options->verbose)
        printf("%s\n", options->name);
    hot(t);
}

int main(int argc, char **argv)
{
    struct options options = {0, 0, "job"};
    int c;
    while ((c = getopt(argc, argv, "sv")) != -1) {
        switch (c) {
        case 's':
            options.strong = 1;
            break;
        case 'v':
            options.verbose = 1;
            break;
        default:
            fprintf(stderr, "unknown option\n");
            exit(2);
        }
    }
    run(&options);
    printf("%lu\n", sink);
    return 0;
}
