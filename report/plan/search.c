/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Brackets, bisects and verifies; see search.h. */
#include "report/plan/search.h"

static uint32_t each_of(const struct search *s)
{
    return (uint32_t)((UINT64_C(1) << s->target_count) - 1);
}

static uint32_t all_of(const struct search *s)
{
    return each_of(s) | (s->together ? UINT32_C(1) << s->target_count : 0);
}

static bool meets(const struct search *s, int64_t number, uint32_t wanted, bool *yes,
                  struct err *err)
{
    uint32_t met = 0;
    if (!s->try(s->self, number, &met, err))
        return false;
    *yes = (met & wanted) == wanted;
    return true;
}

#define FIRST_STEP 8 /* upward from the start by an eighth of it, doubling each time */

static void expect(const struct search *s, int64_t between)
{
    size_t left = (size_t)SEARCH_WINDOW + 1;
    for (; between > 1; between = (between + 1) / 2)
        left++;
    if (s->expect != NULL)
        s->expect(s->self, left);
}

/*
 * Finds, between a number that misses a wanted target and *hit, which meets all wanted, a number
 * whose predecessor misses.
 */
static bool bisect(const struct search *s, uint32_t wanted, int64_t miss, int64_t *hit,
                   struct err *err)
{
    while (*hit - miss > 1) {
        int64_t middle = miss + (*hit - miss) / 2;
        bool yes;
        expect(s, *hit - miss);
        if (!meets(s, middle, wanted, &yes, err))
            return false;
        if (yes)
            *hit = middle;
        else
            miss = middle;
    }
    return true;
}

/*
 * Finds a number that meets one target which the start misses, and whose predecessor misses it; 0
 * if there is none.
 */
static bool reach(const struct search *s, uint32_t target, int64_t *number, struct err *err)
{
    int64_t miss = s->start, hit = s->start,
            step = s->start / FIRST_STEP > 1 ? s->start / FIRST_STEP : 1;
    bool yes = false;
    while (!yes) {
        if (hit == s->high) {
            *number = 0;
            return true;
        }
        miss = hit;
        hit = step > s->high - hit ? s->high : hit + step;
        step = step > s->high / 2 ? s->high : 2 * step;
        expect(s, 2 * (hit - miss));
        if (!meets(s, hit, target, &yes, err))
            return false;
    }
    *number = hit;
    return bisect(s, target, miss, number, err);
}

/* Finds the largest of the numbers that the targets need separately. */
static bool reach_each(const struct search *s, struct search_result *result, int64_t *candidate,
                       struct err *err)
{
    uint32_t met = 0;
    *candidate = s->start;
    expect(s, s->start);
    if (!s->try(s->self, s->start, &met, err))
        return false;
    for (size_t t = 0; t < s->target_count; t++) {
        uint32_t target = UINT32_C(1) << t;
        int64_t number = s->start;
        if ((met & target) == 0 && !reach(s, target, &number, err))
            return false;
        if (number == 0)
            result->unreachable |= target;
        *candidate = number > *candidate ? number : *candidate;
    }
    return true;
}

static bool join(const struct search *s, int64_t candidate, int64_t *joined, struct err *err)
{
    *joined = 0;
    for (int64_t n = candidate; n <= s->high && n <= candidate + SEARCH_WINDOW && *joined == 0;
         n++) {
        bool yes;
        if (!meets(s, n, all_of(s), &yes, err))
            return false;
        *joined = yes ? n : 0;
    }
    return true;
}

/* Goes upward from a number that meets each target but not all together, as long as each is met. */
static bool join_further(const struct search *s, int64_t from, int64_t *joined, struct err *err)
{
    int64_t miss = from, step = SEARCH_WINDOW;
    for (uint32_t met = each_of(s); (met & each_of(s)) == each_of(s) && miss < s->high; step *= 2) {
        int64_t next = step > s->high - miss ? s->high : miss + step;
        expect(s, 2 * step);
        if (!s->try(s->self, next, &met, err))
            return false;
        if ((met & all_of(s)) == all_of(s)) {
            *joined = next;
            return bisect(s, all_of(s), miss, joined, err);
        }
        miss = next;
    }
    return true;
}

static bool verify(const struct search *s, struct search_result *result, struct err *err)
{
    int64_t best = result->answer;
    for (int64_t below = 1; below <= SEARCH_WINDOW && best - below >= s->low;) {
        bool yes;
        expect(s, 0);
        if (!meets(s, best - below, all_of(s), &yes, err))
            return false;
        best -= yes ? below : 0;
        below = yes ? 1 : below + 1;
    }
    result->answer = best;
    result->above_tried = best < s->high;
    return !result->above_tried || meets(s, best + 1, all_of(s), &result->above_meets, err);
}

bool search_smallest(const struct search *s, struct search_result *result, struct err *err)
{
    *result = (struct search_result){0};
    int64_t candidate;
    if (!reach_each(s, result, &candidate, err))
        return false;
    if (result->unreachable != 0)
        return true;
    int64_t tried = candidate + SEARCH_WINDOW < s->high ? candidate + SEARCH_WINDOW : s->high;
    if (!join(s, candidate, &result->answer, err) ||
        (result->answer == 0 && s->together && !join_further(s, tried, &result->answer, err)))
        return false;
    if (result->answer == 0) {
        result->conflict = candidate;
        return true;
    }
    return verify(s, result, err);
}
