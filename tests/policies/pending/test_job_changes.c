/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Planned changes: shares and limits of queues that have jobs, suspended queues and jobs, and
 * priorities. Expected decisions follow from the fleet of a few devices by hand.
 */
#include "tests/lib/core.h"
#include "tests/lib/harness.h"

#include <string.h>

struct scene {
    struct tally tally;
    struct policy *p;
    char text[512];
};

static void open_scene(struct scene *s, const char *preset, const char *options, int32_t devices)
{
    *s = (struct scene){.p = NULL};
    s->p = core_create(&s->tally, preset, options);
    (void)core_node(s->p, 0, devices);
}

static void close_scene(struct scene *s)
{
    core_destroy(s->p, &s->tally);
}

static struct policy_queue_spec queue_spec(uint32_t rank, int64_t quota, int64_t limit)
{
    const struct policy_share any = {POLICY_UNLIMITED, POLICY_UNLIMITED, 1000};
    return (struct policy_queue_spec){.size = sizeof(struct policy_queue_spec),
                                      .parent = {POLICY_NO_ID},
                                      .rank = rank,
                                      .gpu = {quota, limit, 1000},
                                      .cpu = any,
                                      .mem = any,
                                      .preempt_min_runtime_ms = POLICY_INHERIT,
                                      .reclaim_min_runtime_ms = POLICY_INHERIT};
}

static policy_queue add(struct scene *s, const struct policy_queue_spec *spec)
{
    policy_queue queue = policy_add_queue(s->p, 0, spec);
    ck_assert_uint_ne(queue.i, POLICY_NO_ID);
    return queue;
}

static void set(struct scene *s, policy_time at, policy_queue queue,
                const struct policy_queue_spec *spec)
{
    ck_assert_int_eq(policy_set_queue(s->p, at, queue, spec), POLICY_OK);
    core_is_sound(s->p);
}

static const char *decisions(struct scene *s, policy_time now)
{
    const char *text = core_decisions(s->p, now, s->text, sizeof s->text);
    core_is_sound(s->p);
    return text;
}

static policy_job submit(struct scene *s, policy_queue queue, uint64_t rank, int32_t priority,
                         int32_t devices)
{
    struct policy_role role = core_role(1, core_devices(devices));
    struct policy_job_spec spec = core_job_spec(queue, rank, &role, 1);
    spec.priority = priority;
    spec.preemptible = true;
    policy_job job = policy_submit(s->p, s->p != NULL ? (policy_time)rank : 0, &spec);
    ck_assert_uint_ne(job.i, POLICY_NO_ID);
    return job;
}

static void refused(struct scene *s, policy_queue queue, const struct policy_queue_spec *spec,
                    int status)
{
    struct policy_queue_info before = {.size = sizeof before}, after = {.size = sizeof after};
    ck_assert_int_eq(policy_queue_info(s->p, queue, &before), POLICY_OK);
    ck_assert_int_eq(policy_set_queue(s->p, 0, queue, spec), status);
    ck_assert_int_eq(policy_queue_info(s->p, queue, &after), POLICY_OK);
    ck_assert_mem_eq(&before, &after, sizeof after);
    ck_assert(!policy_has_work(s->p));
    core_is_sound(s->p);
}

