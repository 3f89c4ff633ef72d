/* SPDX-License-Identifier: MIT */
/* Sets of small integers with summary levels; the model is in bits.h. */
#include "base/bits.h"

#include <string.h>

/* Number of words of all levels for `capacity` members; fills in the start of each. */
static uint32_t layout(uint32_t capacity, uint32_t start[PC_BITS_LEVELS])
{
    uint32_t words = 0;
    uint32_t members = capacity;
    for (int level = 0; level < PC_BITS_LEVELS; level++) {
        start[level] = words;
        members = (members + 63) >> 6;
        words += members;
    }
    return words;
}

bool pc_bits_reserve(struct pc_bits *b, const struct pc_memory *memory, uint32_t capacity)
{
    if (capacity <= b->capacity)
        return true;
    uint32_t grown = b->capacity > 64 ? b->capacity : 64;
    while (grown < capacity)
        grown *= 2;
    struct pc_bits fresh = {.capacity = grown};
    uint32_t words = layout(grown, fresh.start);
    fresh.words = pc_alloc(memory, words, sizeof *fresh.words);
    if (fresh.words == NULL)
        return false;
    memset(fresh.words, 0, words * sizeof *fresh.words);
    for (uint32_t i = pc_bits_first(b); i != PC_NONE; i = pc_bits_next(b, i + 1))
        pc_bits_add(&fresh, i);
    pc_bits_free(b, memory);
    *b = fresh;
    return true;
}

void pc_bits_free(struct pc_bits *b, const struct pc_memory *memory)
{
    uint32_t start[PC_BITS_LEVELS];
    pc_release(memory, b->words, layout(b->capacity, start), sizeof *b->words);
    *b = (struct pc_bits){0};
}

uint32_t pc_bits_next(const struct pc_bits *b, uint32_t from)
{
    if (from >= b->capacity)
        return PC_NONE;
    /* Climb until a word has a member at or after `from`, then descend to it. */
    uint32_t i = from;
    for (int level = 0; level < PC_BITS_LEVELS; level++) {
        uint32_t words = ((b->capacity >> (6 * level)) + 63) >> 6;
        if (i >> 6 >= words)
            return PC_NONE;
        uint64_t rest = b->words[b->start[level] + (i >> 6)] >> (i & 63) << (i & 63);
        if (rest != 0) {
            i = (i & ~63u) | pc_lowest(rest);
            while (level-- > 0)
                i = i << 6 | pc_lowest(b->words[b->start[level] + i]);
            return i;
        }
        i = (i >> 6) + 1;
    }
    return PC_NONE;
}
