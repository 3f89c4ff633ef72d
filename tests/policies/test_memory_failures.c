/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Out of memory: one scenario is repeated while the first, second, third ... allocation fails. Each
 * call either succeeds or refuses with POLICY_NO_MEMORY and leaves the policy consistent; the
 * refused call succeeds when repeated, and the scenario ends as it does with enough memory. And
 * memory in steady state: no allocations.
 */
#include "tests/lib/core.h"
#include "tests/lib/harness.h"
#include "tests/lib/packing.h"

#include <stdio.h>
#include <string.h>

/* scores: without memory they are recomputed */
#define KEEPS "scope=fleet blocking=skip placement=fgd"

/* One play of the scenario. */
struct play {
    struct tally tally;
    struct policy *p;
    policy_queue queues[3];
    policy_job jobs[80];
    uint64_t started; /* a hash of all decisions, in order */
    uint32_t starts;
    int refusals;
};

static void refused(struct play *play)
{
    ck_assert_int_eq(policy_last_error(play->p)->status, POLICY_NO_MEMORY);
    ck_assert_msg(play->tally.failed, "refused although no allocation failed");
    core_is_sound(play->p);
    play->refusals++;
}

static void add_node(struct play *play, policy_time at, struct policy_node_spec spec)
{
    policy_node node = policy_add_node(play->p, at, &spec);
    if (node.i == POLICY_NO_ID) {
        refused(play);
        node = policy_add_node(play->p, at, &spec);
    }
    ck_assert_uint_ne(node.i, POLICY_NO_ID);
}

static policy_queue add_queue(struct play *play, policy_time at, const uint32_t *pools,
                              uint32_t count)
{
    struct policy_queue_spec spec = {.size = sizeof spec,
                                     .parent = {POLICY_NO_ID},
                                     .gpu = {0, 20000, 1000},
                                     .pools = pools,
                                     .pool_count = count,
                                     .ordered_pools = count > 1};
    policy_queue queue = policy_add_queue(play->p, at, &spec);
    if (queue.i == POLICY_NO_ID) {
        refused(play);
        queue = policy_add_queue(play->p, at, &spec);
    }
    ck_assert_uint_ne(queue.i, POLICY_NO_ID);
    return queue;
}

static policy_job submit(struct play *play, policy_time at, struct policy_job_spec spec)
{
    policy_job job = policy_submit(play->p, at, &spec);
    if (job.i == POLICY_NO_ID) {
        refused(play);
        job = policy_submit(play->p, at, &spec);
    }
    ck_assert_uint_ne(job.i, POLICY_NO_ID);
    return job;
}

static void end(struct play *play, policy_time at, policy_job job, uint32_t task, int32_t outcome)
{
    int status = policy_task_ended(play->p, at, job, task, outcome);
    if (status == POLICY_NO_MEMORY) {
        refused(play);
        status = policy_task_ended(play->p, at, job, task, outcome);
    }
    ck_assert_int_eq(status, POLICY_OK);
}

static void decide_once(struct play *play, policy_time at)
{
    size_t count;
    const struct policy_decision *d = policy_decide(play->p, at, &count);
    for (size_t i = 0; i < count; i++) {
        play->started = (play->started ^ d[i].job.i) * UINT64_C(0x100000001b3);
        play->started = (play->started ^ d[i].task) * UINT64_C(0x100000001b3);
        play->started = (play->started ^ d[i].node.i) * UINT64_C(0x100000001b3);
        play->started = (play->started ^ d[i].devices) * UINT64_C(0x100000001b3);
        play->starts++;
    }
}

static void decide(struct play *play, policy_time at)
{
    decide_once(play, at);
    if (policy_last_error(play->p)->status == POLICY_OK)
        return;
    refused(play);
    decide_once(play, at);
    ck_assert_int_eq(policy_last_error(play->p)->status, POLICY_OK);
}

