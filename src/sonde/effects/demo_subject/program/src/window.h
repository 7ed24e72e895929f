#ifndef WINDOW_H
#define WINDOW_H

#define WINDOW_BYTES 32768

/* The bytes that were unpacked last. */
struct window {
    unsigned char ring[WINDOW_BYTES];
    unsigned next;
    unsigned long seen;
};

void window_put(struct window *window, unsigned char byte);
int window_get(const struct window *window, unsigned distance);

#endif
