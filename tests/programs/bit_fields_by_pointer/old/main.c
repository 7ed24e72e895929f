#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile unsigned long sink;

struct bits {
    unsigned quiet : 1;
    unsigned strong : 1;
    unsigned fold : 2;
};

static struct bits settings;

static void hot(long n)
{
    for (long i = 0; i < n; ++i)
        sink += i;
}

static void work(const struct bits *chosen)
{
    long t = 1000;
    if (chosen->strong)
        t = 2000;
    hot(t);
    if (chosen->fold)
        printf("folded\n");
}

int main(int argc, char **argv)
{
    int c;
    while ((c = getopt(argc, argv, "sfq")) != -1) {
        switch (c) {
        case 's':
            settings.strong = 1;
            break;
        case 'f':
            settings.fold = 2;
            break;
        case 'q':
            settings.quiet = 1;
            break;
        default:
            fprintf(stderr, "unknown option\n");
            exit(2);
        }
    }
    work(&settings);
    if (!settings.quiet)
        printf("done\n");
    printf("%lu\n", sink);
    return 0;
}