static void build_cluster(struct play *play)
{
    static const uint32_t pools[] = {1, 3};
    play->queues[0] = add_queue(play, 0, NULL, 0);
    play->queues[1] = add_queue(play, 0, pools, 2);
    for (uint32_t i = 0; i < 12; i++) {
        struct policy_node_spec spec = core_node_spec(i * 37, 4 + (int32_t)i % 3 * 4);
        spec.pool = i % 4;
        add_node(play, 1, spec);
    }
    play->queues[2] = add_queue(play, 2, pools, 1); /* a pool set over existing nodes */
}

static void tell_workload(struct play *play)
{
    uint32_t count;
    int64_t all;
    const struct policy_typical_task *typical = packing_typical(&count, &all);
    int status = policy_set_typical_tasks(play->p, 2, typical, count, all);
    if (status == POLICY_NO_MEMORY) {
        refused(play);
        status = policy_set_typical_tasks(play->p, 2, typical, count, all);
    }
    ck_assert(status == POLICY_OK || status == POLICY_UNSUPPORTED);
}

static void submit_jobs(struct play *play)
{
    for (uint32_t i = 0; i < 80; i++) {
        struct policy_role roles[2] = {
            core_role(1 + (int32_t)i % 3, core_devices(1 + (int32_t)i % 5)),
            core_role(1, core_share(100 + (int32_t)i))};
        struct policy_job_spec spec = core_job_spec(play->queues[i % 3], i, roles, 1 + i % 2);
        spec.submitted = 3;
        spec.eligible = i % 4 == 3 ? 100 : 0;
        spec.limit_ms = 10 + i * 5 % 17 * 20;
        spec.user = i % 5;
        play->jobs[i] = submit(play, 3, spec);
    }
}

/* Everything that needs memory, some of it more than once. */
static void play_scenario(struct play *play)
{
    build_cluster(play);
    tell_workload(play);
    submit_jobs(play);
    decide(play, 10);
    struct policy_explanation why = {.size = sizeof why};
    for (uint32_t i = 0; i < 80; i += 7)
        if (policy_explain(play->p, play->jobs[i], &why) != POLICY_OK) {
            refused(play);
            ck_assert_int_eq(policy_explain(play->p, play->jobs[i], &why), POLICY_OK);
        }
    end(play, 20, play->jobs[0], POLICY_ALL_TASKS, POLICY_EVICTED);
    end(play, 20, play->jobs[2], 0, POLICY_EVICTED); /* remembered until the last task ends */
    end(play, 21, play->jobs[2], 1, POLICY_SUCCEEDED);
    end(play, 22, play->jobs[2], 2, POLICY_SUCCEEDED);
    int status = policy_start_failed(play->p, 23, play->jobs[1]);
    if (status == POLICY_NO_MEMORY) {
        refused(play);
        status = policy_start_failed(play->p, 23, play->jobs[1]);
    }
    ck_assert_int_eq(status, POLICY_OK);
    struct policy_role role = core_role(1, core_devices(0));
    policy_job found = submit(play, 24, core_job_spec(play->queues[0], 1000, &role, 1));
    status = policy_task_running(play->p, 25, found, 0, (policy_node){3}, 0, 25);
    if (status == POLICY_NO_MEMORY) {
        refused(play);
        status = policy_task_running(play->p, 25, found, 0, (policy_node){3}, 0, 25);
    }
    ck_assert_int_eq(status, POLICY_OK);
    decide(play, 100);
    decide(play, 101);
}

/* Creating a policy may fail, too. */
static bool begin(struct play *play, const char *options)
{
    play->p = core_create(&play->tally, "fifo", options);
    if (play->p == NULL) {
        ck_assert_uint_eq(play->tally.bytes, 0);
        play->refusals++;
        play->p = core_create(&play->tally, "fifo", options);
    }
    return play->p != NULL;
}

static const char *const compositions[] = {
    "scope=queue blocking=skip placement=best-fit",
    "scope=fleet blocking=skip placement=random",
    "scope=fleet blocking=strict placement=spread",
    "scope=queue blocking=strict backfilling=easy",
    "scope=queue blocking=strict backfilling=conservative",
    KEEPS,
    "scope=fleet blocking=strict backfilling=easy queue_limits=true time_limits=true "
    "order=multifactor priority_max_age_s=1 priority_calc_period_s=1 "
    "priority_weight_fairshare=1000",
};

