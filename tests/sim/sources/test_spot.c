/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Spot capacity in the real simulator: what a reclaim costs a job by arithmetic, whether or not a
 * checkpoint fits into the notice; the source itself; and that it works beside other faults.
 */
#include "report/measure/ledger.h"
#include "report/measure/reliability.h"
#include "sim/sources/merge.h"
#include "sim/sources/spot.h"
#include "tests/sim/listed.h"

#define DAY_MS (INT64_C(24) * 3600 * 1000)

static int64_t gpu_s(ledger_amount amount)
{
    ck_assert(amount % 1000000 == 0);
    return (int64_t)(amount / 1000000);
}

/*
 * A job of 100 s on the only node, a checkpoint after every 30 s of work, restarts of 10 s. The
 * reclaim is announced at at_s, then the node is away for 20 s.
 */
static const struct {
    const char *what;
    int64_t write_s, at_s, notice_s;
    bool on_evict;
    int64_t end_s, failure, checkpoint, reclaimed; /* expected; seconds of the 8 devices */
} alone[] = {
    /* work to 30, write to 35, work to 45 (40 done), last write to 50, back at 70, work from 80 on:
     * 30, write, 30 */
    {"a checkpoint fits", 5, 40, 10, true, 145, 0, 15, 20},
    {"it fits exactly", 5, 45, 5, true, 145, 0, 15, 20},
    /* 39 done at 44, 30 safe; back at 64, work from 74 on: 30, write, 30, write, 10 */
    {"it does not fit", 5, 40, 4, true, 154, 9, 15, 20},
    {"nobody writes one", 5, 40, 10, false, 160, 15, 15, 20},
    /* 50 done at 50 */
    {"writing takes no time", 0, 40, 10, true, 130, 0, 0, 20},
    {"nor is there a notice", 0, 50, 0, true, 130, 0, 0, 20},
    {"no notice, and no time for it", 5, 50, 0, true, 160, 15, 15, 20},
    /* the regular one, from 30 to 35, is also the last one; the work of the second after it is lost
     */
    {"it is being written already", 5, 28, 8, true, 146, 1, 15, 20},
    /* 100 s of work and three writes are over at 115 */
    {"the job ends before the node leaves", 5, 108, 8, true, 115, 0, 15, 0},
};
#define ALONE (sizeof alone / sizeof *alone)

static void begin(struct small *s, struct listed *l, const char *preset, int nodes)
{
    memset(l, 0, sizeof *l);
    small_begin(s, preset, "");
    (void)small_pool(s, "n", nodes, 8);
    s->config.checkpoints = (struct work_checkpoints){
        .given = true, .interval_ms = 30000, .restart_ms = 10000, .on_evict = true};
}

START_TEST(a_reclaim_costs_what_arithmetic_says)
{
    struct small *s = calloc(1, sizeof *s);
    struct listed l;
    struct ledger ledger = {0};
    struct reliability seen = {0};
    const int row = _i / 2;
    const char *what = alone[row].what;
    begin(s, &l, _i % 2 == 0 ? "fifo" : "runai", 1);
    s->config.checkpoints.write_ms = alone[row].write_s * 1000;
    s->config.checkpoints.on_evict = alone[row].on_evict;
    small_job(s, "a", 0, 100000, 8);
    listed_add(s, &l, alone[row].at_s, SIM_FAULT_DRAINS, 0, alone[row].notice_s, 20)->reclaims =
        true;
    small_observe(s, ledger_observer(&ledger));
    small_observe(s, reliability_observer(&seen));
    small_run(s);
    ck_assert_msg(small_stop(s, "a") == alone[row].end_s * 1000, "%s: ends at %lld", what,
                  (long long)small_stop(s, "a"));
    ck_assert_msg(gpu_s(ledger.failure) == 8 * alone[row].failure, "%s: %lld lost", what,
                  (long long)gpu_s(ledger.failure));
    ck_assert_msg(gpu_s(ledger.checkpoint) == 8 * alone[row].checkpoint, "%s: %lld for checkpoints",
                  what, (long long)gpu_s(ledger.checkpoint));
    ck_assert_msg(gpu_s(ledger.reclaimed) == 8 * alone[row].reclaimed, "%s: %lld reclaimed", what,
                  (long long)gpu_s(ledger.reclaimed));
    ck_assert_int_eq(gpu_s(ledger.drained), 0); /* the job holds the whole node until it leaves */
    ck_assert_int_eq(gpu_s(ledger.down), 0);
    ck_assert_int_eq(gpu_s(ledger_productive(&ledger)), 800);
    ck_assert_uint_eq(seen.node_failures, 0);
    ledger_fini(&ledger);
    reliability_fini(&seen);
    small_end(s);
    free(s);
}
END_TEST

/* Half of a gang runs on a reclaimed node: all of it writes in time; the other node is free when it
 * stops. */
START_TEST(a_gang_writes_as_a_whole)
{
    struct small *s = calloc(1, sizeof *s);
    struct listed l;
    struct ledger ledger = {0};
    begin(s, &l, "fifo", 3);
    s->config.checkpoints.write_ms = 5000;
    small_job(s, "gang", 0, 100000, 16); /* on n-0 and n-1; n-2 replaces one */
    listed_add(s, &l, 40, SIM_FAULT_DRAINS, 1, 10, 1000)->reclaims = true;
    small_observe(s, ledger_observer(&ledger));
    small_run(s);
    /* 40 done at 50, restart, 60 left with one checkpoint between */
    ck_assert_int_eq(small_stop(s, "gang"), 50000 + 10000 + 65000);
    ck_assert_int_eq(gpu_s(ledger.failure), 0);
    ck_assert_int_eq(gpu_s(ledger.checkpoint), 15 * 16);
    ledger_fini(&ledger);
    small_end(s);
    free(s);
}
END_TEST

