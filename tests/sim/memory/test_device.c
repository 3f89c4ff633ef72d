/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which tenants are evicted, which can never continue, and what taking turns costs: by hand, and
 * against every possible choice. */
#include "sim/memory/device.h"
#include "tests/sim/small.h"

enum { MOST = 6, RUNS = 3000 };

/* held, number, priority, idle, waits, leaves */
#define TENANT(h, n, p, i, w, l)                                                                   \
    {                                                                                              \
        .held_mib = h, .number = n, .priority = p, .idle = i, .hopeless = w, .leaves = l           \
    }

// clang-format off
static const struct {
    const char *what;
    struct memory_tenant t[MOST]; /* the first one grows */
    size_t count;
    int64_t need_mib;
    size_t victims[MOST], victim_count;
} makes_room[] = {
    {"the lower priority goes", {TENANT(10, 0, 100, 0, 0, 0), TENANT(20, 1, 50, 0, 0, 0)}, 2, 20,
     {1}, 1},
    {"an equal one does not", {TENANT(10, 0, 50, 0, 0, 0), TENANT(20, 1, 50, 0, 0, 0)}, 2, 20, {0},
     0},
    {"an idle one does, whatever its priority", {TENANT(10, 0, 50, 0, 0, 0), TENANT(20, 1, 125, 1,
     0, 0)}, 2, 20, {1}, 1},
    {"idle ones first", {TENANT(10, 0, 100, 0, 0, 0), TENANT(20, 1, 50, 0, 0, 0), TENANT(20, 2, 75,
     1, 0, 0)}, 3, 20, {2}, 1},
    {"lowest first", {TENANT(10, 0, 100, 0, 0, 0), TENANT(20, 1, 60, 0, 0, 0), TENANT(20, 2, 50, 0,
     0, 0)}, 3, 20, {2}, 1},
    {"of equals the youngest", {TENANT(10, 0, 100, 0, 0, 0), TENANT(20, 7, 50, 0, 0, 0), TENANT(20,
     3, 50, 0, 0, 0)}, 3, 20, {1}, 1},
    {"as many as it takes", {TENANT(10, 0, 100, 0, 0, 0), TENANT(20, 7, 50, 0, 0, 0), TENANT(20, 3,
     50, 0, 0, 0)}, 3, 21, {1, 2}, 2},
    {"nobody when it is not enough", {TENANT(10, 0, 100, 0, 0, 0), TENANT(20, 7, 50, 0, 0, 0),
     TENANT(20, 3, 125, 0, 0, 0)}, 3, 21, {0}, 0},
    {"who leaves anyway is no help now", {TENANT(10, 0, 100, 0, 0, 0), TENANT(20, 7, 50, 0, 0, 1)},
     2, 5, {0}, 0},
    {"nor who has nothing", {TENANT(10, 0, 100, 0, 0, 0), TENANT(0, 9, 50, 0, 0, 0), TENANT(5, 7,
     50, 0, 0, 0)}, 3, 5, {2}, 1},
};

static const struct {
    const char *what;
    struct memory_tenant t[MOST];
    size_t count, youngest;
} stuck[] = {
    {"all wait", {TENANT(10, 0, 0, 0, 1, 0), TENANT(10, 2, 0, 0, 1, 0), TENANT(10, 1, 0, 0, 1, 0)},
     3, 1},
    {"one works", {TENANT(10, 0, 0, 0, 1, 0), TENANT(10, 2, 0, 0, 0, 0), TENANT(10, 1, 0, 0, 1,
     0)}, 3, 3},
    {"one works that has nothing", {TENANT(10, 0, 0, 0, 1, 0), TENANT(0, 2, 0, 0, 0, 0), TENANT(10,
     1, 0, 0, 1, 0)}, 3, 2},
    {"one leaves", {TENANT(10, 0, 0, 0, 1, 0), TENANT(10, 2, 0, 0, 1, 1)}, 2, 2},
    {"the youngest has nothing to give", {TENANT(10, 0, 0, 0, 1, 0), TENANT(0, 5, 0, 0, 1, 0),
     TENANT(1, 3, 0, 0, 1, 0)}, 3, 2},
    {"nobody else has any", {TENANT(10, 0, 0, 0, 1, 0), TENANT(0, 5, 0, 0, 1, 0)}, 2, 2},
};
// clang-format on

