/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shares of links: small worlds by hand, and random ones in which no flow can get more, independent
 * of the history. */
#include "sim/storage/maxmin.h"
#include "tests/lib/harness.h"

#include <string.h>

enum { LINKS = 3, FLOWS = 4 };

/* Capacities; demands; weights of each flow on each link, 0 if it does not cross it; rates. */
static const struct {
    const char *what;
    int64_t capacity[LINKS];
    struct {
        int64_t want, weight[LINKS], rate;
    } flows[FLOWS];
} worlds[] = {
    {"there is enough", {100}, {{30, {1}, 30}, {40, {1}, 40}}},
    {"half each", {100}, {{90, {1}, 50}, {80, {1}, 50}}},
    {"who wants little leaves the rest", {100}, {{10, {1}, 10}, {80, {1}, 45}, {80, {1}, 45}}},
    {"two nodes of a job and one of another", {90}, {{100, {2}, 30}, {100, {1}, 30}}},
    {"the own node binds first", {100, 20}, {{90, {1, 1}, 20}, {90, {1}, 80}}},
    {"two on a node share it", {100, 20}, {{90, {1, 1}, 10}, {90, {1, 1}, 10}, {90, {1}, 80}}},
    {"alone on slow links, one after another",
     {60, 30, 15},
     {{99, {1, 0, 1}, 15}, {99, {1, 1}, 15}, {99, {1}, 30}, {99, {0, 1}, 15}}},
    {"no link, no bound", {1}, {{90, {0}, 90}}},
};

static size_t crosses_of(const int64_t weight[LINKS], struct maxmin_cross crosses[LINKS])
{
    size_t n = 0;
    for (uint32_t i = 0; i < LINKS; i++)
        if (weight[i] > 0)
            crosses[n++] = (struct maxmin_cross){i, weight[i] * MAXMIN_WHOLE};
    return n;
}

START_TEST(shares_by_hand)
{
    struct maxmin *m = maxmin_create();
    struct maxmin_cross crosses[LINKS];
    struct err err = {0};
    size_t count;
    for (int i = 0; i < LINKS; i++)
        (void)maxmin_add_link(m, worlds[_i].capacity[i]);
    for (int i = 0; i < FLOWS && worlds[_i].flows[i].want > 0; i++)
        (void)maxmin_join(m, worlds[_i].flows[i].want, crosses,
                          crosses_of(worlds[_i].flows[i].weight, crosses));
    (void)maxmin_settle(m, &count);
    for (uint32_t i = 0; i < FLOWS && worlds[_i].flows[i].want > 0; i++)
        ck_assert_msg(maxmin_rate(m, i) == worlds[_i].flows[i].rate,
                      "%s: flow %u has %lld, not %lld", worlds[_i].what, i,
                      (long long)maxmin_rate(m, i), (long long)worlds[_i].flows[i].rate);
    ck_assert_msg(maxmin_check(m, &err), "%s", err.msg);
    maxmin_destroy(m);
}
END_TEST

/* ---- random worlds ---- */

static int64_t draw(uint64_t *state, int64_t n)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int64_t)((*state >> 33) % (uint64_t)n);
}

enum { MANY = 40, WIDE = 12 };

struct made {
    uint32_t id;
    bool there;
    int64_t want;
    struct maxmin_cross crosses[WIDE];
    size_t count;
};

static void make(struct made *made, uint64_t *random)
{
    made->want = draw(random, 1000);
    made->count = 0;
    for (uint32_t i = 0; i < WIDE; i++)
        if (draw(random, 4) == 0)
            made->crosses[made->count++] =
                (struct maxmin_cross){i, 1 + draw(random, 5 * MAXMIN_WHOLE)};
}

/* The same flows in a new world, in another order. */
static void check_twin(const struct maxmin *m, const int64_t capacity[WIDE], const struct made *all)
{
    struct maxmin *twin = maxmin_create();
    uint32_t ids[MANY];
    size_t count;
    for (int i = 0; i < WIDE; i++)
        (void)maxmin_add_link(twin, capacity[i]);
    for (int i = MANY; i-- > 0;)
        if (all[i].there)
            ids[i] = maxmin_join(twin, all[i].want, all[i].crosses, all[i].count);
    (void)maxmin_settle(twin, &count);
    for (int i = 0; i < MANY; i++)
        if (all[i].there)
            ck_assert_int_eq(maxmin_rate(m, all[i].id), maxmin_rate(twin, ids[i]));
    maxmin_destroy(twin);
}

/* Exactly the rates reported as changed differ from the previous ones. */
static void check_changed(const struct maxmin *m, const uint32_t *changed, size_t count,
                          int64_t *known)
{
    for (size_t i = 0; i < count; i++) {
        ck_assert(i == 0 || changed[i] > changed[i - 1]);
        ck_assert_int_ne(known[changed[i]], maxmin_rate(m, changed[i]));
        known[changed[i]] = maxmin_rate(m, changed[i]);
    }
}

START_TEST(no_flow_can_have_more)
{
    uint64_t random = (uint64_t)_i * 7919 + 1;
    struct maxmin *m = maxmin_create();
    struct made all[MANY] = {0};
    int64_t capacity[WIDE], known[MANY];
    struct err err = {0};
    for (int i = 0; i < WIDE; i++)
        (void)maxmin_add_link(m, capacity[i] = 1 + draw(&random, 4000));
    memset(known, -1, sizeof known);
    for (int step = 0; step < 60; step++) {
        for (int64_t n = 1 + draw(&random, 4); n > 0; n--) {
            struct made *made = &all[draw(&random, MANY)];
            made->there = !made->there;
            if (made->there) {
                make(made, &random);
                made->id = maxmin_join(m, made->want, made->crosses, made->count);
            } else {
                maxmin_leave(m, made->id);
            }
            known[made->id] = -1;
        }
        size_t count;
        const uint32_t *changed = maxmin_settle(m, &count);
        check_changed(m, changed, count, known);
        for (int i = 0; i < MANY; i++)
            ck_assert(!all[i].there || known[all[i].id] == maxmin_rate(m, all[i].id));
        ck_assert_msg(maxmin_check(m, &err), "%s", err.msg);
        check_twin(m, capacity, all);
    }
    maxmin_destroy(m);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("maxmin");
    TCase *tcase = tcase_create("shares");
    tcase_add_loop_test(tcase, shares_by_hand, 0, ROWS(worlds));
    tcase_add_loop_test(tcase, no_flow_can_have_more, 0, 200);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
