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
    char name[12];
    int last;
};

static void spell(char *to, int n)
{
    for (int i = 0; i < n; ++i)
        to[i] = 'a';
    to[n] = 0;
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
    struct item *item = calloc(1, sizeof *item);
    item->count = 10;
    item->last = 20;
    spell(item->name, 8);
    work(item->count + item->last);
    if (verbose)
        printf("%s\n", item->name);
    if (verbose)
        printf("done\n");
    printf("%lu\n", sink);
    return 0;
}
