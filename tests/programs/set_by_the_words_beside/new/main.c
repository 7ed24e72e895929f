#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static volatile unsigned long sink;
static int strong, wide, mode;

static void hot(long n)
{
    for (long i = 0; i < n; ++i)
        if (mode == 2)
            for (int k = 0; k < 50; ++k)
                sink += k;
}

int main(int argc, char **argv)
{
    long n = 1500;
    int c;
    while ((c = getopt(argc, argv, "sw")) != -1) {
        switch (c) {
        case 's':
            strong = 1;
            mode = 2;
            break;
        case 'w':
            wide = 1;
            break;
        default:
            exit(2);
        }
    }
    for (long i = 0; i < 20000; ++i)
        sink += i;
    hot(n);
    if (strong)
        printf("strong\n");
    if (wide)
        printf("wide\n");
    printf("%lu\n", sink);
    return 0;
}
