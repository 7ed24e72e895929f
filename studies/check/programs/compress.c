/* A compressor: looks for the longest earlier match by chains of equal hashes. One step is 1,024 bytes. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#define BLOCK 1024
#define TEXT (1u << 18)
#define LONGEST 64
#define HASHES (1u << 14)
#define TRIES 16
#ifndef STEPS
#define STEPS 0
#endif
#ifndef NOTE
#define NOTE ""
#endif
const char note[] = NOTE; /* makes another file of the same code */
static unsigned char text[TEXT + LONGEST];
static uint32_t latest[HASHES], earlier[TEXT]; /* places with the same hash, counted from 1 */

static void write_text(void) /* words that repeat, as those of a text do */
{
    uint32_t state = 1, length = 0;
    while (length < TEXT) {
        state = state * 1664525u + 1013904223u;
        uint32_t word = (state >> 24) * (state >> 26) % 300;
        for (uint32_t letter = 0; letter < 3 + word % 7 && length < TEXT; letter++)
            text[length++] = (unsigned char)('a' + (word * (letter + 3) + letter) % 26);
        if (length < TEXT)
            text[length++] = ' ';
    }
}

static void chain_places(void)
{
    for (uint32_t at = 0; at < TEXT; at++) {
        uint32_t four;
        memcpy(&four, text + at, 4);
        uint32_t hash = (four * 2654435761u) >> 18;
        earlier[at] = latest[hash];
        latest[hash] = at + 1;
    }
}

static uint32_t longest_match(uint32_t at)
{
    uint32_t best = 0, other = earlier[at];
    for (int tries = 0; tries < TRIES && other; tries++, other = earlier[other - 1]) {
        uint32_t length = 0;
        while (length < LONGEST && text[other - 1 + length] == text[at + length])
            length++;
        best = length > best ? length : best;
    }
    return best;
}

int main(int count, char **words)
{
    long steps = count > 1 ? atol(words[1]) : STEPS;
    uint64_t coded = 0;
    write_text();
    chain_places();
    for (long step = 0; step < steps; step++) {
        uint32_t begin = (uint32_t)(step * BLOCK) % TEXT;
        for (uint32_t at = begin; at < begin + BLOCK && at < TEXT;) {
            uint32_t best = longest_match(at);
            coded += best > 3 ? 3 : 1;
            at += best > 3 ? best : 1;
        }
    }
    return coded == 1;
}
