#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile unsigned long sink;
static int strong, verbose;

struct context {
    long rounds;
    long seen;
};

static void hot(void *given)
{
    struct context *context = given;
    for (long i = 0; i < context->rounds; ++i)
        sink += i;
    ++context->seen;
}

static void for_each(int count, void (*act)(void *), void *given)
{
    for (int i = 0; i < count; ++i)
        act(given);
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
    struct context context = {0, 0};
    context.rounds = 300;
    if (strong)
        context.rounds *= 4;
    for_each(3, hot, &context);
    if (verbose)
        printf("%ld\n", context.seen);
    printf("%lu\n", sink);
    return 0;
}
