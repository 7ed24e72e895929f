#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile unsigned long sink;
static int strong, verbose;

struct node {
    struct node *next;
    long value;
};

static struct node *head;

static void push(long value)
{
    struct node *node = malloc(sizeof *node);
    node->value = value;
    node->next = head;
    head = node;
}

static void hot(void)
{
    for (int round = 0; round < 20; ++round)
        for (struct node *node = head; node != NULL; node = node->next)
            sink += node->value;
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
    int count = 150;
    if (strong)
        count *= 3;
    for (int i = 0; i < count; ++i)
        push(i);
    hot();
    if (verbose)
        printf("done\n");
    printf("%lu\n", sink);
    return 0;
}
