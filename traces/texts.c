/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks of strings, and untrusted bytes in messages. */
#include "traces/texts.h"

#include "sim/base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_BYTES ((size_t)64 * 1024)

struct texts_block {
    struct texts_block *older;
    size_t used, size;
    char bytes[];
};

void texts_init(struct texts *texts)
{
    texts->blocks = NULL;
}

const char *texts_copy(struct texts *texts, const char *text, size_t n)
{
    struct texts_block *block = texts->blocks;
    if (!block || block->size - block->used < n + 1) {
        size_t size = n + 1 > BLOCK_BYTES ? n + 1 : BLOCK_BYTES;
        block = mem_resize(NULL, sizeof *block + size, 1);
        *block = (struct texts_block){.older = texts->blocks, .size = size};
        texts->blocks = block;
    }
    char *copy = block->bytes + block->used;
    memcpy(copy, text, n);
    copy[n] = '\0';
    block->used += n + 1;
    return copy;
}

void texts_clear(struct texts *texts)
{
    struct texts_block *block = texts->blocks;
    if (!block)
        return;
    // The oldest block has the usual size unless the very first string was longer.
    while (block->older) {
        struct texts_block *older = block->older;
        free(block);
        block = older;
    }
    block->used = 0;
    texts->blocks = block;
}

void texts_fini(struct texts *texts)
{
    while (texts->blocks) {
        struct texts_block *older = texts->blocks->older;
        free(texts->blocks);
        texts->blocks = older;
    }
}

const char *texts_show(char *buffer, size_t size, const char *text, size_t n)
{
    size_t used = 0;
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)text[i];
        // Up to four bytes for this one, three for dots, one for the NUL.
        if (used + 8 > size) {
            memcpy(buffer + used, "...", 3);
            used += 3;
            break;
        }
        if (c >= 0x20 && c < 0x7f)
            buffer[used++] = (char)c;
        else
            used += (size_t)snprintf(buffer + used, size - used, "\\x%02x", c);
    }
    buffer[used] = '\0';
    return buffer;
}
