#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile unsigned long sink;
static int strong, verbose;

struct plan {
    long rounds;
    int kind;
};

static void hot(long n)
{
    for (long i = 0; i < n; ++i)
        sink += i;
}

static long scaled(long value)
{
    return strong ? value * 4 : value;
}

static void make_plan(struct plan *plan, long unit)
{
    plan->kind = 1;
    plan->rounds = scaled(unit);
}

static void follow(const struct plan *plan)
{
    if (plan->kind == 1)
        hot(plan->rounds);
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
    struct plan plan;
    make_plan(&plan, 3000);
    follow(&plan);
    if (verbose)
        printf("done\n");
    printf("%lu\n", sink);
    return 0;
}