START_TEST(every_allocation_may_fail)
{
    struct play whole = {0};
    ck_assert(begin(&whole, compositions[_i]));
    play_scenario(&whole);
    core_destroy(whole.p, &whole.tally);
    ck_assert_uint_gt(whole.starts, 10);
    ck_assert_uint_gt(whole.tally.calls, 50);
    for (uint64_t n = 1; n <= whole.tally.calls; n += (uint64_t)harness_thin()) {
        struct play play = {.tally = {.fail_at = n}};
        ck_assert(begin(&play, compositions[_i]));
        play_scenario(&play);
        core_destroy(play.p, &play.tally);
        ck_assert_msg(play.tally.failed, "allocation %u never came", (unsigned)n);
        ck_assert_int_le(play.refusals, 1); /* none if things continue without that memory */
        ck_assert_uint_eq(play.starts, whole.starts);
        ck_assert_uint_eq(play.started, whole.started);
    }
}
END_TEST

/* ---- ranked orders ---- */

/* Evicted jobs end at once; decides until nothing is left to do. */
static void settle(struct play *play, policy_time at)
{
    policy_job evicted[80];
    for (bool again = true; again;) {
        size_t gone = 0;
        for (int call = 0; call < 2; call++) {
            size_t count;
            const struct policy_decision *d = policy_decide(play->p, at, &count);
            bool failed = policy_last_error(play->p)->status == POLICY_NO_MEMORY;
            for (size_t i = 0; i < count; i++) {
                play->started =
                    (play->started ^ d[i].job.i) * UINT64_C(0x100000001b3) + (uint64_t)d[i].kind;
                play->starts++;
                if (d[i].kind == POLICY_EVICT && d[i].task == 0)
                    evicted[gone++] = d[i].job;
            }
            if (!failed)
                break;
            refused(play);
        }
        for (size_t i = 0; i < gone; i++) {
            ck_assert_int_eq(policy_task_releasing(play->p, at, evicted[i], POLICY_ALL_TASKS),
                             POLICY_OK);
            end(play, at, evicted[i], POLICY_ALL_TASKS, POLICY_EVICTED);
        }
        again = gone > 0;
        core_is_sound(play->p);
    }
}

static void play_ranked(struct play *play)
{
    build_cluster(play);
    for (uint32_t i = 0; i < 80; i++) {
        struct policy_role role = core_role(1 + (int32_t)i % 3, core_devices(1 + (int32_t)i % 4));
        struct policy_job_spec spec = core_job_spec(play->queues[i % 3], i, &role, 1);
        policy_time at = 3 + (policy_time)i / 4;
        spec.submitted = at;
        spec.run_ms = 1000 - 10 * (int64_t)i;
        spec.preemptible = true;
        spec.eligible = i % 8 == 3 ? 50 : 0;
        play->jobs[i] = submit(play, at, spec);
        settle(play, at);
    }
    settle(play, 60);
}

static const char *const ranked[] = {
    "scope=queue blocking=skip order=remaining",
    "scope=fleet blocking=skip order=remaining-gpu placement=count ties=previous",
    "scope=fleet blocking=skip order=attained threshold_gpu_s=0.01",
    "scope=queue blocking=skip order=attained threshold_gpu_s=0.01,0.05 demotion=published",
};

START_TEST(every_allocation_of_ranked_lines_may_fail)
{
    struct play whole = {0};
    ck_assert(begin(&whole, ranked[_i]));
    play_ranked(&whole);
    core_destroy(whole.p, &whole.tally);
    ck_assert_uint_gt(whole.starts, 40);
    for (uint64_t n = 1; n <= whole.tally.calls; n += (uint64_t)harness_thin()) {
        struct play play = {.tally = {.fail_at = n}};
        ck_assert(begin(&play, ranked[_i]));
        play_ranked(&play);
        core_destroy(play.p, &play.tally);
        ck_assert_msg(play.tally.failed, "allocation %u never came", (unsigned)n);
        /* None where a class's list of pending jobs does not grow but drops stale entries. */
        ck_assert_int_le(play.refusals, 1);
        ck_assert_uint_eq(play.starts, whole.starts);
        ck_assert_uint_eq(play.started, whole.started);
    }
}
END_TEST

