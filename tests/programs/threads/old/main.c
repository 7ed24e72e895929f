#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile unsigned long sink;
static int strong, verbose;

struct job {
    long rounds;
    long unused;
};

static void *hot(void *given)
{
    struct job *job = given;
    for (long i = 0; i < job->rounds; ++i)
        sink += i;
    return NULL;
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
    struct job job = {0, 0};
    job.rounds = 1000;
    if (strong)
        job.rounds *= 4;
    if (verbose)
        job.unused = 7;
    pthread_t thread;
    if (pthread_create(&thread, NULL, hot, &job) != 0)
        exit(1);
    pthread_join(thread, NULL);
    sink += job.unused;
    printf("%lu\n", sink);
    return 0;
}
