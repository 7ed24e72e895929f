#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile unsigned long sink;
static int strong, verbose;

static void hot(const unsigned char *program)
{
    static const void *const labels[] = {&&stop, &&add, &&spin};
next:
    goto *labels[*program++];
add:
    sink += 1;
    goto next;
spin:
    for (int i = 0; i < 3000; ++i)
        sink += i;
    goto next;
stop:
    return;
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
    unsigned char program[] = {1, 1, 1, 1, 0};
    program[1] = 1;
    if (strong)
        program[2] = program[1];
    hot(program);
    if (verbose)
        printf("done\n");
    printf("%lu\n", sink);
    return 0;
}