/* After the notice the node accepts no job: one that would fit waits until it returns. */
START_TEST(no_job_starts_there_after_the_notice)
{
    struct small *s = calloc(1, sizeof *s);
    struct listed l;
    struct ledger ledger = {0};
    begin(s, &l, "fifo", 1);
    small_job(s, "a", 0, 100000, 2);
    small_job(s, "b", 45000, 10000, 2);
    listed_add(s, &l, 40, SIM_FAULT_DRAINS, 0, 10, 20)->reclaims = true;
    small_observe(s, ledger_observer(&ledger));
    small_run(s);
    ck_assert_int_eq(small_start(s, "b"), 70000);
    ck_assert_int_eq(gpu_s(ledger.drained), 6 * 10);
    ledger_fini(&ledger);
    small_end(s);
    free(s);
}
END_TEST

/* ---- the source ---- */

START_TEST(reclaims_are_handed_out_as_they_come)
{
    const struct spot_pool pools[] = {
        {.first_node = 0,
         .nodes = 8,
         .monthly = 0.5,
         .together = 1,
         .notice_ms = 120000,
         .away_ms = 5000},
        {.first_node = 20,
         .nodes = 4,
         .monthly = 0.9,
         .correlated = 1,
         .together = 2,
         .away_ms = 7000},
    };
    struct spot *expected = spot_create(pools, 2, 360 * DAY_MS, 3);
    struct spot_source *source = spot_source_create(pools, 2, 360 * DAY_MS, 3);
    struct sim_faults faults = spot_source_faults(source);
    struct sim_fault f;
    int count = 0;
    ck_assert(faults.reclaims);
    faults.begin(faults.self, 1000);
    for (; spot_peek(expected) < INT64_MAX; count++) {
        struct spot_reclaim reclaim = spot_take(expected);
        ck_assert_int_eq(faults.next_ms(faults.self), reclaim.time_ms + 1000);
        ck_assert(faults.take(faults.self, &f));
        ck_assert_int_eq(f.at_ms, reclaim.time_ms + 1000);
        ck_assert_uint_eq(f.node_count, reclaim.node_count);
        ck_assert_mem_eq(f.nodes, reclaim.nodes, f.node_count * sizeof *f.nodes);
        ck_assert_int_eq(f.detect_ms, f.nodes[0] < 20 ? 120000 : 0);
        ck_assert_int_eq(f.repair_ms, f.nodes[0] < 20 ? 5000 : 7000);
        ck_assert(f.reclaims && f.effect == SIM_FAULT_DRAINS);
    }
    ck_assert_int_gt(count, 50);
    ck_assert(!faults.take(faults.self, &f));
    spot_source_destroy(source);
    spot_destroy(expected);
}
END_TEST

/* ---- side by side ---- */

START_TEST(two_sources_are_one)
{
    struct small *s = calloc(1, sizeof *s);
    struct listed a, b;
    struct sim_fault f;
    begin(s, &a, "fifo", 4);
    memset(&b, 0, sizeof b);
    (void)listed_add(s, &a, 10, SIM_FAULT_KILLS, 0, 0, 1);
    listed_add(s, &a, 30, SIM_FAULT_KILLS, 1, 0, 1)->class = 1;
    struct sim_faults first = s->config.faults;
    (void)listed_add(s, &b, 5, SIM_FAULT_KILLS, 2, 0, 1);
    listed_add(s, &b, 30, SIM_FAULT_KILLS, 3, 0, 1)->class = 1;
    struct fault_merge *merge = fault_merge_create(&first, &s->config.faults);
    struct sim_faults both = fault_merge_faults(merge);
    static const struct {
        int64_t at_s;
        uint32_t node, class;
    } expected[] = {
        {5, 2, 2},
        {10, 0, 0},
        {30, 1, 1},
        {30, 3, 3},
    };
    ck_assert_uint_eq(both.class_count, 4);
    ck_assert_str_eq(both.classes[1], "two");
    ck_assert_str_eq(both.classes[2], "one");
    for (size_t i = 0; i < 4; i++) {
        ck_assert_int_eq(both.next_ms(both.self), expected[i].at_s * 1000);
        ck_assert(both.take(both.self, &f));
        ck_assert_int_eq(f.at_ms, expected[i].at_s * 1000);
        ck_assert_uint_eq(f.nodes[0], expected[i].node);
        ck_assert_uint_eq(f.class, expected[i].class);
    }
    ck_assert_int_eq(both.next_ms(both.self), INT64_MAX);
    ck_assert(!both.take(both.self, &f));
    fault_merge_destroy(merge);
    small_end(s);
    free(s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("spot source");
    TCase *tcase = tcase_create("spot source");
    tcase_set_timeout(tcase, 0);
    tcase_add_loop_test(tcase, a_reclaim_costs_what_arithmetic_says, 0, 2 * (int)ALONE);
    tcase_add_test(tcase, a_gang_writes_as_a_whole);
    tcase_add_test(tcase, no_job_starts_there_after_the_notice);
    tcase_add_test(tcase, reclaims_are_handed_out_as_they_come);
    tcase_add_test(tcase, two_sources_are_one);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
