/* Work that waits for memory: reads and writes all over a table that no cache holds. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#define CELLS (1u << 22)
#ifndef STEPS
#define STEPS 0
#endif
#ifndef NOTE
#define NOTE ""
#endif
const char note[] = NOTE; /* makes another file of the same code */
int main(int count, char **words)
{
    long steps = count > 1 ? atol(words[1]) : STEPS;
    uint32_t *table = malloc(CELLS * sizeof *table);
    uint32_t at = 1;
    if (!table)
        return 2;
    memset(table, 7, CELLS * sizeof *table);
    for (long step = 0; step < steps; step++) {
        at = at * 1664525u + 1013904223u;
        table[at >> 10] += at;
        at ^= table[(at ^ 0x5bd1e995u) >> 10] & 1u;
    }
    return table[at >> 10] == 0;
}
