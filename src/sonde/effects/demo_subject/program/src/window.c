#include "window.h"

void window_put(struct window *window, unsigned char byte)
{
    window->ring[window->next] = byte;
    window->next = (window->next + 1) % WINDOW_BYTES;
    window->seen++;
}

/* The byte that was put `distance` puts ago, or -1. */
int window_get(const struct window *window, unsigned distance)
{
    if (distance == 0 || distance > WINDOW_BYTES || distance > window->seen)
        return -1;
    return window->ring[(window->next + WINDOW_BYTES - distance) % WINDOW_BYTES];
}
