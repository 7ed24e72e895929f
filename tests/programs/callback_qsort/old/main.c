#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile unsigned long sink;
static int fold, unique;

static int folded(int letter)
{
    return letter | 32;
}

static int compare(const void *a, const void *b)
{
    int x = *(const unsigned char *)a, y = *(const unsigned char *)b;
    if (fold) {
        x = folded(x);
        y = folded(y);
    }
    return x - y;
}

int main(int argc, char **argv)
{
    int c;
    while ((c = getopt(argc, argv, "fu")) != -1) {
        switch (c) {
        case 'f':
            fold = 1;
            break;
        case 'u':
            unique = 1;
            break;
        default:
            fprintf(stderr, "unknown option\n");
            exit(2);
        }
    }
    unsigned char text[400];
    for (int i = 0; i < 400; ++i)
        text[i] = 65 + i * 7919 % 57;
    qsort(text, 400, 1, compare);
    int kept = 400;
    if (unique)
        for (int i = 1; i < 400; ++i)
            kept -= text[i] == text[i - 1];
    printf("%d\n", kept);
    return 0;
}
