#include "bytes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Doubles the room, so that a long row of puts stays cheap. */
void bytes_grow(struct bytes *bytes)
{
    size_t room = bytes->room ? bytes->room * 2 : 65536;
    unsigned char *at = realloc(bytes->at, room);

    if (!at) {
        fprintf(stderr, "packer: out of memory\n");
        exit(3);
    }
    bytes->at = at;
    bytes->room = room;
}

void bytes_free(struct bytes *bytes)
{
    free(bytes->at);
    bytes->at = NULL;
    bytes->count = bytes->room = 0;
}

void bytes_copy(struct bytes *to, const struct bytes *from)
{
    to->count = 0;
    while (to->room < from->count)
        bytes_grow(to);
    if (from->count)
        memcpy(to->at, from->at, from->count);
    to->count = from->count;
}

int bytes_equal(const struct bytes *left, const struct bytes *right)
{
    if (left->count != right->count)
        return 0;
    return left->count == 0 || memcmp(left->at, right->at, left->count) == 0;
}

int read_file(const char *path, struct bytes *bytes)
{
    unsigned char chunk[4096];
    size_t got;
    FILE *file = fopen(path, "rb");

    if (!file) {
        fprintf(stderr, "packer: cannot read %s\n", path);
        return -1;
    }
    while ((got = fread(chunk, 1, sizeof chunk, file)) > 0) {
        while (bytes->room - bytes->count < got)
            bytes_grow(bytes);
        memcpy(bytes->at + bytes->count, chunk, got);
        bytes->count += got;
    }
    fclose(file);
    return 0;
}

int write_file(const char *path, const struct bytes *bytes)
{
    FILE *file = fopen(path, "wb");
    size_t written = 0;

    if (!file) {
        fprintf(stderr, "packer: cannot write %s\n", path);
        return -1;
    }
    if (bytes->count)
        written = fwrite(bytes->at, 1, bytes->count, file);
    if (fclose(file) != 0 || written != bytes->count) {
        fprintf(stderr, "packer: cannot write %s\n", path);
        return -1;
    }
    return 0;
}
