#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile unsigned long sink;
static int strong, verbose;

struct job {
    long rounds;
    long width;
};

static void hot(long n)
{
    for (long i = 0; i < n; ++i)
        sink += i;
}

static struct job *new_job(void)
{
    return calloc(1, sizeof(struct job));
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
    struct job *job = new_job();
    job->rounds = 6000;
    job->width = 72;
    if (strong)
        job->rounds *= 3;
    if (verbose)
        job->width += 8;
    hot(job->rounds);
    sink += job->width;
    printf("%lu\n", sink);
    return 0;
}
