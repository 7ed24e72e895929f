#include <stdio.h>
#include <string.h>

static volatile unsigned long sink;
static int strong, verbose;

static void hot(long n)
{
    for (long i = 0; i < n; ++i)
        for (int k = 0; k < 50; ++k)
            sink += k;
}

int main(int argc, char **argv)
{
    long n = 100;
    for (int i = 1; i < argc; ++i) {
        if (strncmp(argv[i], "-strong", strlen(argv[i])) == 0) {
            strong = 1;
            n = 1500;
        } else if (strncmp(argv[i], "-verbose", 2) == 0) {
            verbose = 1;
        }
    }
    hot(n);
    if (strong)
        printf("strong\n");
    if (verbose)
        printf("done\n");
    printf("%lu\n", sink);
    return 0;
}
