#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile unsigned long sink;

struct limits {
    long depth;
    int quiet;
};

static void hot(long n)
{
    for (long i = 0; i < n; ++i)
        sink += i;
}

static long number(const char *text)
{
    char *end;
    long found = strtol(text, &end, 10);
    if (*end != '\0' || found < 1) {
        fprintf(stderr, "not a number: %s\n", text);
        exit(2);
    }
    return found;
}

static void work(const struct limits *limits)
{
    long t = 6000;
    for (long i = 0; i < limits->depth; ++i)
        t += 400;
    hot(t);
    if (!limits->quiet)
        printf("done\n");
}

int main(int argc, char **argv)
{
    struct limits limits = {1, 0};
    int c;
    while ((c = getopt(argc, argv, "d:q")) != -1) {
        switch (c) {
        case 'd':
            limits.depth = number(optarg);
            break;
        case 'q':
            limits.quiet = 1;
            break;
        default:
            fprintf(stderr, "unknown option\n");
            exit(2);
        }
    }
    work(&limits);
    printf("%lu\n", sink);
    return 0;
}
