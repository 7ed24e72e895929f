#include <stdio.h>

#include "bytes.h"
#include "options.h"
#include "pack.h"

/* Unpacks what was just packed, and compares it with the input. */
static int verify(const struct bytes *input, const struct bytes *packed)
{
    struct bytes unpacked = {0};
    int result = unpack(packed, &unpacked);

    if (result == 0 && !bytes_equal(input, &unpacked)) {
        fprintf(stderr, "packer: unpacking gives something else\n");
        result = -1;
    }
    bytes_free(&unpacked);
    return result;
}

int main(int argc, char **argv)
{
    struct options options = {0};
    struct bytes input = {0}, output = {0};
    int result = 0;

    if (parse_options(argc, argv, &options) != 0)
        return 2;
    if (read_file(options.input, &input) != 0)
        return 1;
    if (options.action == ACTION_UNPACK)
        result = unpack(&input, &output);
    else
        pack(&input, &options, &output);
    if (options.action == ACTION_VERIFY)
        result = verify(&input, &output);
    if (result == 0)
        result = write_file(options.output, &output);
    bytes_free(&input);
    bytes_free(&output);
    return result == 0 ? 0 : 1;
}
