/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Events of tasks: started, failed to start, ended one by one, evicted, found running. */
#include "tests/lib/core.h"
#include "tests/lib/harness.h"

#include <string.h>

struct scene {
    struct tally tally;
    struct policy *p;
    policy_queue q;
    policy_node n;
};

static struct scene open_scene(struct tally *tally, const char *options)
{
    struct scene s = {.p = core_create(tally, "fifo", options)};
    s.q = core_queue(s.p, NULL, 0);
    s.n = core_node(s.p, 0, 8);
    return s;
}

START_TEST(tasks_end_one_by_one)
{
    struct tally tally = {0};
    struct scene s = open_scene(&tally, "");
    policy_job job = core_submit(s.p, 0, s.q, 1, 3, core_devices(2));
    core_decide(s.p, 0, 3);
    ck_assert_int_eq(policy_task_started(s.p, 1, job, 3), POLICY_UNKNOWN);
    ck_assert_int_eq(policy_task_started(s.p, 1, job, 2), POLICY_OK);
    ck_assert_int_eq(policy_task_started(s.p, 1, job, POLICY_ALL_TASKS), POLICY_OK);
    ck_assert_int_eq(policy_task_ended(s.p, 2, job, 1, POLICY_SUCCEEDED), POLICY_OK);
    ck_assert_int_eq(policy_task_ended(s.p, 2, job, 1, POLICY_SUCCEEDED), POLICY_CONFLICT);
    ck_assert_int_eq(policy_task_ended(s.p, 2, job, 0, 3), POLICY_INVALID);
    core_submit(s.p, 2, s.q, 2, 1, core_devices(4));
    ck_assert_uint_eq(core_decide(s.p, 2, 1)->devices,
                      0xcc); /* released by task 1, and previously free */
    ck_assert_int_eq(policy_task_ended(s.p, 3, job, 0, POLICY_SUCCEEDED), POLICY_OK);
    ck_assert_int_eq(policy_task_ended(s.p, 3, job, 2, POLICY_FAILED), POLICY_OK);
    ck_assert_int_eq(policy_task_ended(s.p, 3, job, 2, POLICY_FAILED), POLICY_UNKNOWN);
    core_destroy(s.p, &tally);
}
END_TEST

static const struct {
    int32_t first, second;
    bool again;
} outcomes[] = {
    {POLICY_SUCCEEDED, POLICY_SUCCEEDED, false}, {POLICY_EVICTED, POLICY_SUCCEEDED, true},
    {POLICY_SUCCEEDED, POLICY_EVICTED, true},    {POLICY_EVICTED, POLICY_EVICTED, true},
    {POLICY_FAILED, POLICY_SUCCEEDED, false},    {POLICY_EVICTED, POLICY_FAILED, true},
};

START_TEST(an_evicted_task_makes_the_job_wait_again)
{
    struct tally tally = {0};
    struct scene s = open_scene(&tally, "");
    policy_job job = core_submit(s.p, 0, s.q, 1, 2, core_devices(4));
    core_decide(s.p, 0, 2);
    ck_assert_int_eq(policy_task_ended(s.p, 1, job, 0, outcomes[_i].first), POLICY_OK);
    core_decide(s.p, 1, 0);
    ck_assert_int_eq(policy_task_ended(s.p, 2, job, 1, outcomes[_i].second), POLICY_OK);
    const struct policy_decision *d = core_decide(s.p, 2, outcomes[_i].again ? 2 : 0);
    if (outcomes[_i].again) {
        ck_assert_uint_eq(d[0].job.gen, job.gen);
        /* Earlier events have no effect: this time it really ends. */
        ck_assert_int_eq(policy_task_ended(s.p, 3, job, POLICY_ALL_TASKS, POLICY_SUCCEEDED),
                         POLICY_OK);
        ck_assert_int_eq(policy_cancel(s.p, 3, job), POLICY_UNKNOWN);
    }
    core_destroy(s.p, &tally);
}
END_TEST

