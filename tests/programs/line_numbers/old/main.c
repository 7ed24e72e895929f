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

static const char *owner;
static long locked_at;

static void lock(const char *file, long line)
{
    owner = file;
    locked_at = line;
}

static void unlock(const char *file, long line)
{
    if (verbose)
        printf("%s %ld %ld\n", owner, locked_at, line - locked_at);
    owner = file;
}

#define LOCK() lock(__FILE__, __LINE__)
#define UNLOCK() unlock(__FILE__, __LINE__)

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
    LOCK();
    hot(strong ? 4000 : 2000);
    UNLOCK();
    printf("%lu\n", sink);
    return 0;
}
