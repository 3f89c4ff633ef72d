/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * FGD: its score against the literal sigmoid, and placements by hand. With one typical task of one
 * whole device, F is the rest of the devices in use, or everything if no device is free.
 */
#include "place/fragment.h"
#include "tests/lib/core.h"
#include "tests/lib/harness.h"

#include <math.h>

/* ---- the score ---- */

static int64_t as_written(double gradient)
{
    return (int64_t)(1.0 / (1.0 + exp(-(gradient / 1000.0))) * 100.0);
}

START_TEST(scores_are_those_of_the_sigmoid)
{
    for (int i = -400000; i <= 400000; i++) {
        double gradient = i * 0.1003;
        ck_assert_msg(pc_gradient_score(gradient) == as_written(gradient), "%g: %d", gradient,
                      (int)pc_gradient_score(gradient));
    }
    ck_assert_int_eq(pc_gradient_score(-64000), 0);
    ck_assert_int_eq(pc_gradient_score(64000), 100);
}
END_TEST

/* Steps are at 1000 ln(k / (100 - k)); sums that should be equal may differ in their last digits
 * and stay 50. */
START_TEST(scores_step_where_the_sigmoid_does)
{
    double step = 1000.0 * log((_i + 1) / (99.0 - _i));
    if (_i + 1 == 50)
        return;
    ck_assert_int_eq(pc_gradient_score(step + 1e-9), _i + 1);
    ck_assert_int_eq(pc_gradient_score(step - 1e-9), _i);
}
END_TEST

static const struct {
    double gradient;
    int64_t score;
} near_zero[] = {
    {0, 50},
    {1e-300, 50},
    {-1e-300, 50},
    {-1e-13, 50},
    {-2.2e-13, 50},
    {-3.3306690738754686e-13, 50}, /* half of the last digit of 1: to even */
    {-3.3306690738754691e-13, 49},
    {-4.5e-13, 49},
    {1e-12, 50},
};

START_TEST(what_sums_differ_by_is_cut_as_published)
{
    ck_assert_int_eq(pc_gradient_score(near_zero[_i].gradient), near_zero[_i].score);
    ck_assert_int_eq(as_written(near_zero[_i].gradient), near_zero[_i].score);
}
END_TEST

/* ---- placements ---- */

