#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static volatile unsigned long sink;
static int strong, verbose;

static const char *version(void)
{
    return "1.2";
}

static void licence(void)
{
    printf("A program, version %s.\n", version());
}

static void hot(long n)
{
    for (long i = 0; i < n; ++i)
        sink += i;
}

int main(int argc, char **argv)
{
    long n = 2000;
    for (int i = 1; i < argc; ++i) {
        if (argv[i][0] == '-' && argv[i][1] != '-') {
            for (int j = 1; argv[i][j] != '\0'; ++j) {
                switch (argv[i][j]) {
                case 's':
                    strong = 1;
                    n = 90000;
                    break;
                case 'L':
                    licence();
                    exit(0);
                case 'v':
                    verbose = 1;
                    break;
                default:
                    fprintf(stderr, "unknown option\n");
                    exit(2);
                }
            }
        } else if (strcmp(argv[i], "--version") == 0) {
            licence();
            return 0;
        } else if (strcmp(argv[i], "--strong") == 0) {
            strong = 1;
            n = 90000;
        } else if (strcmp(argv[i], "--verbose") == 0) {
            verbose = 1;
        }
    }
    hot(n);
    if (verbose)
        printf("done\n");
    printf("%lu\n", sink);
    return 0;
}
