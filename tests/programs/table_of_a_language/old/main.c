#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile unsigned long sink;

#define STRONG 0x01
#define FOLD 0x02
#define QUIET 0x04

struct row {
    const char *word;
    int id;
};

static const struct row rows[] = {
    {"add", 'a'},
    {"repeat", 'r'},
    {"stop", 's'},
    {NULL, 0},
};

static const char *const program[] = {"add", "repeat", "add", "stop"};
static unsigned flags;

static void hot(long n)
{
    for (long i = 0; i < n; ++i)
        sink += i;
}

static int id_of(const char *word)
{
    const struct row *row = rows;
    while (row->id != 0 && strcmp(word, row->word) != 0)
        ++row;
    return row->id;
}

static void run(long amount)
{
    for (int i = 0; i < 4; ++i) {
        switch (id_of(program[i])) {
        case 'a':
            amount += 10;
            break;
        case 'r':
            hot(flags & STRONG ? 2000 : amount);
            break;
        case 's':
            return;
        }
    }
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
    run(1000);
    if (!(flags & QUIET))
        printf("done\n");
    printf("%lu\n", sink);
    return 0;
}
