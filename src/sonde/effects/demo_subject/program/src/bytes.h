#ifndef BYTES_H
#define BYTES_H

#include <stddef.h>

/* A row of bytes that grows at its end. */
struct bytes {
    unsigned char *at;
    size_t count;
    size_t room;
};

void bytes_grow(struct bytes *bytes);
void bytes_free(struct bytes *bytes);
void bytes_copy(struct bytes *to, const struct bytes *from);
int bytes_equal(const struct bytes *left, const struct bytes *right);

/* Both return 0, or -1 after a message on stderr. */
int read_file(const char *path, struct bytes *bytes);
int write_file(const char *path, const struct bytes *bytes);

static inline void bytes_put(struct bytes *bytes, unsigned value)
{
    if (bytes->count == bytes->room)
        bytes_grow(bytes);
    bytes->at[bytes->count++] = (unsigned char)value;
}

#endif