/* ---- steady state ---- */

/* Round k of a stream: a job of one of 100 shapes arrives, a decision is made, and an older one
 * ends. */
static void stream(struct policy *p, policy_queue queue, policy_job window[16], uint64_t from,
                   uint64_t to)
{
    for (uint64_t k = from; k < to; k++) {
        struct policy_request r = {.devices = 1 + (int32_t)(k % 4),
                                   .cpu_milli = (int64_t)(k % 25) * 100};
        struct policy_role role = core_role(1 + (int32_t)(k % 2), r);
        struct policy_job_spec spec = core_job_spec(queue, k, &role, 1);
        spec.eligible = k % 5 == 0 ? (policy_time)k + 3 : 0;
        spec.limit_ms = (int64_t)(k % 13);
        policy_time now = (policy_time)k;
        policy_job *slot = &window[k % 16];
        if (k >= 16 && policy_cancel(p, now, *slot) != POLICY_OK)
            ck_assert_int_eq(policy_task_ended(p, now, *slot, POLICY_ALL_TASKS, POLICY_SUCCEEDED),
                             POLICY_OK);
        *slot = policy_submit(p, now, &spec);
        ck_assert_uint_ne(slot->i, POLICY_NO_ID);
        size_t count;
        (void)policy_decide(p, now, &count);
    }
}

START_TEST(a_steady_stream_allocates_nothing)
{
    static const char *const options[] = {"blocking=strict",
                                          "blocking=skip scope=queue",
                                          "placement=count",
                                          "backfilling=easy",
                                          "backfilling=conservative",
                                          "placement=fgd",
                                          "blocking=skip order=remaining",
                                          "blocking=skip order=attained threshold_gpu_s=0.02"};
    struct tally tally = {0};
    policy_job window[16];
    struct policy *p = core_create(&tally, "fifo", options[_i]);
    policy_queue queue = core_queue(p, NULL, 0);
    for (uint32_t i = 0; i < 4; i++)
        core_node(p, i, 8);
    stream(p, queue, window, 0, 2000);
    uint64_t calls = tally.calls;
    stream(p, queue, window, 2000, 6000);
    ck_assert_uint_eq(tally.calls, calls);
    core_destroy(p, &tally);
}
END_TEST

/* A queue that never gets its turn: many jobs arrive and are cancelled behind one that stays. */
START_TEST(cancelled_jobs_do_not_pile_up)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "fifo", "");
    policy_queue queue = core_queue(p, NULL, 0);
    core_node(p, 0, 8);
    core_submit(p, 0, queue, 0, 1, core_devices(8));
    core_decide(p, 0, 1);
    core_submit(p, 0, queue, 1, 1, core_devices(4));
    size_t warm = 0;
    struct policy_role role = core_role(1, core_devices(4));
    for (uint64_t k = 2; k < 5000; k++) {
        struct policy_job_spec spec = core_job_spec(queue, k, &role, 1);
        spec.eligible = k % 2 == 0 ? INT64_MAX - (policy_time)k : 0;
        policy_job job = policy_submit(p, 1, &spec);
        ck_assert_int_eq(policy_cancel(p, 1, job), POLICY_OK);
        if (k == 200)
            warm = tally.bytes;
    }
    ck_assert_uint_eq(tally.bytes, warm);
    ck_assert_int_eq(policy_next_wakeup(p), INT64_MAX);
    core_destroy(p, &tally);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("memory_failures");
    TCase *tcase = tcase_create("memory");
    tcase_add_loop_test(tcase, every_allocation_may_fail, 0, ROWS(compositions));
    tcase_add_loop_test(tcase, every_allocation_of_ranked_lines_may_fail, 0, ROWS(ranked));
    tcase_add_loop_test(tcase, a_steady_stream_allocates_nothing, 0, 8);
    tcase_add_test(tcase, cancelled_jobs_do_not_pile_up);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
