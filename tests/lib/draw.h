/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random numbers for tests: splitmix64, https://prng.di.unimi.it/splitmix64.c. The initial state is
 * the seed. */
#ifndef TESTS_LIB_DRAW_H
#define TESTS_LIB_DRAW_H

#include <stdint.h>

static inline uint64_t test_draw(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

#endif
