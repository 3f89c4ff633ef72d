/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which jobs wait behind which, and which are retried after a release. */
#include "pending/pending.h"
#include "tests/lib/core.h"
#include "tests/lib/harness.h"

/*
 * One node of 8 devices, of which a first job takes 6. Then, in two queues: A needs 4 (cannot
 * start), B of the same queue needs 1, C of the other queue needs 2.
 */
static const struct {
    const char *options;
    bool starts_b, starts_c;
} lanes[] = {
    {"scope=fleet blocking=strict", false, false},
    {"scope=queue blocking=strict", false, true},
    {"scope=fleet blocking=skip", true, false},
    {"scope=queue blocking=skip", true, false},
};

START_TEST(scope_and_blocking)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "fifo", lanes[_i].options);
    policy_queue q = core_queue(p, NULL, 0);
    policy_queue other = core_queue(p, NULL, 0);
    core_node(p, 0, 8);
    core_submit(p, 0, q, 1, 1, core_devices(6));
    core_submit(p, 0, q, 2, 1, core_devices(4));
    policy_job b = core_submit(p, 0, q, 3, 1, core_devices(1));
    policy_job c = core_submit(p, 0, other, 4, 1, core_devices(2));
    core_decide(p, 0, 1U + lanes[_i].starts_b + lanes[_i].starts_c);
    ck_assert_int_eq(core_reason(p, b) == POLICY_REASON_NONE, lanes[_i].starts_b);
    ck_assert_int_eq(core_reason(p, c) == POLICY_REASON_NONE, lanes[_i].starts_c);
    core_destroy(p, &tally);
}
END_TEST

/* After a job that holds `freed` devices and 100 of CPU ended on a node of 8: which jobs are
 * retried, and which start? */
static const struct {
    int32_t freed;
    struct policy_request waiting;
    bool tried, starts;
} wakes[] = {
    {1, {.devices = 1}, true, true},
    {2, {.devices = 3}, false, false},
    {2, {.devices = 2}, true, true},
    {2, {.devices = 2, .cpu_milli = 101}, true, false},
    {1, {.devices = 1, .device_milli = 1}, true, true},
    {1,
     {.devices = 2, .device_milli = 100},
     true,
     false}, /* the rule looks at room on one device only */
    {1, {.devices = 0, .cpu_milli = 100}, true, true},
    {1, {.devices = 0, .cpu_milli = 500}, true, false},
};

START_TEST(only_possible_users_are_woken)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "fifo", "blocking=skip");
    policy_queue q = core_queue(p, NULL, 0);
    struct policy_node_spec node = core_node_spec(0, 8);
    node.cpu_milli = 1000;
    policy_add_node(p, 0, &node);
    struct policy_request all = {.devices = 8 - wakes[_i].freed, .cpu_milli = 900};
    core_submit(p, 0, q, 1, 1, all);
    struct policy_request rest = {.devices = wakes[_i].freed, .cpu_milli = 100};
    policy_job job = core_submit(p, 0, q, 2, 1, rest);
    core_decide(p, 0, 2);
    policy_job waiting = core_submit(p, 0, q, 3, 1, wakes[_i].waiting);
    core_decide(p, 0, 0);
    const struct pc_job_class *k = &p->cluster->pending->classes[p->cluster->jobs[waiting.i].home];
    ck_assert_int_ne(k->blocked, 0);
    ck_assert(!policy_has_work(p));
    ck_assert_int_eq(policy_task_ended(p, 1, job, 0, POLICY_SUCCEEDED), POLICY_OK);
    ck_assert(policy_has_work(p));
    ck_assert_int_eq(pc_pending_next(p) != PC_NONE, wakes[_i].tried);
    ck_assert_int_eq(k->blocked == 0, wakes[_i].tried);
    core_decide(p, 1, wakes[_i].starts);
    core_destroy(p, &tally);
}
END_TEST

/* Jobs of one shape and of several are in the order of key and rank, whatever their class. */
START_TEST(classes_take_turns)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "fifo", "scope=fleet");
    policy_queue queues[] = {core_queue(p, NULL, 0), core_queue(p, NULL, 0)};
    core_node(p, 0, 64);
    for (uint64_t k = 0; k < 40; k++) /* submitted from the last to the first */
        core_submit(p, 0, queues[k % 2], 39 - k, 1, core_devices(1 + (int32_t)(k % 2)));
    const struct policy_decision *d = core_decide(p, 0, 40);
    for (uint32_t i = 0; i < 40; i++)
        ck_assert_uint_eq(d[i].job.i, 39 - i);
    core_destroy(p, &tally);
}
END_TEST

