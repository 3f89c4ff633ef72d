/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs a fuzz target over the files that are named as arguments, for compilers without a fuzzer: link it with one
 * fuzz_*.c. A crash of the target is the failure.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool replay(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    size_t n = 0, capacity = (size_t)1 << 24; // longer than any file of a corpus
    uint8_t *bytes = malloc(capacity);
    bool ok = bytes != NULL;
    if (ok) {
        n = fread(bytes, 1, capacity, file);
        ok = !ferror(file) && n < capacity;
    }
    (void)fclose(file);
    if (ok) {
        // A block of exactly n bytes, so that a sanitizer sees the first byte too far.
        uint8_t *exact = realloc(bytes, n ? n : 1);
        bytes = exact ? exact : bytes;
        (void)LLVMFuzzerTestOneInput(bytes, n);
    }
    free(bytes);
    return ok;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (!replay(argv[i])) {
            (void)fprintf(stderr, "%s: cannot read\n", argv[i]);
            return EXIT_FAILURE;
        }
    }
    (void)printf("%d inputs replayed\n", argc - 1);
    return EXIT_SUCCESS;
}
