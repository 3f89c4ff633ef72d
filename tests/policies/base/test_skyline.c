/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Skylines against an array of amounts, one for each unit of time. */
#include "base/skyline.h"
#include "tests/lib/core.h"
#include "tests/lib/draw.h"
#include "tests/lib/harness.h"

/* Steps at LAST or later last forever. */
enum { LAST = 60, STEPS = 2000, MOST_NEED = 12 };

struct twin {
    int64_t amount[LAST + 1];
    int64_t begin;
};

static int64_t below(uint64_t *random, int64_t n)
{
    return (int64_t)(test_draw(random) % (uint64_t)n);
}

static bool changes(const struct twin *t, int64_t at)
{
    return t->amount[at] != t->amount[at - 1];
}

static int64_t naive_next(const struct twin *t, int64_t after, int64_t need, bool low)
{
    for (int64_t at = after + 1; at <= LAST; at++)
        if (changes(t, at) && (t->amount[at] < need) == low)
            return at;
    return INT64_MAX;
}

static int64_t naive_fit(const struct twin *t, int64_t from, int64_t before, int64_t need,
                         int64_t duration)
{
    for (int64_t at = from; at <= LAST && at < before; at++) {
        if (at > from && !changes(t, at))
            continue;
        int64_t to = at;
        while (to <= LAST && to - at < duration && t->amount[to] >= need)
            to++;
        if (to > LAST || to - at >= duration)
            return at;
    }
    return INT64_MAX;
}

static void add(struct pc_skyline *s, struct twin *t, uint64_t *random)
{
    int64_t from = below(random, LAST + 1), amount = below(random, 9) - 4;
    int64_t to = below(random, 4) == 0 ? INT64_MAX : below(random, LAST + 1);
    pc_skyline_add(s, from, to, amount);
    for (int64_t at = from; at <= LAST && at < to; at++)
        t->amount[at] += amount;
}

static void compare(const struct pc_skyline *s, const struct twin *t, uint64_t *random)
{
    int64_t from = t->begin + below(random, LAST + 1 - t->begin),
            need = below(random, MOST_NEED) - 4;
    int64_t before = below(random, 2) == 0 ? INT64_MAX : from + below(random, LAST);
    int64_t duration = below(random, 4) == 0 ? INT64_MAX : below(random, 16);
    int64_t least = t->amount[t->begin];
    for (int64_t at = t->begin; at <= LAST; at++)
        least = t->amount[at] < least ? t->amount[at] : least;
    ck_assert_int_eq(pc_skyline_least(s), least);
    ck_assert_int_eq(pc_skyline_at(s, from), t->amount[from]);
    ck_assert_int_eq(pc_skyline_next_below(s, from, need), naive_next(t, from, need, true));
    ck_assert_int_eq(pc_skyline_next_enough(s, from, need), naive_next(t, from, need, false));
    struct pc_skyline_cursor c = pc_skyline_cursor_at(s, from);
    ck_assert_int_eq(c.amount, t->amount[from]);
    bool below_it = t->amount[from] >= need;
    for (int64_t at = from; at < INT64_MAX; below_it = !below_it) {
        int64_t to = naive_next(t, at, need, below_it);
        ck_assert_int_eq(
            below_it ? pc_skyline_to_below(s, &c, need) : pc_skyline_to_enough(s, &c, need), to);
        ck_assert_int_eq(c.amount, t->amount[to < INT64_MAX ? to : at]);
        at = to;
    }
    int64_t next = from + 1;
    while (next <= LAST && !changes(t, next))
        next++;
    ck_assert_int_eq(pc_skyline_next(s, from), next > LAST ? INT64_MAX : next);
    int64_t since = from;
    while (since > t->begin && t->amount[since - 1] >= need)
        since--;
    if (t->amount[from] >= need)
        ck_assert_int_eq(pc_skyline_enough_since(s, from, need), since);
    ck_assert_int_eq(pc_skyline_fit(s, from, before, need, duration),
                     naive_fit(t, from, before, need, duration));
}

START_TEST(answers_as_an_array_does)
{
    uint64_t random = (uint64_t)_i;
    struct tally tally = {0};
    const struct pc_memory memory = {tally_allocator(&tally)};
    struct pc_skyline s;
    struct twin t = {.begin = 0};
    pc_skyline_init(&s, 0, 5);
    for (int64_t at = 0; at <= LAST; at++)
        t.amount[at] = 5;
    for (int step = 0; step < STEPS; step++) {
        ck_assert(pc_skyline_reserve(&s, &memory, 1));
        add(&s, &t, &random);
        if (step % (STEPS / LAST * 2) == 0 && t.begin < LAST - 1)
            pc_skyline_advance(&s, ++t.begin);
        compare(&s, &t, &random);
    }
    ck_assert_uint_le(s.count, LAST);
    ck_assert_uint_le(s.capacity, 2 * (LAST + 2)); /* removed steps are reused */
    pc_skyline_free(&s, &memory);
    ck_assert_uint_eq(tally.bytes, 0);
}
END_TEST

/* Four devices are taken from 10 to 20, two more from 15 to 30, of eight. */
START_TEST(the_earliest_fit_is_by_arithmetic)
{
    static const struct {
        int64_t need, duration, at;
    } rows[] = {
        {2, 100, 0}, {3, 15, 0}, /* up to 15, when two are left */
        {3, 16, 20},             /* six from 20 on */
        {6, 10, 0},  {6, 11, 20}, {7, 10, 0}, {7, 11, 30}, {8, INT64_MAX, 30}, {9, 1, INT64_MAX},
    };
    struct tally tally = {0};
    const struct pc_memory memory = {tally_allocator(&tally)};
    struct pc_skyline s;
    pc_skyline_init(&s, 0, 8);
    ck_assert(pc_skyline_reserve(&s, &memory, 2));
    pc_skyline_add(&s, 10, 20, -4);
    pc_skyline_add(&s, 15, 30, -2);
    for (int i = 0; i < ROWS(rows); i++)
        ck_assert_int_eq(pc_skyline_fit(&s, 0, INT64_MAX, rows[i].need, rows[i].duration),
                         rows[i].at);
    pc_skyline_free(&s, &memory);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("skyline");
    TCase *tcase = tcase_create("skyline");
    tcase_add_loop_test(tcase, answers_as_an_array_does, 1, 1 + harness_repeats(8));
    tcase_add_test(tcase, the_earliest_fit_is_by_arithmetic);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