/* Its turn is restored, too: the job keeps its place in the order. */
START_TEST(a_failed_start_releases_everything)
{
    struct tally tally = {0};
    struct scene s = open_scene(&tally, _i == 0 ? "" : "placement=count");
    policy_job first = core_submit(s.p, 0, s.q, 1, 2, core_devices(3));
    policy_job second = core_submit(s.p, 0, s.q, 2, 1, core_devices(6));
    ck_assert_int_eq(policy_start_failed(s.p, 0, first), POLICY_CONFLICT);
    size_t tasks = _i == 0 ? 2 : 1;
    core_decide(s.p, 0, tasks);
    ck_assert_int_eq(policy_start_failed(s.p, 1, second), POLICY_CONFLICT);
    ck_assert_int_eq(policy_start_failed(s.p, 1, first), POLICY_OK);
    ck_assert_uint_eq(core_decide(s.p, 1, tasks)[0].job.i, first.i);
    core_destroy(s.p, &tally);
}
END_TEST

/* The memory for becoming pending again was reserved at submission. */
START_TEST(an_evicted_job_waits_again_without_memory)
{
    struct tally tally = {0};
    struct scene s = open_scene(&tally, "");
    policy_job job = core_submit(s.p, 0, s.q, 1, 2, core_devices(4));
    core_decide(s.p, 0, 2);
    for (uint64_t k = 2; k < 10; k++)
        core_submit(s.p, 0, s.q, k, 2, core_devices(4)); /* eight of its shape fill their heap */
    core_decide(s.p, 0, 0);
    ck_assert_int_eq(policy_task_ended(s.p, 1, job, 0, POLICY_EVICTED), POLICY_OK);
    tally.fail_at = tally.calls + 1;
    ck_assert_int_eq(policy_task_ended(s.p, 1, job, 1, POLICY_SUCCEEDED), POLICY_OK);
    core_is_sound(s.p);
    tally.fail_at = 0;
    ck_assert_uint_eq(core_decide(s.p, 1, 2)->job.i, job.i);
    core_destroy(s.p, &tally);
}
END_TEST

static const struct {
    uint32_t task, node;
    uint64_t devices;
    int status;
} found[] = {
    {0, 0, 0x30, POLICY_OK},       {1, 0, 0x30, POLICY_OK},       {2, 0, 0x30, POLICY_UNKNOWN},
    {0, 1, 0x30, POLICY_UNKNOWN},  {0, 0, 0x10, POLICY_INVALID},  {0, 0, 0x70, POLICY_INVALID},
    {0, 0, 0x300, POLICY_INVALID}, {0, 0, 0x11, POLICY_CONFLICT}, /* device 0 is taken */
};

START_TEST(tasks_found_running_are_checked)
{
    struct tally tally = {0};
    struct scene s = open_scene(&tally, "");
    core_submit(s.p, 0, s.q, 1, 1, core_devices(1));
    core_decide(s.p, 0, 1);
    policy_job job = core_submit(s.p, 0, s.q, 2, 2, core_devices(2));
    int status = policy_task_running(s.p, 1, job, found[_i].task, (policy_node){found[_i].node},
                                     found[_i].devices, 0);
    ck_assert_int_eq(status, found[_i].status);
    core_is_sound(s.p);
    if (status == POLICY_OK) {
        ck_assert_int_eq(policy_task_running(s.p, 1, job, found[_i].task, s.n, 0xc0, 0),
                         POLICY_CONFLICT);
        ck_assert_int_eq(policy_task_running(s.p, 1, job, 1 - found[_i].task, s.n, 0xc0, 0),
                         POLICY_OK);
        core_decide(s.p, 1, 0);
    } else {
        core_decide(s.p, 1, 2); /* it is still pending */
    }
    core_destroy(s.p, &tally);
}
END_TEST

static const struct {
    int64_t cpu, mem;
    int status;
} amounts[] = {
    {1000, 100, POLICY_OK},
    {1001, 100, POLICY_CONFLICT},
    {1000, 101, POLICY_CONFLICT},
};

