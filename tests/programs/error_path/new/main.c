#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile unsigned long sink;
static int strong, keep_going;

static void hot(long n)
{
    for (long i = 0; i < n; ++i)
        sink += i;
}

static char *room(size_t size)
{
    char *found = malloc(size);
    if (found == NULL) {
        perror("malloc");
        if (!keep_going)
            exit(1);
    }
    return found;
}

int main(int argc, char **argv)
{
    int c;
    while ((c = getopt(argc, argv, "sk")) != -1) {
        switch (c) {
        case 's':
            strong = 1;
            break;
        case 'k':
            keep_going = 1;
            break;
        default:
            fprintf(stderr, "unknown option\n");
            exit(2);
        }
    }
    char *text = room(100);
    long t = 3000;
    if (strong)
        t *= 4;
    text[0] = 'x';
    hot(t);
    printf("%lu\n", sink);
    return 0;
}
