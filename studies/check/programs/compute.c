/* Work that needs the processor alone: a chain of multiplications. */
#include <stdint.h>
#include <stdlib.h>
#ifndef STEPS
#define STEPS 0
#endif
#ifndef NOTE
#define NOTE ""
#endif
const char note[] = NOTE; /* makes another file of the same code */
int main(int count, char **words)
{
    uint64_t state = 88172645463325252u;
    long steps = count > 1 ? atol(words[1]) : STEPS;
    for (long step = 0; step < steps; step++) {
        state ^= state << 13;
        state ^= state >> 7;
        state *= 2685821657736338717u;
    }
    return state == 0;
}
