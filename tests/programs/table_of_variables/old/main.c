#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static volatile unsigned long sink;

struct settings {
    int strong;
    int folded;
    int quiet;
};

static struct settings settings;

struct row {
    const char *name;
    int value;
    int *where;
};

static const struct row rows[] = {
    {"strong", 1, &settings.strong},
    {"fold", 1, &settings.folded},
    {"no-fold", 0, &settings.folded},
    {"quiet", 1, &settings.quiet},
    {NULL, 0, NULL},
};

static void hot(long n)
{
    for (long i = 0; i < n; ++i)
        sink += i;
}

static void set_option(const char *word)
{
    const struct row *row = rows;
    while (row->name != NULL && strcmp(row->name, word + 1) != 0)
        ++row;
    if (row->name == NULL) {
        fprintf(stderr, "unknown option %s\n", word);
        exit(2);
    }
    *row->where = row->value;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; ++i)
        set_option(argv[i]);
    long t = 1000;
    if (settings.strong)
        t = 2000;
    hot(t);
    if (settings.folded)
        printf("folded\n");
    if (!settings.quiet)
        printf("done\n");
    printf("%lu\n", sink);
    return 0;
}
