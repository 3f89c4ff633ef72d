/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reclaims: as frequent as requested, equally in every month, and independent of the rest of the
 * fleet; nodes that are away stay away. */
#include "sim/faults/spot.h"
#include "tests/lib/harness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DAY_MS   (INT64_C(24) * 3600 * 1000)
#define MONTH_MS (30 * DAY_MS)

/* Nodes are never away for long, so that the count is that of the process itself. */
static struct spot_pool pool_of(uint32_t first, uint32_t nodes, double monthly, double correlated,
                                uint32_t together)
{
    return (struct spot_pool){.first_node = first,
                              .nodes = nodes,
                              .monthly = monthly,
                              .correlated = correlated,
                              .together = together,
                              .away_ms = 1};
}

struct counts {
    double events, several, nodes; /* reclaims, those of several nodes, nodes in all */
    double hit[12];                /* months of nodes with at least one, by month */
};

static struct counts count(const struct spot_pool *pool, int months, uint64_t seed)
{
    struct counts c = {0};
    int *last =
        calloc(pool->first_node + pool->nodes, sizeof *last); /* month of the last one, from 1 */
    struct spot *spot = spot_create(pool, 1, months * MONTH_MS, seed);
    int64_t before = 0;
    while (spot_peek(spot) < INT64_MAX) {
        int64_t at = spot_peek(spot);
        struct spot_reclaim reclaim = spot_take(spot);
        ck_assert_int_eq(reclaim.time_ms, at);
        ck_assert_int_ge(at, before);
        ck_assert_int_lt(at, months * MONTH_MS);
        before = at;
        c.events++;
        c.several += reclaim.node_count > 1;
        for (uint32_t i = 0; i < reclaim.node_count; i++) {
            uint32_t node = reclaim.nodes[i];
            int month = (int)(at / MONTH_MS);
            ck_assert_uint_ge(node, pool->first_node);
            ck_assert_uint_lt(node, pool->first_node + pool->nodes);
            ck_assert(i == 0 || node > reclaim.nodes[i - 1]);
            c.nodes++;
            if (last[node] != month + 1 && month < 12)
                c.hit[month]++;
            last[node] = month + 1;
        }
    }
    spot_destroy(spot);
    free(last);
    return c;
}

/* Within four standard deviations of a count with mean `expected`; `width`: reclaims this close
 * count as one. */
static void near(const char *what, double got, double expected, double width)
{
    ck_assert_msg(fabs(got - expected) <= 4 * sqrt(expected * width), "%s: %.0f, expected %.0f",
                  what, got, expected);
}

static const struct {
    double monthly, correlated;
    uint32_t together;
} mixes[] = {
    {0.075, 0, 1},
    {0.075, 0.2, 4},
    {0.175, 0.5, 8},
    {0.5, 1, 3},
};

START_TEST(as_often_as_the_band_says)
{
    const uint32_t nodes = 5000;
    const double monthly = mixes[_i].monthly, share = mixes[_i].correlated,
                 together = mixes[_i].together;
    struct spot_pool pool = pool_of(7, nodes, monthly, share, mixes[_i].together);
    struct counts c = count(&pool, 12, 1);
    double expected = -log(1 - monthly) * nodes * 12;
    double events = expected / (1 - share + share * together);
    near("nodes", c.nodes, expected, together);
    near("reclaims", c.events, events, 1);
    near("of several nodes", c.several, events * share, 1);
    for (int month = 0; month < 12;
         month++) /* also in the first month: the process has no beginning */
        near("nodes that were reclaimed at least once in a month", c.hit[month], monthly * nodes,
             together);
}
END_TEST

START_TEST(none_without_interruptions)
{
    struct spot_pool pool = pool_of(0, 100, 0, 0.5, 4);
    ck_assert_int_eq((int)count(&pool, 100, 1).events, 0);
}
END_TEST

/* A group never exceeds the pool; if it would, it is the whole pool. */
START_TEST(no_more_than_the_pool)
{
    struct spot_pool pool = pool_of(3, 4, 0.9, 1, 100);
    struct spot *spot = spot_create(&pool, 1, 100 * MONTH_MS, 5);
    int seen = 0;
    for (; spot_peek(spot) < INT64_MAX; seen++)
        ck_assert_uint_eq(spot_take(spot).node_count, 4);
    ck_assert_int_gt(seen, 100);
    spot_destroy(spot);
}
END_TEST

/* The times at which a node of a one-pool fleet is reclaimed; returns their number, at most `most`.
 */
static size_t times_of(uint32_t node, uint32_t nodes, int64_t *times, size_t most)
{
    struct spot_pool pool = pool_of(0, nodes, 0.3, 0, 1);
    struct spot *spot = spot_create(&pool, 1, 120 * MONTH_MS, 9);
    size_t n = 0;
    while (spot_peek(spot) < INT64_MAX && n < most) {
        struct spot_reclaim reclaim = spot_take(spot);
        if (reclaim.nodes[0] == node)
            times[n++] = reclaim.time_ms;
    }
    spot_destroy(spot);
    return n;
}

START_TEST(more_nodes_move_no_reclaim)
{
    int64_t few[64], many[64];
    size_t n = times_of(3, 5, few, 64);
    ck_assert_uint_gt(n, 10);
    ck_assert_uint_eq(times_of(3, 500, many, 64), n);
    ck_assert_mem_eq(few, many, n * sizeof *few);
    times_of(2, 5, many, 64);
    ck_assert_int_ne(few[0], many[0]);
}
END_TEST

/* A node that is away or about to be cannot be reclaimed; groups take other nodes. */
START_TEST(absent_nodes_are_not_reclaimed)
{
    struct spot_pool pool = pool_of(0, 12, 0.9, 0.4, 5);
    pool.notice_ms = DAY_MS;
    pool.away_ms = 2 * DAY_MS;
    int64_t back[12] = {0};
    int smaller = 0;
    struct spot *spot = spot_create(&pool, 1, 100 * MONTH_MS, 4);
    while (spot_peek(spot) < INT64_MAX) {
        struct spot_reclaim reclaim = spot_take(spot);
        smaller += reclaim.node_count > 1 && reclaim.node_count < 5;
        for (uint32_t i = 0; i < reclaim.node_count; i++) {
            ck_assert_int_ge(reclaim.time_ms, back[reclaim.nodes[i]]);
            back[reclaim.nodes[i]] = reclaim.time_ms + 3 * DAY_MS;
        }
    }
    ck_assert_int_gt(smaller, 10);
    spot_destroy(spot);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("spot");
    TCase *tcase = tcase_create("spot");
    tcase_set_timeout(tcase, 0);
    tcase_add_loop_test(tcase, as_often_as_the_band_says, 0, (int)(sizeof mixes / sizeof *mixes));
    tcase_add_test(tcase, none_without_interruptions);
    tcase_add_test(tcase, no_more_than_the_pool);
    tcase_add_test(tcase, more_nodes_move_no_reclaim);
    tcase_add_test(tcase, absent_nodes_are_not_reclaimed);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
