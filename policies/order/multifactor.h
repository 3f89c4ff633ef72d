/* SPDX-License-Identifier: MIT */
/* Integer arithmetic of multifactor priority; see multifactor_use.h. */
#ifndef POLICY_ORDER_MULTIFACTOR_H
#define POLICY_ORDER_MULTIFACTOR_H

#include <stdint.h>

#define PC_PRIORITY_UNIT (INT64_C(1) << 20) /* fixed-point unit of weighted factors */
#define PC_MOST_WEIGHT   UINT32_MAX

/* weight x (part / whole) in units, rounded down; whole > 0, 0 <= part <= 1024 x whole, weight up
 * to PC_MOST_WEIGHT. */
int64_t pc_weigh(int64_t weight, int64_t part, int64_t whole);

/* Fraction of past usage that remains after `time` for the given half-life, in 2^-63: 0.5^(time /
 * half_life). A half-life of 0 means no decay. */
uint64_t pc_faded(int64_t time, int64_t half_life);

/* used x faded, rounded down. */
uint64_t pc_fade(uint64_t used, uint64_t faded);

/* Usage after `periods` periods, in each of which it first decays and then `more` is added. */
uint64_t pc_fade_again(uint64_t used, uint64_t faded, uint64_t more, uint64_t periods);

#endif
