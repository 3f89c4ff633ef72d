/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recorded outages in the real simulator: what they cost a job by arithmetic, and their order. */
#include "sim/sources/merge.h"
#include "sim/sources/outages.h"
#include "tests/sim/listed.h"

START_TEST(they_come_in_order_of_time)
{
    static const struct outage outages[] = {{50, 60, 3}, {10, INT64_MAX, 1}, {50, 51, 0}};
    static const struct {
        int64_t at_ms;
        uint32_t node;
    } expected[] = {{10, 1}, {50, 0}, {50, 3}};
    struct outage_source *source = outage_source_create(outages, ROWS(outages));
    struct sim_faults faults = outage_source_faults(source);
    struct sim_fault fault;
    for (size_t i = 0; i < ROWS(expected); i++) {
        ck_assert_int_eq(faults.next_ms(faults.self), expected[i].at_ms);
        ck_assert(faults.take(faults.self, &fault));
        ck_assert_int_eq(fault.at_ms, expected[i].at_ms);
        ck_assert_uint_eq(fault.nodes[0], expected[i].node);
        ck_assert_int_gt(fault.repair_ms, 0);
    }
    ck_assert(faults.next_ms(faults.self) == INT64_MAX);
    ck_assert(!faults.take(faults.self, &fault));
    outage_source_destroy(source);
    outage_source_destroy(NULL);
}
END_TEST

/*
 * Two nodes of 8; jobs a and b of 8 GPUs and 100 s at 0 s, c of 8 and 5 s at 20 s. Node 0 is down
 * from 50 to 80 s: a, which runs there, loses 50 s of work, waits, and starts over at 80 s; c
 * starts when b ends. If the node does not return, a follows on b's node, where c, being younger,
 * waits for it.
 */
static const struct {
    int64_t up_s, a_ends_s, c_ends_s;
    bool beside; /* another source of faults, which hits node 1 at 500 s, after all jobs have ended
                  */
} rows[] = {
    {80, 180, 105, false},
    {80, 180, 105, true},
    {-1, 200, 205, false},
    {-1, 200, 205, true},
};

START_TEST(a_job_starts_over)
{
    struct small *s = calloc(1, sizeof *s);
    struct listed l = {.count = 0};
    const struct outage outage = {50000, rows[_i].up_s < 0 ? INT64_MAX : rows[_i].up_s * 1000, 0};
    struct outage_source *source = outage_source_create(&outage, 1);
    struct fault_merge *merge = NULL;
    small_begin(s, "fifo", "");
    (void)small_pool(s, "n", 2, 8);
    s->config.checkpoints = (struct work_checkpoints){.given = true};
    small_job(s, "a", 0, 100000, 8);
    small_job(s, "b", 0, 100000, 8);
    small_job(s, "c", 20000, 5000, 8);
    listed_add(s, &l, 500, SIM_FAULT_KILLS, 1, 0, 10);
    struct sim_faults own = outage_source_faults(source);
    if (rows[_i].beside) {
        merge = fault_merge_create(&s->config.faults, &own);
        own = fault_merge_faults(merge);
    }
    s->config.faults = own;
    small_run(s);
    ck_assert_int_eq(small_stop(s, "a"), rows[_i].a_ends_s * 1000);
    ck_assert_int_eq(small_stop(s, "b"), 100000);
    ck_assert_int_eq(small_stop(s, "c"), rows[_i].c_ends_s * 1000);
    small_end(s);
    fault_merge_destroy(merge);
    outage_source_destroy(source);
    free(s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("outage_source");
    TCase *tcase = tcase_create("outages");
    tcase_add_test(tcase, they_come_in_order_of_time);
    tcase_add_loop_test(tcase, a_job_starts_over, 0, ROWS(rows));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