#define TASK(n, ...)                                                                               \
    {                                                                                              \
        sizeof(struct policy_typical_task), n,                                                     \
        {                                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }
#define WHOLE TASK(1, .devices = 1)

static const struct {
    const char *what;
    struct policy_typical_task typical[2];
    uint32_t typical_count;
    struct {
        int64_t cpu;
        const char *left;
    } nodes[3];
    struct policy_request request;
    uint32_t node, exact_node;
    uint64_t devices, exact_devices;
} rows[] = {
    /* 0 -> 500: 100 sigmoid(-0.5) = 37.8; 500 -> 0: 62.2 */
    {"a share goes next to another",
     {WHOLE},
     1,
     {{-1, ".."}, {-1, "5."}, {-1, ""}},
     {.devices = 1, .device_milli = 500},
     1,
     1,
     1,
     1},
    /* 700 + 900 = 1600 -> 1300 on either: the first, where best fit takes the fullest */
    {"of equal devices the first",
     {WHOLE},
     1,
     {{-1, "97."}, {-1, ""}, {-1, ""}},
     {.devices = 1, .device_milli = 300},
     0,
     0,
     1,
     1},
    /* 500 -> 500 (all that is left), 0 -> 0 */
    {"a whole one anywhere",
     {WHOLE},
     1,
     {{-1, "5."}, {-1, ".."}, {-1, ""}},
     {.devices = 1},
     0,
     0,
     2,
     2},
    /* 0 -> 1000 on node 0, where CPU is short for the free device then; 0 -> 0 on node 1; node 2
     * has no device */
    {"CPU that a device needs is spared",
     {TASK(1, .devices = 1, .cpu_milli = 8000)},
     1,
     {{8000, "."}, {16000, "."}, {8000, ""}},
     {.cpu_milli = 4000},
     1,
     1,
     0,
     0},
    {"CPU where no devices are is as good",
     {TASK(1, .devices = 1, .cpu_milli = 8000)},
     1,
     {{8000, "."}, {8000, ""}, {16000, "."}},
     {.cpu_milli = 4000},
     1,
     1,
     0,
     0},
    /* 99 of 100 request one device, 1 two: -495 - 15 = -510 where two were free, -495 - 5 = -500
     * where three were. Both are 37 when truncated, so rank decides. */
    {"scores are cut to integers",
     {TASK(99, .devices = 1), TASK(1, .devices = 2)},
     2,
     {{-1, ".."}, {-1, "..."}, {-1, ""}},
     {.devices = 1, .device_milli = 500},
     0,
     1,
     1,
     1},
    /* nothing fits typical tasks of another type: all is fragment, and taking any of it a gain */
    {"types that no typical task requests first",
     {TASK(1, .devices = 1, .types = 1)},
     1,
     {{-1, "."}, {-1, "T"}, {-1, "."}},
     {.devices = 1},
     1,
     1,
     1,
     1},
    {"without typical tasks rank decides",
     {{0}},
     0,
     {{-1, ".."}, {-1, "5."}, {-1, ""}},
     {.devices = 1, .device_milli = 500},
     0,
     0,
     1,
     1},
    {"shares of several devices: the fullest",
     {WHOLE},
     1,
     {{-1, ".5.6"}, {-1, ""}, {-1, ""}},
     {.devices = 2, .device_milli = 400},
     0,
     0,
     10,
     10},
};

/* 'T' is a free device of type 1. */
static void add_nodes(struct policy *p, policy_queue q, int row)
{
    for (uint32_t i = 0; i < 3; i++) {
        struct policy_node_spec spec = core_node_spec(i, 0);
        const char *left = rows[row].nodes[i].left;
        spec.cpu_milli = rows[row].nodes[i].cpu;
        spec.type = left[0] == 'T';
        core_node_left(p, q, spec, left[0] == 'T' ? "." : left);
    }
}

static void place(const char *preset, int row, uint32_t node, uint64_t devices)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, preset, "");
    policy_queue q = core_queue(p, NULL, 0);
    add_nodes(p, q, row);
    ck_assert_int_eq(
        policy_set_typical_tasks(p, 0, rows[row].typical, rows[row].typical_count, 100), POLICY_OK);
    core_submit(p, 0, q, 1, 1, rows[row].request);
    const struct policy_decision *d = core_decide(p, 0, 1);
    ck_assert_msg(d->node.i == node && d->devices == devices, "%s, %s: node %u, devices %x", preset,
                  rows[row].what, d->node.i, (unsigned)d->devices);
    core_destroy(p, &tally);
}

START_TEST(the_steepest_descent_wins)
{
    place("fgd", _i, rows[_i].node, rows[_i].devices);
    place("fgd-exact", _i, rows[_i].exact_node, rows[_i].exact_devices);
}
END_TEST

/* The typical workload may change: earlier scores no longer count. */
START_TEST(another_workload_is_another_choice)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "fgd", "");
    policy_queue q = core_queue(p, NULL, 0);
    core_node_left(p, q, core_node_spec(0, 0), "..");
    core_node_left(p, q, core_node_spec(1, 0), "6.");
    struct policy_typical_task whole = WHOLE, small = TASK(1, .devices = 1, .device_milli = 600);
    for (uint64_t round = 0; round < 4; round++) {
        ck_assert_int_eq(policy_set_typical_tasks(p, 0, round % 2 == 0 ? &whole : &small, 1, 1),
                         POLICY_OK);
        policy_job job = core_submit(p, 0, q, round, 1, core_share(300));
        /* small: 0 -> 0 on the free device of either, 0 -> 300 on the one in use */
        ck_assert_uint_eq(core_decide(p, 0, 1)->node.i, round % 2 == 0 ? 1 : 0);
        ck_assert_int_eq(policy_task_ended(p, 0, job, 0, POLICY_SUCCEEDED), POLICY_OK);
    }
    core_destroy(p, &tally);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fgd");
    TCase *tcase = tcase_create("score");
    tcase_add_test(tcase, scores_are_those_of_the_sigmoid);
    tcase_add_loop_test(tcase, scores_step_where_the_sigmoid_does, 0, 99);
    tcase_add_loop_test(tcase, what_sums_differ_by_is_cut_as_published, 0, ROWS(near_zero));
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("placements");
    tcase_add_loop_test(tcase, the_steepest_descent_wins, 0, ROWS(rows));
    tcase_add_test(tcase, another_workload_is_another_choice);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
