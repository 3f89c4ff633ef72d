/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The orders: which of two jobs comes first. */
#include "tests/lib/core.h"
#include "tests/lib/harness.h"

#include <stdio.h>

static const struct {
    const char *order;
    policy_time submitted[2];
    int64_t run_ms[2];
    uint64_t rank[2];
    uint32_t first;
} rows[] = {
    {"fifo", {5, 4}, {1, 9}, {1, 2}, 1},
    {"fifo", {-5, 4}, {9, 1}, {2, 1}, 0},
    {"fifo", {4, 4}, {9, 1}, {2, 1}, 1},
    {"fifo", {4, 4}, {-1, 1}, {1, 2}, 0},
    {"sjf", {1, 2}, {9, 8}, {1, 2}, 1},
    {"sjf", {2, 1}, {8, 9}, {2, 1}, 0},
    {"sjf", {1, 2}, {7, 7}, {2, 1}, 1},
    {"sjf", {1, 2}, {-1, 99999999}, {1, 2}, 1}, /* unknown run times come last */
    {"sjf", {1, 2}, {-1, -1}, {2, 1}, 1},
    {"sjf", {1, 2}, {0, 1}, {2, 1}, 0},
};

/* With lanes, and inside a queue with a quota. */
static const char *const presets[] = {"fifo", "runai"};

START_TEST(the_first_of_two)
{
    const int row = _i / ROWS(presets);
    struct tally tally = {0};
    char options[32];
    (void)snprintf(options, sizeof options, "order=%s", rows[row].order);
    struct policy *p = core_create(&tally, presets[_i % ROWS(presets)], options);
    const struct policy_share all = {POLICY_UNLIMITED, POLICY_UNLIMITED, 1000};
    struct policy_queue_spec queue = {
        .size = sizeof queue, .parent = {POLICY_NO_ID}, .gpu = all, .cpu = all, .mem = all};
    policy_queue q = policy_add_queue(p, 0, &queue);
    /* With requests that differ the two are in different groups, with equal ones in the same. */
    for (int32_t second = 1; second <= 2; second++) {
        policy_job jobs[2];
        for (int i = 0; i < 2; i++) {
            struct policy_role role = core_role(1, core_devices(i == 0 ? 1 : second));
            struct policy_job_spec spec = core_job_spec(q, rows[row].rank[i], &role, 1);
            spec.submitted = rows[row].submitted[i];
            spec.run_ms = rows[row].run_ms[i];
            jobs[i] = policy_submit(p, 5, &spec);
        }
        if (second == 1) {
            struct policy_node_spec node = core_node_spec(0, 8);
            policy_add_node(p, 5, &node);
        }
        const struct policy_decision *d = core_decide(p, 5, 2);
        ck_assert_uint_eq(d[0].job.i, jobs[rows[row].first].i);
    }
    core_destroy(p, &tally);
}
END_TEST

/* Predicted GPU time: 2 GPUs for 6 s come after 8 halves for 2 s and before 1 GPU for 20 s; no
 * prediction comes last. */
START_TEST(predicted_gpu_time)
{
    static const struct {
        int32_t tasks, devices, milli;
        int64_t estimate_ms;
    } asks[] = {
        {1, 1, 1000, 20000}, {1, 2, 1000, 6000}, {2, 4, 0, 0}, {8, 1, 500, 2000}, {1, 1, 1000, -1},
    };
    static const uint32_t order[] = {3, 1, 0, 2, 4};
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "qssf", "");
    policy_queue q = core_queue(p, NULL, 0);
    uint32_t numbers[ROWS(asks)];
    for (int i = 0; i < ROWS(asks); i++) {
        struct policy_role role =
            core_role(asks[i].tasks, (struct policy_request){.devices = asks[i].devices,
                                                             .device_milli = asks[i].milli});
        struct policy_job_spec spec = core_job_spec(q, (uint64_t)i, &role, 1);
        spec.estimate_ms = asks[i].estimate_ms;
        numbers[i] = policy_submit(p, 5, &spec).i;
    }
    struct policy_node_spec node = core_node_spec(0, 64);
    policy_add_node(p, 5, &node);
    size_t count;
    const struct policy_decision *d = policy_decide(p, 5, &count);
    ck_assert_uint_eq(count, 1 + 1 + 2 + 8 + 1);
    for (size_t i = 0, k = 0; i < count; i++) {
        if (d[i].task == 0)
            ck_assert_uint_eq(d[i].job.i, numbers[order[k++]]);
    }
    core_destroy(p, &tally);
}
END_TEST

START_TEST(every_row_makes_a_policy)
{
    for (size_t i = 0; policy_order_row(i) != NULL; i++) {
        struct tally tally = {0};
        char options[64];
        (void)snprintf(options, sizeof options, "blocking=skip order=%s",
                       policy_order_row(i)->name);
        struct policy *p = core_create(&tally, "fifo", options);
        policy_queue q = core_queue(p, NULL, 0);
        core_node(p, 0, 2);
        core_submit(p, 0, q, 1, 2, core_devices(1));
        core_decide(p, 0, 2); /* alone, a job starts by any order */
        core_destroy(p, &tally);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("orders");
    TCase *tcase = tcase_create("orders");
    tcase_add_loop_test(tcase, the_first_of_two, 0, ROWS(rows) * ROWS(presets));
    tcase_add_test(tcase, predicted_gpu_time);
    tcase_add_test(tcase, every_row_makes_a_policy);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
