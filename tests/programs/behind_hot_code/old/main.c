#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static volatile unsigned long sink;
static int strong, wide, verbose;

static long fill(long n)
{
    long total = 0;
    for (long i = 0; i < n; ++i) {
        sink += i;
        total += 1;
    }
    return total;
}

static void scan(long n)
{
    for (long i = 0; i < n; ++i)
        sink += i;
}

int main(int argc, char **argv)
{
    int c;
    while ((c = getopt(argc, argv, "swv")) != -1) {
        switch (c) {
        case 's':
            strong = 1;
            break;
        case 'w':
            wide = 1;
            break;
        case 'v':
            verbose = 1;
            break;
        default:
            exit(2);
        }
    }
    long n = fill(20000);
    if (strong)
        scan(n);
    if (wide)
        scan(2 * n);
    if (verbose)
        printf("done\n");
    printf("%lu\n", sink);
    return 0;
}