START_TEST(forbidden_changes_are_refused_and_change_nothing)
{
    struct scene s;
    open_scene(&s, "runai", "", 4);
    const struct policy_queue_spec own = queue_spec(0, 2000, POLICY_UNLIMITED);
    policy_queue above = add(
        &s, &(struct policy_queue_spec){.size = sizeof own, .parent = {POLICY_NO_ID}, .rank = 7});
    policy_queue q = add(&s, &own);
    ck_assert_str_eq(decisions(&s, 0), "");
    struct policy_queue_spec spec = own;
    spec.parent = above;
    refused(&s, q, &spec, POLICY_CONFLICT);
    spec = own;
    spec.rank = 3;
    refused(&s, q, &spec, POLICY_CONFLICT);
    spec = own;
    spec.created = 3;
    refused(&s, q, &spec, POLICY_CONFLICT);
    const uint32_t pool = 0;
    spec = own;
    spec.pools = &pool;
    spec.pool_count = 1;
    refused(&s, q, &spec, POLICY_CONFLICT);
    spec = own;
    spec.gpu.quota = -2;
    refused(&s, q, &spec, POLICY_INVALID);
    spec = own;
    spec.fixed_milli = 2001; /* above its quota */
    refused(&s, q, &spec, POLICY_INVALID);
    refused(&s, q, &own, POLICY_OK); /* what changes nothing is no news */
    ck_assert_int_eq(policy_set_queue(s.p, 0, (policy_queue){99}, &own), POLICY_UNKNOWN);
    ck_assert_int_eq(policy_set_queue(s.p, -1, q, &own), POLICY_TIME_BACK);
    ck_assert_int_eq(policy_set_priority(s.p, 0, (policy_job){5, 0}, 1), POLICY_UNKNOWN);
    ck_assert_int_eq(policy_suspend_job(s.p, 0, (policy_job){5, 0}, true), POLICY_UNKNOWN);
    close_scene(&s);
}
END_TEST

/* A limit of two devices: two of four jobs start; raised to three, one more; cut to one, none when
 * one ends, and the next after two more have. */
static const char *const limited[][2] = {{"runai", ""}, {"fifo", "queue_limits=true"}};

START_TEST(limits_move)
{
    struct scene s;
    open_scene(&s, limited[_i][0], limited[_i][1], 8);
    struct policy_queue_spec spec = queue_spec(0, 0, 2000);
    policy_queue q = add(&s, &spec);
    policy_job jobs[4];
    for (uint64_t i = 0; i < 4; i++)
        jobs[i] = submit(&s, q, i, 50, 1);
    (void)core_decide(s.p, 10, 2);
    spec.gpu.limit = 3000;
    set(&s, 20, q, &spec);
    ck_assert(policy_has_work(s.p));
    (void)core_decide(s.p, 20, 1);
    spec.gpu.limit = 1000;
    set(&s, 30, q, &spec);
    (void)core_decide(s.p, 30, 0);
    for (uint64_t i = 0; i < 2; i++) {
        ck_assert_int_eq(policy_task_ended(s.p, 40, jobs[i], POLICY_ALL_TASKS, POLICY_SUCCEEDED),
                         POLICY_OK);
        (void)core_decide(s.p, 40, 0);
        ck_assert_int_eq(core_reason(s.p, jobs[3]), POLICY_REASON_OVER_LIMIT);
    }
    ck_assert_int_eq(policy_task_ended(s.p, 50, jobs[2], POLICY_ALL_TASKS, POLICY_SUCCEEDED),
                     POLICY_OK);
    (void)core_decide(s.p, 50, 1);
    close_scene(&s);
}
END_TEST

/* The daily quota moves from one queue to the other: all running jobs are over quota then, and
 * pending jobs within their quota reclaim it, one eviction per device. */
