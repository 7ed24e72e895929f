#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile unsigned long sink;

#define STRONG 0x01
#define FOLD 0x02
#define QUIET 0x04

static unsigned flags;

struct parser {
    int version;
    unsigned flags;
};

struct context {
    long sum;
    struct parser parser;
    unsigned offset;
};

static void hot(long n)
{
    for (long i = 0; i < n; ++i)
        sink += i;
}

static void parse(const struct parser *parser)
{
    struct context context;
    memset(&context, 0, sizeof context);
    memcpy(&context.parser, parser, sizeof context.parser);
    context.offset = (context.parser.flags & FOLD) ? 7 : 3;
    long t = 1000;
    if (context.parser.flags & STRONG)
        t = 2000;
    hot(t);
    printf("%u\n", context.offset);
}

static void render(unsigned chosen)
{
    struct parser parser = {1, chosen};
    parse(&parser);
}

int main(int argc, char **argv)
{
    int c;
    while ((c = getopt(argc, argv, "sfq")) != -1) {
        switch (c) {
        case 's':
            flags |= STRONG;
            break;
        case 'f':
            flags |= FOLD;
            break;
        case 'q':
            flags |= QUIET;
            break;
        default:
            fprintf(stderr, "unknown option\n");
            exit(2);
        }
    }
    unsigned chosen = flags;
    render(chosen);
    if (!(flags & QUIET))
        printf("done\n");
    printf("%lu\n", sink);
    return 0;
}
