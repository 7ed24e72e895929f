/* Sorts lines by the library's qsort. One step takes 64 lines of a table of 16,384, and sorts them. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define LINES (1u << 14)
#define LENGTH 32
#define TAKEN 64
#ifndef STEPS
#define STEPS 0
#endif
#ifndef NOTE
#define NOTE ""
#endif
const char note[] = NOTE; /* makes another file of the same code */
static char table[LINES][LENGTH];

static int compare(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

int main(int count, char **words)
{
    long steps = count > 1 ? atol(words[1]) : STEPS;
    const char *taken[TAKEN];
    uint32_t state = 1;
    for (uint32_t line = 0; line < LINES; line++) {
        state = state * 1664525u + 1013904223u;
        snprintf(table[line], LENGTH, "line %08x of %u", state % 4096, line);
    }
    for (long step = 0; step < steps; step++) {
        for (int line = 0; line < TAKEN; line++) {
            state = state * 1664525u + 1013904223u;
            taken[line] = table[state >> 18];
        }
        qsort(taken, TAKEN, sizeof *taken, compare);
    }
    return steps && taken[0][0] != 'l';
}
