#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile unsigned long sink;
static int checked, verbose;
static jmp_buf start;
static volatile long t;

static void hot(long n)
{
    for (long i = 0; i < n; ++i)
        sink += i;
}

static void check(void)
{
    if (checked)
        longjmp(start, 1);
}

int main(int argc, char **argv)
{
    int c;
    while ((c = getopt(argc, argv, "cv")) != -1) {
        switch (c) {
        case 'c':
            checked = 1;
            break;
        case 'v':
            verbose = 1;
            break;
        default:
            fprintf(stderr, "unknown option\n");
            exit(2);
        }
    }
    t = 3000;
    if (setjmp(start) == 0)
        check();
    else
        t *= 4;
    hot(t);
    if (verbose)
        printf("done\n");
    printf("%lu\n", sink);
    return 0;
}
