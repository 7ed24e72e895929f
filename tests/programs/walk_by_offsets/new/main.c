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

struct settings {
    int width;
    int count;
};

static struct settings settings;
static const struct {
    const char *name;
    size_t at;
} table[] = {{"width", offsetof(struct settings, width)}, {"count", offsetof(struct settings, count)}};

static void set(const char *name, int value)
{
    for (int i = 0; i < 2; ++i)
        if (!strcmp(name, table[i].name))
            *(int *)((char *)&settings + table[i].at) = value;
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
    set("width", 79);
    set("count", 30);
    work(settings.count);
    if (verbose)
        printf("done\n");
    printf("%lu\n", sink);
    return 0;
}
