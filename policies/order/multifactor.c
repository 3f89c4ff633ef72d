/* SPDX-License-Identifier: MIT */
/* The arithmetic of multifactor priority; see multifactor.h. */
#include "order/multifactor.h"
#include "base/int128.h"

#define ONE (UINT64_C(1) << 63)
#define LN2 UINT64_C(0x58b90bfbe8e7bcd5) /* ln 2, in 2^-63 */

int64_t pc_weigh(int64_t weight, int64_t part, int64_t whole)
{
    uint64_t rest;
    return (int64_t)pc_multiply_divide((uint64_t)weight * (uint64_t)PC_PRIORITY_UNIT,
                                       (uint64_t)part, (uint64_t)whole, &rest);
}

uint64_t pc_fade(uint64_t used, uint64_t faded)
{
    struct pc_int128 w = pc_int128_multiply(used, faded);
    return pc_int128_shift(w, 63).lo; /* at most `used`, as `faded` is at most one */
}

/* e^-x for x in 2^-63, below ln 2: the series 1 - x + x^2/2 - x^3/6 ... */
static uint64_t exp_minus(uint64_t x)
{
    uint64_t term = ONE;
    uint64_t sum = ONE;
    for (uint64_t n = 1; term > 0; n++) {
        term = pc_fade(term, x) / n;
        sum = n % 2 == 1 ? sum - term : sum + term;
    }
    return sum;
}

uint64_t pc_faded(int64_t time, int64_t half_life)
{
    if (half_life == 0)
        return ONE;
    uint64_t rest;
    uint64_t halvings = (uint64_t)time / (uint64_t)half_life;
    uint64_t x =
        pc_multiply_divide((uint64_t)time % (uint64_t)half_life, LN2, (uint64_t)half_life, &rest);
    return halvings < 64 ? exp_minus(x) >> halvings : 0;
}

/* Consecutive periods combine into one longer period: decay, then an addition; a period is doubled
 * by applying it to itself. */
uint64_t pc_fade_again(uint64_t used, uint64_t faded, uint64_t more, uint64_t periods)
{
    for (; periods > 0; periods >>= 1) {
        if ((periods & 1) != 0)
            used = pc_fade(used, faded) + more;
        more = pc_fade(more, faded) + more;
        faded = pc_fade(faded, faded);
    }
    return used;
}
