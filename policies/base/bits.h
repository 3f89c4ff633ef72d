/* SPDX-License-Identifier: MIT */
/*
 * A set of small integers as a bitmap with three levels of summaries: bit i of a summary word says
 * that word i below is not empty. Finding the next member from any point looks at two words at most
 * on each level, however large and empty the set is; adding and removing touch at most four words.
 * The top level has to be one word, so four levels would do for 2^24 members; ranks of nodes go up
 * to 2^22.
 *
 *     level 3   [1...................]                      one bit for each word of level 2
 *     level 2   [..........1.........] ...                  one bit for each word of level 1
 *     level 1   [....1......][..1....] ...                  one bit for each word of level 0
 *     level 0   [members 0..63][members 64..127] ...
 */
#ifndef POLICY_BASE_BITS_H
#define POLICY_BASE_BITS_H

#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>

#define PC_BITS_LEVELS 4
#define PC_BITS_MAX    (1u << 22)
#define PC_NONE        UINT32_MAX

struct pc_bits {
    uint64_t *words;                /* the levels, one after the other */
    uint32_t start[PC_BITS_LEVELS]; /* of each level, in words */
    uint32_t
        capacity; /* members 0..capacity-1; a power of two, at least 64; 0: nothing allocated */
};

bool pc_bits_reserve(struct pc_bits *, const struct pc_memory *,
                     uint32_t capacity); /* false: out of memory */
void pc_bits_free(struct pc_bits *, const struct pc_memory *);

static inline void pc_bits_add(struct pc_bits *b, uint32_t i)
{
    for (int level = 0; level < PC_BITS_LEVELS; level++, i >>= 6) {
        uint64_t *word = &b->words[b->start[level] + (i >> 6)];
        uint64_t before = *word;
        *word |= UINT64_C(1) << (i & 63);
        if (before != 0)
            return; /* the levels above already know */
    }
}

static inline void pc_bits_remove(struct pc_bits *b, uint32_t i)
{
    for (int level = 0; level < PC_BITS_LEVELS; level++, i >>= 6) {
        uint64_t *word = &b->words[b->start[level] + (i >> 6)];
        *word &= ~(UINT64_C(1) << (i & 63));
        if (*word != 0)
            return;
    }
}

static inline bool pc_bits_has(const struct pc_bits *b, uint32_t i)
{
    return i < b->capacity && (b->words[i >> 6] >> (i & 63) & 1) != 0;
}

/* The smallest member >= from, or PC_NONE. */
uint32_t pc_bits_next(const struct pc_bits *, uint32_t from);

/* The smallest member >= from that is in both sets, or PC_NONE. */
static inline uint32_t pc_bits_next_common(const struct pc_bits *a, const struct pc_bits *b,
                                           uint32_t from)
{
    uint32_t i = pc_bits_next(a, from);
    for (uint32_t j = i; i != PC_NONE; i = pc_bits_next(a, j)) {
        j = pc_bits_next(b, i);
        if (i == j || j == PC_NONE)
            return j;
    }
    return PC_NONE;
}

static inline uint32_t pc_bits_first(const struct pc_bits *b)
{
    return pc_bits_next(b, 0);
}

/* Number of bits set; written out because the compiler's own may call a library. */
static inline int pc_popcount(uint64_t x)
{
    x -= x >> 1 & UINT64_C(0x5555555555555555);
    x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
    x = (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (int)(x * UINT64_C(0x0101010101010101) >> 56);
}

static inline uint32_t pc_lowest(uint64_t x) /* x != 0 */
{
    return (uint32_t)__builtin_ctzll(x);
}

/* The lowest `devices` bits: all devices of a node. 0 to 64. */
static inline uint64_t pc_all_devices(int32_t devices)
{
    return devices == 64 ? ~UINT64_C(0) : (UINT64_C(1) << devices) - 1;
}

#endif
