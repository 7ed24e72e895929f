#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile unsigned long sink;
static int strong, verbose;

static void hot(const char *text)
{
    for (const char *at = text; *at != '\0'; ++at)
        sink += *at;
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
    static char text[20000];
    int length = 3000;
    if (strong)
        length *= 4;
    memset(text, 'x', sizeof text - 1);
    text[length] = '\0';
    hot(text);
    if (verbose)
        printf("done\n");
    printf("%lu\n", sink);
    return 0;
}
