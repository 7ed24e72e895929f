#include <cstdio>
#include <cstdlib>
#include <unistd.h>

static volatile unsigned long sink;
static int checked, verbose;

static void hot(long n)
{
    for (long i = 0; i < n; ++i)
        sink = sink + i;
}

static void check()
{
    if (checked)
        throw 7;
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
            std::fprintf(stderr, "unknown option\n");
            exit(2);
        }
    }
    long t = 60000;
    try {
        check();
    } catch (int) {
        t *= 4;
    }
    hot(t);
    if (verbose)
        printf("done\n");
    std::printf("%lu\n", sink);
    return 0;
}
