#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <search.h>

static volatile unsigned long sink;
static int strong, verbose;

static void hot(long n)
{
    for (long i = 0; i < n; ++i)
        sink += i;
}

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static int sum;

static void visit(const void *node, VISIT when, int level)
{
    if (when == leaf || when == postorder)
        sum += **(int *const *)node + level;
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
    void *root = NULL;
    int n = 30000;
    tsearch(&n, &root, compare);
    twalk(root, visit);
    long t = sum;
    if (strong)
        t *= 4;
    hot(t);
    if (verbose)
        printf("done\n");
    printf("%lu\n", sink);
    return 0;
}