START_TEST(jobs_above_a_cut_quota_are_reclaimable)
{
    struct scene s;
    open_scene(&s, "runai", "", 4);
    struct policy_queue_spec day = queue_spec(0, 4000, POLICY_UNLIMITED);
    struct policy_queue_spec night = queue_spec(1, 0, POLICY_UNLIMITED);
    policy_queue a = add(&s, &day), b = add(&s, &night);
    for (uint64_t i = 0; i < 4; i++)
        (void)submit(&s, a, i, 50, 1);
    (void)core_decide(s.p, 10, 4);
    for (uint64_t i = 4; i < 8; i++) {
        struct policy_role role = core_role(1, core_devices(1));
        struct policy_job_spec spec = core_job_spec(b, i, &role, 1);
        spec.preemptible = true;
        ck_assert_uint_ne(policy_submit(s.p, 11, &spec).i, POLICY_NO_ID);
    }
    (void)core_decide(s.p, 11, 0); /* within its quota: not to be taken */
    day.gpu.quota = 0;
    night.gpu.quota = 4000;
    set(&s, 20, a, &day);
    set(&s, 20, b, &night);
    size_t n;
    const struct policy_decision *d = policy_decide(s.p, 20, &n);
    size_t evicted = 0;
    for (size_t i = 0; i < n; i++)
        evicted += d[i].kind == POLICY_EVICT;
    ck_assert_uint_eq(evicted, 4);
    core_is_sound(s.p);
    close_scene(&s);
}
END_TEST

/* ---- suspension ---- */

static const char *const presets[] = {"fifo", "easy",  "conservative", "sjf",
                                      "las",  "slurm", "runai",        "kube-default"};

START_TEST(a_suspended_queue_starts_nothing)
{
    struct scene s;
    open_scene(&s, presets[_i], "", 4);
    struct policy_queue_spec spec = queue_spec(0, POLICY_UNLIMITED, POLICY_UNLIMITED);
    policy_queue q = add(&s, &spec);
    struct policy_queue_spec other = queue_spec(1, POLICY_UNLIMITED, POLICY_UNLIMITED);
    policy_queue r = add(&s, &other);
    policy_job runs = submit(&s, q, 0, 50, 1);
    (void)core_decide(s.p, 1, 1);
    ck_assert_int_eq(policy_task_started(s.p, 1, runs, POLICY_ALL_TASKS), POLICY_OK);
    spec.suspended = true;
    set(&s, 2, q, &spec);
    policy_job waits = submit(&s, q, 3, 50, 1);
    struct policy_backlog backlog;
    ck_assert_int_eq(policy_backlog(s.p, q, &backlog), POLICY_OK);
    ck_assert_uint_eq(backlog.jobs[POLICY_REASON_SUSPENDED], 1);
    (void)core_decide(s.p, 4, 0);
    struct policy_explanation why = {.size = sizeof why};
    ck_assert_int_eq(policy_explain(s.p, waits, &why), POLICY_OK);
    ck_assert_int_eq(why.reason, POLICY_REASON_SUSPENDED);
    ck_assert_uint_eq(why.queue.i, q.i);
    (void)submit(&s, r, 5, 50, 1); /* no job is behind it */
    (void)core_decide(s.p, 6, 1);
    spec.suspended = false;
    set(&s, 7, q, &spec);
    ck_assert(policy_has_work(s.p));
    const struct policy_decision *d = core_decide(s.p, 7, 1);
    ck_assert_uint_eq(d[0].job.i, waits.i);
    close_scene(&s);
}
END_TEST

START_TEST(a_suspended_job_starts_nothing)
{
    struct scene s;
    open_scene(&s, presets[_i], "", 4);
    struct policy_queue_spec spec = queue_spec(0, POLICY_UNLIMITED, POLICY_UNLIMITED);
    policy_queue q = add(&s, &spec);
    policy_job first = submit(&s, q, 0, 50, 1);
    ck_assert_int_eq(policy_suspend_job(s.p, 0, first, true), POLICY_OK);
    policy_job second = submit(&s, q, 1, 50, 1);
    const struct policy_decision *d = core_decide(s.p, 1, 1);
    ck_assert_uint_eq(d[0].job.i, second.i);
    ck_assert_int_eq(core_reason(s.p, first), POLICY_REASON_SUSPENDED);
    ck_assert_int_eq(policy_suspend_job(s.p, 2, first, false), POLICY_OK);
    core_is_sound(s.p);
    d = core_decide(s.p, 2, 1);
    ck_assert_uint_eq(d[0].job.i, first.i);
    close_scene(&s);
}
END_TEST

