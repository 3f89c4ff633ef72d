/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Starting gangs: completely or not at all, tasks numbered through their roles, decisions that
 * state what was taken; the same with and without a transaction. */
#include "policies/state/state.h"
#include "tests/lib/core.h"
#include "tests/lib/draw.h"
#include "tests/lib/harness.h"

START_TEST(decisions_say_what_was_taken)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "fifo", "");
    policy_queue q = core_queue(p, NULL, 0);
    for (uint32_t i = 0; i < 2; i++) {
        struct policy_node_spec spec = core_node_spec(i, 8);
        spec.pool = 3 + i;
        policy_add_node(p, 0, &spec);
    }
    const struct policy_role roles[] = {core_role(2, core_devices(8 - 2)),
                                        core_role(1, core_share(250)),
                                        core_role(1, core_devices(0))};
    struct policy_job_spec spec = core_job_spec(q, 1, roles, 3);
    policy_job job = policy_submit(p, 0, &spec);
    static const struct {
        uint32_t node, pool;
        uint64_t devices;
        int64_t milli;
    } expected[] = {{0, 3, 0x3f, 6000}, {1, 4, 0x3f, 6000}, {0, 3, 0x40, 250}, {0, 3, 0, 0}};
    const struct policy_decision *d = core_decide(p, 0, 4);
    for (uint32_t i = 0; i < 4; i++) {
        ck_assert_int_eq(d[i].kind, POLICY_START);
        ck_assert_int_eq(d[i].action, POLICY_ALLOCATE);
        ck_assert_int_eq(d[i].reason, 0);
        ck_assert_uint_eq(d[i].task, i);
        ck_assert_uint_eq(d[i].job.i, job.i);
        ck_assert_uint_eq(d[i].job.gen, job.gen);
        ck_assert_uint_eq(d[i].for_job.i, POLICY_NO_ID);
        ck_assert_uint_eq(d[i].node.i, expected[i].node);
        ck_assert_uint_eq(d[i].pool, expected[i].pool);
        ck_assert_uint_eq(d[i].devices, expected[i].devices);
        ck_assert_int_eq(d[i].gpu_milli, expected[i].milli);
    }
    core_decide(p, 0, 0);
    core_destroy(p, &tally);
}
END_TEST

/* The last task of a gang finds no place: the first ones leave no trace, and the next job takes
 * their places. */
START_TEST(a_gang_that_does_not_fit_takes_nothing)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "fifo", "blocking=skip");
    policy_queue q = core_queue(p, NULL, 0);
    for (uint32_t i = 0; i < 3; i++)
        core_node(p, i, 8);
    core_submit(p, 0, q, 1, 1, core_devices(3));
    core_decide(p, 0, 1);
    policy_job gang = core_submit(p, 0, q, 2, 4, core_devices(5)); /* 20 of 21, but only 3 pieces */
    policy_job next = core_submit(p, 0, q, 3, 3, core_devices(5));
    const struct policy_decision *d = core_decide(p, 0, 3);
    ck_assert_uint_eq(d[0].job.i, next.i);
    ck_assert_int_ne(core_reason(p, gang), POLICY_REASON_NONE);
    core_destroy(p, &tally);
}
END_TEST

START_TEST(counted_gangs_stay_in_one_pool)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "fifo", "placement=count blocking=skip");
    policy_queue q = core_queue(p, NULL, 0);
    for (uint32_t i = 0; i < 4; i++) {
        struct policy_node_spec spec = core_node_spec(i, 4);
        spec.pool = i / 2;
        policy_add_node(p, 0, &spec);
    }
    core_submit(p, 0, q, 1, 1, core_devices(5)); /* more than a node has: counting does not mind */
    core_submit(p, 0, q, 2, 3, core_devices(2));
    policy_job large = core_submit(p, 0, q, 3, 1, core_devices(4)); /* 3 + 2 are left */
    policy_job never = core_submit(p, 0, q, 4, 9, core_devices(1));
    const struct policy_decision *d = core_decide(p, 0, 2);
    ck_assert_uint_eq(d[0].pool, 0);
    ck_assert_int_eq(d[0].gpu_milli, 5000);
    ck_assert_uint_eq(d[1].pool, 1);
    ck_assert_int_eq(d[1].gpu_milli, 6000);
    ck_assert_int_eq(core_reason(p, large), POLICY_REASON_FRAGMENTED);
    ck_assert_int_eq(core_reason(p, never), POLICY_REASON_NEVER_FITS);
    core_destroy(p, &tally);
}
END_TEST

/* Empty tasks: no device, no CPU. There may be very many of them. */
START_TEST(many_empty_tasks_start)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "fifo", "");
    policy_queue q = core_queue(p, NULL, 0);
    core_node(p, 0, 0);
    policy_job job = core_submit(p, 0, q, 1, 100000, core_devices(0));
    size_t count;
    const struct policy_decision *d = policy_decide(p, 0, &count);
    ck_assert_uint_eq(count, 100000);
    ck_assert_uint_eq(d[99999].task, 99999);
    ck_assert_int_eq(policy_task_ended(p, 0, job, POLICY_ALL_TASKS, POLICY_SUCCEEDED), POLICY_OK);
    core_destroy(p, &tally);
}
END_TEST

