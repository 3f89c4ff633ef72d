/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The auditor finds damage, and carrying out a decision fails if the world is not what the core
 * believes: each test breaks one thing behind the simulator's back.
 */
#include "sim/internal.h"
#include "tests/sim/small.h"

/* One job runs, one is pending. */
static void midway(struct small *s, const char *options)
{
    small_begin(s, "fifo", options);
    small_pool(s, "p", 1, 2);
    small_job(s, "a", 0, 10000, 2);
    small_job(s, "b", 0, 10000, 1);
    ck_assert(small_create(s) && sim_run(s->sim, 5000, &s->err));
    ck_assert_uint_eq(s->sim->running, 1);
    ck_assert_uint_eq(s->sim->pending, 1);
}

static struct work_job *job_named(struct small *s, const char *id)
{
    for (size_t i = 0; i < s->sim->work.capacity; i++)
        if (s->sim->work.jobs[i].state != WORK_FREE &&
            strcmp(work_id(&s->sim->work.jobs[i]), id) == 0)
            return &s->sim->work.jobs[i];
    ck_abort_msg("no job %s", id);
    return NULL;
}

static void lend_more(struct small *s)
{
    s->fleet.milli_used += 1;
}

static void lend_in_pool(struct small *s)
{
    s->fleet.pools[0].milli_used -= 1;
}

static void lend_too_much(struct small *s)
{
    s->fleet.pools[0].milli_used += 5000;
}

static void lose_pending(struct small *s)
{
    job_named(s, "b")->state = WORK_FREE;
}

static void run_twice(struct small *s)
{
    s->sim->running++;
}

static void forget_submission(struct small *s)
{
    s->sim->submitted--;
}

static void shrink(struct small *s)
{
    job_named(s, "a")->running_milli -= 500;
}

static const struct {
    void (*harm)(struct small *);
    const char *message;
} harms[] = {
    {lend_more, "the fleet lent"},
    {lend_in_pool, "pools lent"},
    {lend_too_much, "pool 'p' lent more than it has"},
    {lose_pending, "0 wait, counted as 1 and 1"},
    {run_twice, "1 jobs run"},
    {forget_submission, "jobs were lost"},
    {shrink, "job 'a' counts 1500"},
};

START_TEST(damage_is_found)
{
    struct small s;
    midway(&s, "");
    ck_assert(sim_audit(s.sim, &s.err));
    harms[_i].harm(&s);
    bool ok = sim_audit(s.sim, &s.err) && sim_finish(s.sim, &s.err);
    ck_assert(!ok);
    ck_assert_int_eq(s.err.code, EXIT_INVARIANT);
    harness_contains(s.err.msg, harms[_i].message);
    small_end(&s);
}
END_TEST

/* ---- decisions that cannot be carried out ---- */

static void take_device(struct small *s)
{
    s->fleet.nodes[0].used[0] = 1; /* besides job a, which ends first */
}

static void wrong_type(struct small *s)
{
    job_named(s, "b")->request.types = 2;
}

static void wrong_size(struct small *s)
{
    job_named(s, "b")->rest_devices = 2;
}

static void larger_gang(struct small *s)
{
    job_named(s, "b")->min_tasks = 2;
}

static void not_eligible(struct small *s)
{
    job_named(s, "b")->eligible_ms = 11000;
}

static void already_started(struct small *s)
{
    job_named(s, "b")->state = WORK_RUNNING;
}

static void counted_wrongly(struct small *s)
{
    job_named(s, "b")->gpu_milli = 2000;
}

static const struct {
    const char *options;
    void (*harm)(struct small *);
    const char *message;
} lies[] = {
    {"", take_device, "taken twice"},
    {"", wrong_type, "GPUs of a wrong type"},
    {"", wrong_size, "differs from its request"},
    {"", larger_gang, "1 of a gang of 2 tasks"},
    {"", not_eligible, "which is not pending"},
    {"", already_started, "which is not pending"},
    {"placement=count", counted_wrongly, "a start without a node"},
};

START_TEST(impossible_decisions_stop_the_run)
{
    struct small s;
    midway(&s, lies[_i].options);
    s.sim->config.audit = false; /* found on the spot, with or without audits */
    lies[_i].harm(&s);
    ck_assert(!sim_run(s.sim, INT64_MAX, &s.err));
    ck_assert_int_eq(s.err.code, EXIT_INVARIANT);
    harness_contains(s.err.msg, "at 10000 ms");
    harness_contains(s.err.msg, lies[_i].message);
    small_end(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("audit");
    TCase *tcase = tcase_create("audit");
    tcase_add_loop_test(tcase, damage_is_found, 0, ROWS(harms));
    tcase_add_loop_test(tcase, impossible_decisions_stop_the_run, 0, ROWS(lies));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
