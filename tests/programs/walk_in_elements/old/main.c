#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile unsigned long sink;
static int strong, verbose;

static void hot(long n)
{
    for (long i = 0; i < n; ++i)
        sink += i;
}

static void work(long n)
{
    if (strong)
        hot(n * 9000);
    else
        hot(n * 3000);
}

struct item {
    int count;
    int width;
};

static void fill(struct item *items, int n)
{
    for (int i = 0; i < n; ++i) {
        items[i].count = 10;
        items[i].width = 7;
    }
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
    int n = 4;
    struct item *items = malloc(n * sizeof *items);
    fill(items, n);
    for (struct item *each = items; each < items + n; ++each)
        work(each->count);
    if (verbose)
        printf("%*s\n", items[argc & 3].width, "x");
    if (verbose)
        printf("done\n");
    printf("%lu\n", sink);
    return 0;
}