START_TEST(queues_below_are_suspended_too)
{
    struct scene s;
    open_scene(&s, "runai", "", 4);
    struct policy_queue_spec above = queue_spec(0, POLICY_UNLIMITED, POLICY_UNLIMITED);
    policy_queue parent = add(&s, &above);
    struct policy_queue_spec below = queue_spec(1, POLICY_UNLIMITED, POLICY_UNLIMITED);
    below.parent = parent;
    policy_queue leaf = add(&s, &below);
    (void)submit(&s, leaf, 0, 50, 1);
    above.suspended = true;
    set(&s, 1, parent, &above);
    below.suspended = true; /* twice over */
    set(&s, 1, leaf, &below);
    above.suspended = false;
    set(&s, 2, parent, &above);
    (void)core_decide(s.p, 2, 0);
    below.suspended = false;
    set(&s, 3, leaf, &below);
    (void)core_decide(s.p, 3, 1);
    close_scene(&s);
}
END_TEST

/* Pending jobs in a suspended queue request nothing: the other queue's share is everything. */
START_TEST(a_suspended_queue_asks_for_nothing)
{
    struct scene s;
    open_scene(&s, "runai", "", 4);
    struct policy_queue_spec one = queue_spec(0, 0, POLICY_UNLIMITED);
    struct policy_queue_spec two = queue_spec(1, 0, POLICY_UNLIMITED);
    policy_queue a = add(&s, &one), b = add(&s, &two);
    for (uint64_t i = 0; i < 4; i++) {
        (void)submit(&s, a, 2 * i, 50, 1);
        (void)submit(&s, b, 2 * i + 1, 50, 1);
    }
    one.suspended = true;
    set(&s, 8, a, &one);
    (void)core_decide(s.p, 8, 4);
    struct policy_queue_info info = {.size = sizeof info};
    ck_assert_int_eq(policy_queue_info(s.p, a, &info), POLICY_OK);
    ck_assert_int_eq(info.request.gpu, 0);
    ck_assert_int_eq(policy_queue_info(s.p, b, &info), POLICY_OK);
    ck_assert_int_eq(info.fair_share.gpu, 4000);
    one.suspended = false;
    set(&s, 9, a, &one);
    ck_assert_int_eq(policy_queue_info(s.p, a, &info), POLICY_OK);
    ck_assert_int_eq(info.request.gpu, 4000);
    close_scene(&s);
}
END_TEST

/* ---- priority ---- */

START_TEST(a_job_with_more_priority_comes_first)
{
    struct scene s;
    open_scene(&s, "runai", "", 1);
    struct policy_queue_spec spec = queue_spec(0, POLICY_UNLIMITED, POLICY_UNLIMITED);
    policy_queue q = add(&s, &spec);
    (void)submit(&s, q, 0, 50, 1);
    policy_job second = submit(&s, q, 1, 50, 1);
    ck_assert_int_eq(policy_set_priority(s.p, 2, second, 60), POLICY_OK);
    core_is_sound(s.p);
    const struct policy_decision *d = core_decide(s.p, 2, 1);
    ck_assert_uint_eq(d[0].job.i, second.i);
    close_scene(&s);
}
END_TEST

/* A running job whose priority drops is evicted for one in its queue with a higher one. */
START_TEST(a_running_job_of_lower_priority_is_evicted)
{
    struct scene s;
    open_scene(&s, "runai", "", 1);
    struct policy_queue_spec spec = queue_spec(0, POLICY_UNLIMITED, POLICY_UNLIMITED);
    policy_queue q = add(&s, &spec);
    policy_job first = submit(&s, q, 0, 50, 1);
    (void)core_decide(s.p, 1, 1);
    ck_assert_int_eq(policy_task_started(s.p, 1, first, POLICY_ALL_TASKS), POLICY_OK);
    (void)submit(&s, q, 2, 50, 1);
    (void)core_decide(s.p, 2, 0);
    ck_assert_int_eq(policy_set_priority(s.p, 3, first, 40), POLICY_OK);
    core_is_sound(s.p);
    size_t n;
    const struct policy_decision *d = policy_decide(s.p, 3, &n);
    ck_assert_uint_ge(n, 1);
    ck_assert_int_eq(d[0].kind, POLICY_EVICT);
    ck_assert_uint_eq(d[0].job.i, first.i);
    close_scene(&s);
}
END_TEST

