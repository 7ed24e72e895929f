#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum kind { EMPTY, SHORT, TEXT };

static volatile unsigned long sink;
static int skip, verbose;
static size_t least;

static void hot(size_t n)
{
    for (size_t i = 0; i < 3000 * n; ++i)
        sink += i;
}

static enum kind kind_of(const char *line)
{
    assert(line != NULL);
    size_t length = strlen(line);
    if (length > 4096) {
        fprintf(stderr, "too long: %s\n", line);
        exit(2);
    }
    if (length == 0)
        return EMPTY;
    if (length < least || !strncmp(line, "--", 2))
        return SHORT;
    return TEXT;
}

int main(int argc, char **argv)
{
    static const char *lines[] = { "one", "two", "three", "", "-- four", "twenty" };
    int c;
    while ((c = getopt(argc, argv, "sv")) != -1) {
        switch (c) {
        case 's':
            skip = 1;
            break;
        case 'v':
            verbose = 1;
            break;
        default:
            fprintf(stderr, "unknown option\n");
            exit(2);
        }
    }
    least = 5;
    if (!skip) {
        for (size_t i = 0; i < sizeof lines / sizeof *lines; ++i) {
            switch (kind_of(lines[i])) {
            case TEXT:
                hot(strlen(lines[i]));
                break;
            case SHORT:
                sink += 1;
                break;
            case EMPTY:
                break;
            }
        }
    }
    if (verbose)
        printf("done\n");
    printf("%lu\n", sink);
    return 0;
}
