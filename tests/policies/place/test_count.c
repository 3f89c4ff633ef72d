/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counted devices: jobs are a number of devices in one pool, and jobs that cannot be counted are
 * refused. */
#include "tests/lib/core.h"
#include "tests/lib/harness.h"

static const int32_t one_instance[POLICY_MAX_PROFILES] = {1};
static const uint32_t value = 3;
static const struct policy_term term = {1, 1, &value};

static const struct {
    const char *what;
    struct policy_request request;
    int32_t tasks, min_tasks;
    struct policy_constraint of_role, of_job;
    bool refused;
} rows[] = {
    {"a gang", {.devices = 2}, 3, 3, {0}, {0}, false},
    {"a share", {.devices = 1, .device_milli = 300}, 1, 1, {0}, {0}, false},
    {"an elastic job", {.devices = 1}, 3, 1, {0}, {0}, true},
    {"device memory", {.devices = 1, .device_mem_mib = 1000}, 1, 1, {0}, {0}, true},
    {"an instance", {.mig = one_instance}, 1, 1, {0}, {0}, true},
    {"a label", {.devices = 1, .terms = &term, .term_count = 1}, 1, 1, {0}, {0}, true},
    {"a level of a role", {.devices = 1}, 2, 2, {1, 1, 0}, {0}, true},
    {"a level of a job", {.devices = 1}, 2, 2, {0}, {1, 1, 0}, true},
};

START_TEST(uncountable_requests_are_refused)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "fifo", "placement=count");
    core_node(p, 0, 8);
    policy_queue queue = core_queue(p, NULL, 0);
    struct policy_role role = core_role(rows[_i].tasks, rows[_i].request);
    role.min_tasks = rows[_i].min_tasks;
    role.topology = rows[_i].of_role;
    struct policy_job_spec spec = core_job_spec(queue, 1, &role, 1);
    spec.topology = rows[_i].of_job;
    policy_job job = policy_submit(p, 0, &spec);
    ck_assert_msg((job.i == POLICY_NO_ID) == rows[_i].refused, "%s", rows[_i].what);
    if (rows[_i].refused) {
        ck_assert_int_eq(policy_last_error(p)->status, POLICY_UNSUPPORTED);
        core_decide(p, 0, 0);
    } else {
        const struct policy_decision *d = core_decide(p, 0, 1);
        ck_assert_uint_eq(d->task, POLICY_ALL_TASKS);
        ck_assert_uint_eq(d->node.i, POLICY_NO_ID);
    }
    core_destroy(p, &tally);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("count");
    TCase *tcase = tcase_create("count");
    tcase_add_loop_test(tcase, uncountable_requests_are_refused, 0, ROWS(rows));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
