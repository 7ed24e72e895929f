#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile unsigned long sink;
static int a_on, b_on, c_on, d_on, e_on, f_on, g_on, h_on, i_on, j_on;

static void hot(long n)
{
    for (long i = 0; i < n; ++i)
        sink += i;
}

int main(int argc, char **argv)
{
    int letter;
    while ((letter = getopt(argc, argv, "abcdefghij")) != -1) {
        switch (letter) {
        case 'a':
            a_on = 1;
            break;
        case 'b':
            b_on = 1;
            break;
        case 'c':
            c_on = 1;
            break;
        case 'd':
            d_on = 1;
            break;
        case 'e':
            e_on = 1;
            break;
        case 'f':
            f_on = 1;
            break;
        case 'g':
            g_on = 1;
            break;
        case 'h':
            h_on = 1;
            break;
        case 'i':
            i_on = 1;
            break;
        case 'j':
            j_on = 1;
            break;
        default:
            fprintf(stderr, "unknown option\n");
            exit(2);
        }
    }
    long total = 0;
    long t = 4000;
    if (a_on)
        t *= 5;
    if (b_on)
        total += 1;
    if (c_on)
        total += 2;
    if (d_on)
        total += 3;
    if (e_on)
        total += 4;
    if (f_on)
        total += 5;
    if (g_on)
        total += 6;
    if (h_on)
        total += 7;
    if (i_on)
        total += 8;
    if (j_on)
        total += 9;
    hot(t);
    printf("%ld\n", total);
    printf("%lu\n", sink);
    return 0;
}