/*
 * Gangs of whole-node tasks with a remainder, on nodes of that many devices (of type 1 if negative,
 * else 0): what the empty fleet cannot hold is set aside, and the next job starts.
 */
static const struct {
    int32_t nodes[6];
    int32_t tasks, each, rest;
    uint64_t types;
    bool fits;
} evers[] = {
    {{8, 8}, 1, 8, 1, 0, true},
    {{8, -8}, 1, 8, 1, 1, false},      /* the rest would need a second node of type 0 */
    {{4, 4, 2, 2}, 2, 4, 3, 0, false}, /* 11 of 12 devices, but no piece of 3 is left */
    {{4, 4, 2, 2}, 2, 4, 2, 0, true},
    {{8, 1, 1, 1, 1}, 1, 8, 4, 0, false},
    {{8, 4}, 1, 8, 4, 0, true},
    {{8, 8, 8}, 2, 8, 5, 0, true},
    {{12}, 1, 8, 4, 0, true}, /* next to each other on one node */
    {{12}, 1, 8, 5, 0, false},
};

START_TEST(jobs_that_never_fit_block_no_other)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "fifo", "placement=best-fit");
    policy_queue q = core_queue(p, NULL, 0);
    for (uint32_t i = 0; i < 6 && evers[_i].nodes[i] != 0; i++) {
        int32_t devices = evers[_i].nodes[i];
        struct policy_node_spec node = core_node_spec(i, devices < 0 ? -devices : devices);
        node.type = devices < 0;
        policy_add_node(p, 0, &node);
    }
    struct policy_role roles[2] = {core_role(evers[_i].tasks, core_devices(evers[_i].each)),
                                   core_role(1, core_devices(evers[_i].rest))};
    roles[0].request.types = roles[1].request.types = evers[_i].types;
    struct policy_job_spec spec = core_job_spec(q, 1, roles, 2);
    policy_job gang = policy_submit(p, 0, &spec);
    core_submit(p, 0, q, 2, 1, (struct policy_request){0});
    core_decide(p, 0, evers[_i].fits ? (size_t)evers[_i].tasks + 2 : 1);
    ck_assert_int_eq(core_reason(p, gang),
                     evers[_i].fits ? POLICY_REASON_NONE : POLICY_REASON_NEVER_FITS);
    core_destroy(p, &tally);
}
END_TEST

/* A blocked first job that is cancelled lets the next one through, without any release. */
START_TEST(cancelling_the_first_lets_the_next_through)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "fifo", "blocking=strict");
    policy_queue q = core_queue(p, NULL, 0);
    core_node(p, 0, 8);
    core_submit(p, 0, q, 1, 1, core_devices(6));
    policy_job first = core_submit(p, 0, q, 2, 1, core_devices(4));
    policy_job same = core_submit(p, 0, q, 3, 1, core_devices(4));
    policy_job small = core_submit(p, 0, q, 4, 1, core_devices(2));
    core_decide(p, 0, 1);
    ck_assert(!policy_has_work(p));
    ck_assert_int_eq(policy_cancel(p, 0, first), POLICY_OK);
    core_decide(p, 0, 0); /* the next has the same shape */
    ck_assert_int_eq(policy_cancel(p, 0, same), POLICY_OK);
    ck_assert(policy_has_work(p));
    ck_assert_uint_eq(core_decide(p, 0, 1)->job.i, small.i);
    core_destroy(p, &tally);
}
END_TEST

/* A later job of higher priority is tried before blocked ones. */
START_TEST(an_earlier_key_overtakes_the_blocked)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "fifo", "blocking=strict");
    policy_queue q = core_queue(p, NULL, 0);
    core_node(p, 0, 8);
    core_submit(p, 0, q, 10, 1, core_devices(6));
    core_submit(p, 0, q, 20, 1, core_devices(4));
    core_decide(p, 0, 1);
    policy_job late = core_submit(p, 0, q, 15, 1, core_devices(2));
    ck_assert_uint_eq(core_decide(p, 0, 1)->job.i, late.i);
    core_destroy(p, &tally);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lanes");
    TCase *tcase = tcase_create("lanes");
    tcase_add_loop_test(tcase, scope_and_blocking, 0, ROWS(lanes));
    tcase_add_loop_test(tcase, only_possible_users_are_woken, 0, ROWS(wakes));
    tcase_add_test(tcase, classes_take_turns);
    tcase_add_loop_test(tcase, jobs_that_never_fit_block_no_other, 0,
                        (int)(sizeof evers / sizeof *evers));
    tcase_add_test(tcase, cancelling_the_first_lets_the_next_through);
    tcase_add_test(tcase, an_earlier_key_overtakes_the_blocked);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
