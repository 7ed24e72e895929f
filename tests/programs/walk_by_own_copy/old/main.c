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

struct task {
    int count;
    void (*run)(long);
};

static void copy(void *to, const void *from, size_t size)
{
    char *t = to;
    const char *f = from;
    while (size--)
        *t++ = *f++;
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
    struct task given = {1, work}, kept;
    copy(&kept, &given, sizeof kept);
    kept.run(10);
    if (verbose)
        printf("done\n");
    printf("%lu\n", sink);
    return 0;
}
