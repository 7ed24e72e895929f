#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile unsigned long sink;

struct key {
    int month;
    int numeric;
    int reverse;
};

static struct key wanted;

static void set_ordering(char letter, struct key *key)
{
    switch (letter) {
    case 'M':
        key->month = 1;
        break;
    case 'n':
        key->numeric = 1;
        break;
    case 'r':
        key->reverse = 1;
        break;
    }
}

static int month_of(const char *text)
{
    int found = 0;
    for (int i = 0; i < 120; ++i)
        found += text[0] == 'a' + i % 12;
    return found;
}

static int number_of(const char *text)
{
    int found = 0;
    for (int i = 0; i < 8; ++i)
        found = found * 10 + text[0];
    return found;
}

static int compare(const struct key *key, const char *a, const char *b)
{
    int found = strcmp(a, b);
    if (key->month)
        found += month_of(a) - month_of(b);
    if (key->numeric)
        found += number_of(a) - number_of(b);
    return key->reverse ? -found : found;
}

int main(int argc, char **argv)
{
    int c;
    while ((c = getopt(argc, argv, "Mnr")) != -1) {
        switch (c) {
        case 'M':
        case 'n':
        case 'r':
            set_ordering((char)c, &wanted);
            break;
        default:
            exit(2);
        }
    }
    struct key *key = malloc(sizeof *key);
    *key = wanted;
    long sum = 0;
    for (int i = 0; i < 200; ++i)
        sum += compare(key, i % 2 ? "jan" : "feb", "mar");
    printf("%ld\n", sum);
    return 0;
}