START_TEST(room_is_made)
{
    size_t victims[MOST];
    size_t n =
        memory_victims(makes_room[_i].t, makes_room[_i].count, 0, makes_room[_i].need_mib, victims);
    ck_assert_msg(n == makes_room[_i].victim_count, "%s: %zu go", makes_room[_i].what, n);
    for (size_t i = 0; i < n; i++)
        ck_assert_msg(victims[i] == makes_room[_i].victims[i], "%s: %zu", makes_room[_i].what,
                      victims[i]);
}
END_TEST

START_TEST(the_youngest_of_a_deadlock_is_found)
{
    ck_assert_msg(memory_stuck(stuck[_i].t, stuck[_i].count, 0) == stuck[_i].youngest, "%s: %zu",
                  stuck[_i].what, memory_stuck(stuck[_i].t, stuck[_i].count, 0));
}
END_TEST

/* A rank that sorts by the rule: idle, then priority, then the youngest first. Priorities and
 * numbers are below 100. */
static int64_t rank_of(const struct memory_tenant *t)
{
    return (t->idle ? 0 : 1000000) + (int64_t)t->priority * 1000 + (99 - (int64_t)t->number);
}

/* A tenant that may be evicted and ranks before a victim is a victim, too; without the last victim
 * there is not enough room. */
START_TEST(victims_are_the_first_that_are_enough)
{
    uint64_t state = 42;
    for (int run = 0; run < RUNS; run++) {
        struct memory_tenant t[MOST];
        size_t count = (size_t)small_below(&state, MOST) + 1, victims[MOST];
        for (size_t i = 0; i < count; i++)
            t[i] = (struct memory_tenant)TENANT(
                small_below(&state, 4) * 10, i * 7 % 6, (int32_t)small_below(&state, 3),
                small_below(&state, 3) == 0, false, small_below(&state, 5) == 0);
        int64_t need = small_below(&state, 60) + 1, all = 0, taken = 0;
        for (size_t i = 1; i < count; i++)
            if (!t[i].leaves && (t[i].idle || t[i].priority < t[0].priority))
                all += t[i].held_mib;
        size_t n = memory_victims(t, count, 0, need, victims);
        ck_assert_int_eq(n > 0, all >= need);
        for (size_t i = 0; i < n; i++) {
            const struct memory_tenant *v = &t[victims[i]];
            ck_assert(victims[i] != 0 && !v->leaves && (v->idle || v->priority < t[0].priority));
            ck_assert_int_lt(taken, need);
            taken += v->held_mib;
            for (size_t k = 1; k < count; k++) {
                bool gone = false;
                for (size_t j = 0; j < i; j++)
                    gone |= victims[j] == k;
                bool may = !t[k].leaves && t[k].held_mib > 0 &&
                           (t[k].idle || t[k].priority < t[0].priority);
                ck_assert(k == victims[i] || gone || !may || rank_of(&t[k]) > rank_of(v));
            }
        }
        ck_assert(n == 0 || taken >= need);
    }
}
END_TEST

/*
 * 20 GiB too much, 25 GB/s, turns of a minute: 2 x 20 x 2^30 B take 1.7179869 s, so the speed is 60
 * / 61.717986; an hour has 58.33 rounds of 40 GiB.
 */
START_TEST(turns_cost_what_the_formula_says)
{
    struct memory_rules rules = {.host_mbps = 25000, .turn_ms = 60000};
    ck_assert_int_eq(memory_swap_ppm(&rules, 20480), 972163);
    ck_assert_int_eq(memory_swap_kib(&rules, 20480, 3600000) >> 20,
                     2333); /* GiB: 3600 / 61.717986 x 40 */
    ck_assert_int_eq(memory_swap_ppm(&rules, 0), 1000000);
    ck_assert_int_eq(memory_swap_ppm(&rules, -5), 1000000);
    ck_assert_int_eq(memory_swap_kib(&rules, -5, 1000), 0);
    rules.turn_ms = 1;
    rules.host_mbps = 1;
    ck_assert_int_eq(memory_swap_ppm(&rules, 1000000000), 1);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("device");
    TCase *tcase = tcase_create("device");
    tcase_add_loop_test(tcase, room_is_made, 0, ROWS(makes_room));
    tcase_add_loop_test(tcase, the_youngest_of_a_deadlock_is_found, 0, ROWS(stuck));
    tcase_add_test(tcase, victims_are_the_first_that_are_enough);
    tcase_add_test(tcase, turns_cost_what_the_formula_says);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
