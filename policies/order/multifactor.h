/* SPDX-License-Identifier: MIT */
/* The arithmetic of multifactor priority, in integers; what it is about is in multifactor_use.h. */
#ifndef POLICY_ORDER_MULTIFACTOR_H
#define POLICY_ORDER_MULTIFACTOR_H

#include <stdint.h>

#define PC_PRIORITY_UNIT (INT64_C(1) << 20) /* priorities are weighed factors in these */
#define PC_MOST_WEIGHT   UINT32_MAX

/* weight x (part / whole) in units, rounded down; whole > 0, 0 <= part <= 1024 x whole, weight up
 * to PC_MOST_WEIGHT. */
int64_t pc_weigh(int64_t weight, int64_t part, int64_t whole);

/* What is left of use after `time` when half is left after `half_life`, in 2^-63: 0.5^(time /
 * half_life). No decay: 0. */
uint64_t pc_faded(int64_t time, int64_t half_life);

/* used x faded, rounded down. */
uint64_t pc_fade(uint64_t used, uint64_t faded);

/* After so many periods, in each of which use first fades and then `more` is added. */
uint64_t pc_fade_again(uint64_t used, uint64_t faded, uint64_t more, uint64_t periods);

#endif
