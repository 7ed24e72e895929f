#include <stdio.h>
#include <unistd.h>

struct row {
    unsigned turns, step;
};

static const struct row rows[4] = {{7, 1}, {36, 2}, {5, 3}, {8, 1}};
static volatile unsigned long sink;
static unsigned deep, reach;
static int loud;

static void configure(void)
{
    reach = deep == 1 ? 29 : 4;
}

static unsigned long turn(unsigned long x)
{
    unsigned chosen = reach & 3;
    for (unsigned i = 0; i < rows[chosen].turns; ++i)
        x = x << 1 ^ x >> 3;
    return x;
}

static unsigned long work(unsigned n)
{
    unsigned long x = 1;
    for (unsigned i = 0; i < n; ++i)
        x += turn(x + i);
    return x;
}

int main(int argc, char **argv)
{
    int c;
    while ((c = getopt(argc, argv, "dl")) != -1) {
        switch (c) {
        case 'd':
            deep = 1;
            break;
        case 'l':
            loud = 1;
            break;
        default:
            return 2;
        }
    }
    configure();
    sink = work(2000);
    if (loud)
        printf("%lu\n", sink);
    return 0;
}