START_TEST(tasks_found_running_need_room)
{
    struct tally tally = {0};
    struct scene s = open_scene(&tally, "");
    struct policy_node_spec spec = core_node_spec(1, 0);
    spec.cpu_milli = 1000;
    spec.mem_mib = 100;
    spec.max_tasks = 1;
    policy_node small = policy_add_node(s.p, 0, &spec);
    struct policy_request r = {.cpu_milli = amounts[_i].cpu, .mem_mib = amounts[_i].mem};
    policy_job job = core_submit(s.p, 0, s.q, 1, 1, r);
    ck_assert_int_eq(policy_task_running(s.p, 0, job, 0, small, 0, 0), amounts[_i].status);
    policy_job next = core_submit(s.p, 0, s.q, 2, 1, core_devices(0));
    ck_assert_int_eq(policy_task_running(s.p, 0, next, 0, small, 0, 0),
                     amounts[_i].status == POLICY_OK ? POLICY_CONFLICT : POLICY_OK);
    core_destroy(s.p, &tally);
}
END_TEST

/* Held or pending, first or behind others: the job leaves its place in the lane, whatever the
 * node's state. */
START_TEST(a_waiting_job_may_be_found_running)
{
    static const policy_time begin[] = {0, 100};
    static const int32_t states[] = {POLICY_NODE_UP, POLICY_NODE_DRAINING, POLICY_NODE_DOWN};
    struct tally tally = {0};
    struct scene s = open_scene(&tally, "");
    struct policy_role role = core_role(1, core_devices(2));
    policy_job jobs[3];
    for (uint64_t k = 0; k < 3; k++) {
        struct policy_job_spec spec = core_job_spec(s.q, k, &role, 1);
        spec.eligible = begin[_i % 2];
        jobs[k] = policy_submit(s.p, 0, &spec);
    }
    ck_assert_int_eq(policy_set_node_state(s.p, 0, s.n, states[_i % 3]), POLICY_OK);
    ck_assert_int_eq(policy_task_running(s.p, 0, jobs[_i % 3], 0, s.n, 0x42, -5), POLICY_OK);
    core_is_sound(s.p);
    ck_assert_int_eq(policy_set_node_state(s.p, 1, s.n, POLICY_NODE_UP), POLICY_OK);
    core_decide(s.p, 100, 2);
    ck_assert_int_eq(policy_task_ended(s.p, 100, jobs[_i % 3], 0, POLICY_EVICTED), POLICY_OK);
    ck_assert_uint_eq(core_decide(s.p, 100, 1)->devices,
                      0x22); /* the others took 0 and 2, 3 and 4 */
    core_destroy(s.p, &tally);
}
END_TEST

START_TEST(counted_devices_have_no_tasks_on_nodes)
{
    struct tally tally = {0};
    struct scene s = open_scene(&tally, "placement=count");
    policy_job job = core_submit(s.p, 0, s.q, 1, 4, core_devices(2));
    ck_assert_int_eq(policy_task_running(s.p, 0, job, 0, s.n, 3, 0), POLICY_UNSUPPORTED);
    const struct policy_decision *d = core_decide(s.p, 0, 1);
    ck_assert_uint_eq(d->task, POLICY_ALL_TASKS);
    ck_assert_uint_eq(d->node.i, POLICY_NO_ID);
    ck_assert_int_eq(d->gpu_milli, 8000);
    ck_assert_int_eq(policy_task_ended(s.p, 1, job, POLICY_ALL_TASKS, POLICY_EVICTED), POLICY_OK);
    core_decide(s.p, 1, 1);
    core_destroy(s.p, &tally);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("tasks");
    TCase *tcase = tcase_create("tasks");
    tcase_add_test(tcase, tasks_end_one_by_one);
    tcase_add_loop_test(tcase, an_evicted_task_makes_the_job_wait_again, 0, ROWS(outcomes));
    tcase_add_loop_test(tcase, a_failed_start_releases_everything, 0, 2);
    tcase_add_test(tcase, an_evicted_job_waits_again_without_memory);
    tcase_add_loop_test(tcase, tasks_found_running_are_checked, 0, ROWS(found));
    tcase_add_loop_test(tcase, tasks_found_running_need_room, 0, ROWS(amounts));
    tcase_add_loop_test(tcase, a_waiting_job_may_be_found_running, 0, 6);
    tcase_add_test(tcase, counted_devices_have_no_tasks_on_nodes);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