/* Bytes in use once a gang for more than the eight devices was tried and explained. */
static uint64_t bytes_after(int32_t tasks)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "fifo", "blocking=skip");
    policy_queue q = core_queue(p, NULL, 0);
    core_node(p, 0, 8);
    policy_job job = core_submit(p, 0, q, 1, tasks, core_devices(1));
    core_decide(p, 0, 0);
    struct policy_explanation why = {.size = sizeof why};
    ck_assert_int_eq(policy_explain(p, job, &why), POLICY_OK);
    ck_assert_int_eq(why.reason, POLICY_REASON_NEVER_FITS);
    ck_assert_int_eq(why.tasks_fit_now, 8);
    uint64_t bytes = tally.bytes;
    core_destroy(p, &tally);
    return bytes;
}

/* A gang with more tasks than any fleet has devices costs no more memory than a small one, not
 * even when explained. */
START_TEST(a_hopeless_gang_costs_nothing)
{
    ck_assert_uint_lt(bytes_after(1000000), 110000);
    ck_assert_uint_le(bytes_after(1000000), bytes_after(9));
}
END_TEST

/* ---- starts without a transaction ---- */

static const struct {
    const char *preset, *options;
} twins[] = {
    {"fifo", ""},
    {"fifo", "blocking=skip"},
    {"sjf", "blocking=skip placement=spread"},
    {"fifo", "blocking=skip placement=random"},
    {"fifo", "blocking=skip placement=topology"},
    {"fifo", "blocking=skip placement=fgd"},
    {"srtf", ""},
    {"easy", ""},
    {"slurm", "scope=queue"},
};

/* Nodes of eight devices, half of which have little CPU, and one of four. */
static void furnish(struct policy *p, policy_queue queues[2])
{
    for (uint32_t i = 0; i < 9; i++) {
        struct policy_node_spec spec = core_node_spec(i, i < 8 ? 8 : 4);
        spec.cpu_milli = i % 2 == 0 ? 32000 : 6000;
        spec.max_tasks = 6;
        policy_add_node(p, 0, &spec);
    }
    queues[0] = core_queue(p, NULL, 0);
    queues[1] = core_queue(p, NULL, 0);
}

/* Mostly gangs of whole devices; some of shares. */
static policy_job submit_any(struct policy *p, policy_queue queue, uint64_t draw, uint32_t rank)
{
    const int32_t devices = 1 << draw % 4;
    struct policy_role role = core_role((int32_t)(1 + draw / 4 % 4), core_devices(devices));
    if (draw / 16 % 8 == 0)
        role.request = core_share(250);
    role.request.cpu_milli = (int64_t)(draw / 128 % 3) * 1000 * devices;
    struct policy_job_spec spec = core_job_spec(queue, rank, &role, 1);
    spec.run_ms = spec.limit_ms = 1000 + (int64_t)(draw / 1024 % 5000);
    return policy_submit(p, rank, &spec);
}

/* `exhaustive`: every gang is placed in a transaction, and every node is considered. */
START_TEST(starts_are_those_of_a_transaction)
{
    struct tally tallies[2] = {{0}, {0}};
    struct policy *sides[2];
    policy_queue queues[2][2];
    policy_job jobs[300];
    uint64_t random = (uint64_t)_i;
    for (int side = 0; side < 2; side++) {
        sides[side] = core_create(&tallies[side], twins[_i].preset, twins[_i].options);
        sides[side]->cluster->exhaustive = side == 1;
        furnish(sides[side], queues[side]);
    }
    for (uint32_t step = 0; step < ROWS(jobs); step++) {
        char decided[2][2000];
        const uint64_t draw = test_draw(&random);
        const uint64_t ends = step == 0 ? 0 : test_draw(&random) % step;
        for (int side = 0; side < 2; side++) {
            struct policy *p = sides[side];
            jobs[step] = submit_any(p, queues[side][draw % 2], draw / 2, step);
            core_decisions(p, step, decided[side], sizeof decided[side]);
            if (step > 0)
                (void)policy_task_ended(p, step, jobs[ends], POLICY_ALL_TASKS, POLICY_SUCCEEDED);
            core_is_sound(p);
        }
        ck_assert_str_eq(decided[0], decided[1]);
        ck_assert_uint_eq(sides[0]->draws, sides[1]->draws);
        const struct pc_job *j = &sides[0]->cluster->jobs[jobs[step].i];
        if (j->gen == jobs[step].gen)
            ck_assert_int_eq(core_reason(sides[0], jobs[step]), core_reason(sides[1], jobs[step]));
    }
    core_destroy(sides[0], &tallies[0]);
    core_destroy(sides[1], &tallies[1]);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("allocate");
    TCase *tcase = tcase_create("allocate");
    tcase_add_test(tcase, decisions_say_what_was_taken);
    tcase_add_test(tcase, a_gang_that_does_not_fit_takes_nothing);
    tcase_add_test(tcase, counted_gangs_stay_in_one_pool);
    tcase_add_test(tcase, many_empty_tasks_start);
    tcase_add_test(tcase, a_hopeless_gang_costs_nothing);
    tcase_add_loop_test(tcase, starts_are_those_of_a_transaction, 0, ROWS(twins));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