/* ---- memory ---- */

/* Every allocation fails once: a refused change changes nothing, and succeeds when it is repeated.
 */
static uint64_t change_without_memory(uint64_t fail_at)
{
    struct scene s;
    open_scene(&s, "runai", "", 4);
    struct policy_queue_spec spec = queue_spec(0, POLICY_UNLIMITED, POLICY_UNLIMITED);
    policy_queue q = add(&s, &spec);
    policy_job jobs[40];
    for (uint64_t i = 0; i < 40; i++)
        jobs[i] = submit(&s, q, i, 50 + (int32_t)i, 1);
    uint64_t before = s.tally.calls;
    s.tally.fail_at = fail_at == 0 ? 0 : before + fail_at;
    for (int round = 0; round < 2; round++) {
        spec.suspended = round == 0;
        for (int status = POLICY_NO_MEMORY; status != POLICY_OK;) {
            status = policy_set_queue(s.p, 50, q, &spec);
            ck_assert(status == POLICY_OK || (status == POLICY_NO_MEMORY && s.tally.failed));
            core_is_sound(s.p);
        }
        for (uint32_t i = 0; i < 40; i++)
            for (int status = POLICY_NO_MEMORY; status != POLICY_OK;) {
                status = policy_set_priority(s.p, 50, jobs[i], 7 * (int32_t)i % 40 + round);
                ck_assert(status == POLICY_OK || (status == POLICY_NO_MEMORY && s.tally.failed));
                core_is_sound(s.p);
            }
        for (int status = POLICY_NO_MEMORY; status != POLICY_OK;) {
            status = policy_suspend_job(s.p, 50, jobs[3], round == 0);
            ck_assert(status == POLICY_OK || (status == POLICY_NO_MEMORY && s.tally.failed));
            core_is_sound(s.p);
        }
    }
    uint64_t calls = s.tally.calls - before;
    close_scene(&s);
    return calls;
}

START_TEST(changes_without_memory)
{
    uint64_t calls = change_without_memory(0);
    for (uint64_t i = 1; i <= calls; i++)
        (void)change_without_memory(i);
}
END_TEST

int main(void)
{
    TCase *queues = tcase_create("queues");
    tcase_add_test(queues, forbidden_changes_are_refused_and_change_nothing);
    tcase_add_loop_test(queues, limits_move, 0, sizeof limited / sizeof *limited);
    tcase_add_test(queues, jobs_above_a_cut_quota_are_reclaimable);
    TCase *suspended = tcase_create("suspended");
    tcase_add_loop_test(suspended, a_suspended_queue_starts_nothing, 0,
                        sizeof presets / sizeof *presets);
    tcase_add_loop_test(suspended, a_suspended_job_starts_nothing, 0,
                        sizeof presets / sizeof *presets);
    tcase_add_test(suspended, queues_below_are_suspended_too);
    tcase_add_test(suspended, a_suspended_queue_asks_for_nothing);
    TCase *priority = tcase_create("priority");
    tcase_add_test(priority, a_job_with_more_priority_comes_first);
    tcase_add_test(priority, a_running_job_of_lower_priority_is_evicted);
    tcase_add_test(priority, changes_without_memory);
    Suite *suite = suite_create("job_changes");
    suite_add_tcase(suite, queues);
    suite_add_tcase(suite, suspended);
    suite_add_tcase(suite, priority);
    return harness_run(suite);
}
