#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile unsigned long sink;

#define STRONG 0x01
#define FOLD 0x02
#define QUIET 0x04

struct row {
    char letter;
    const char *word;
    int id;
    unsigned needs;
};

static const struct row rows[] = {
    {'s', "strong", 's', 0},
    {0, "fold", 'F', 0},
    {'q', "quiet", 'q', 0},
    {0, "depth", 'd', 1},
    {0, NULL, 0, 0},
};

static unsigned flags;
static const char *depth = "1";

static void hot(long n)
{
    for (long i = 0; i < n; ++i)
        sink += i;
}

static int take(int id, const char *given)
{
    switch (id) {
    case 's':
        flags |= STRONG;
        break;
    case 'F':
        flags |= FOLD;
        break;
    case 'q':
        flags |= QUIET;
        break;
    case 'd':
        depth = given;
        break;
    default:
        return 2;
    }
    return 0;
}

static int look_at(const struct row *known, int argc, char **argv, int (*chosen)(int, const char *))
{
    for (int i = 1; i < argc; ++i) {
        const struct row *row = known;
        if (strncmp(argv[i], "--", 2) == 0) {
            while (row->id != 0 && strcmp(argv[i] + 2, row->word) != 0)
                ++row;
        } else {
            while (row->id != 0 && argv[i][1] != row->letter)
                ++row;
        }
        const char *given = row->needs ? argv[++i] : NULL;
        int failed = chosen(row->id != 0 ? row->id : -1, given);
        if (failed)
            return failed;
    }
    return 0;
}

int main(int argc, char **argv)
{
    int failed = look_at(rows, argc, argv, take);
    if (failed) {
        fprintf(stderr, "unknown option\n");
        exit(2);
    }
    long t = 1000;
    if (flags & STRONG)
        t = 9000;
    hot(t);
    if (flags & FOLD)
        printf("folded %s\n", depth);
    if (!(flags & QUIET))
        printf("done\n");
    printf("%lu\n", sink);
    return 0;
}
