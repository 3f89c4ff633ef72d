/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jobs that are evicted between a fault and its detection: what they take along, and what stays
 * behind. */
#include "report/measure/ledger.h"
#include "report/measure/reliability.h"
#include "tests/sim/evict.h"
#include "tests/sim/listed.h"

struct world {
    struct small s;
    struct listed l;
    struct ledger ledger;
    struct reliability seen;
};

/* Nodes of 2 devices; a checkpoint after each 30 s of work, written in no time; a restart takes 10
 * s. */
static struct world *begin(int nodes, int64_t grace_s)
{
    struct world *w = calloc(1, sizeof *w);
    small_begin(&w->s, "runai", "");
    (void)small_pool(&w->s, "n", nodes, 2);
    w->s.config.grace_ms = grace_s * 1000;
    w->s.config.checkpoints = (struct work_checkpoints){
        .given = true, .interval_ms = 30000, .restart_ms = 10000, .on_evict = true};
    small_observe(&w->s, ledger_observer(&w->ledger));
    small_observe(&w->s, reliability_observer(&w->seen));
    return w;
}

static void finish(struct world *w)
{
    const struct ledger *l = &w->ledger;
    evict_finish(&w->s);
    ck_assert(l->installed - ledger_productive(l) ==
              l->down + l->reclaimed + l->drained + l->idle_no_demand + l->idle_fragmented +
                  l->idle_blocked + l->user_lost + l->preemption + l->failure + l->hung +
                  l->checkpoint + l->restart + l->startup + l->hold + l->slowdown);
}

static void end(struct world *w)
{
    ledger_fini(&w->ledger);
    reliability_fini(&w->seen);
    small_end(&w->s);
    free(w);
}

static int64_t gpu_s(ledger_amount amount)
{
    return (int64_t)(amount / 1000000);
}

/* It hangs from 40, is evicted at 50, and continues at once with the 30 s that were safe. */
START_TEST(a_hanging_job_evicted_continues_elsewhere)
{
    struct world *w = begin(1, 0);
    small_job(&w->s, "a", 0, 100000, 2);
    (void)listed_add(&w->s, &w->l, 40, SIM_FAULT_KILLS, 0, 400,
                     0); /* not detected before its end */
    ck_assert(small_create(&w->s));
    evict_run(&w->s, 50000);
    ck_assert(evict_find(&w->s, "a")->hung);
    ck_assert_int_eq(w->s.sim->hung_milli, 2000);
    ck_assert_int_eq(w->s.sim->idle_milli, 0); /* not detected: it runs */
    evict_now(&w->s, "a", INT32_MAX);
    ck_assert(!evict_find(&w->s, "a")->hung);
    finish(w);
    ck_assert_int_eq(small_stop(&w->s, "a"), 130000); /* back at 50, 10 s of restart, 70 of work */
    ck_assert_int_eq(gpu_s(w->ledger.hung), 2 * 10);
    ck_assert_int_eq(gpu_s(w->ledger.preemption), 2 * 10);
    ck_assert_int_eq(gpu_s(ledger_running(&w->ledger)), 2 * (130 - 10)); /* all but the restart */
    ck_assert_int_eq(gpu_s(ledger_productive(&w->ledger)), 2 * 100);
    end(w);
}
END_TEST

/* The second job hangs by its own fault from 40; the first starts at 50 beside it, and is not
 * mistaken for it at 60. */
START_TEST(an_older_job_that_came_later_does_not_hang)
{
    struct world *w = begin(1, 0);
    small_job(&w->s, "a", 0, 100000, 1)->eligible_ms = 50000;
    small_job(&w->s, "b", 0, 100000, 1);
    listed_add(&w->s, &w->l, 40, SIM_FAULT_KILLS, 0, 20, 0)->one_job = true;
    ck_assert(small_create(&w->s));
    finish(w);
    ck_assert_int_eq(small_stop(&w->s, "a"), 150000);
    ck_assert_int_eq(small_stop(&w->s, "b"), 60000 + 10000 + 70000);
    ck_assert_uint_eq(w->seen.interruptions, 1);
    end(w);
}
END_TEST

/* 3 tasks of an elastic job hang from 40; at 50 it is shrunk to 2, which restart from 30 s of 3
 * tasks. */
START_TEST(an_elastic_job_that_hangs_stops_to_shrink)
{
    struct world *w = begin(2, 20);
    struct trace_job *job = small_job(&w->s, "a", 0, 100000, TRACE_UNKNOWN);
    job->tasks = job->max_tasks = 3;
    job->min_tasks = 1;
    job->gpus = 1;
    (void)listed_add(&w->s, &w->l, 40, SIM_FAULT_KILLS, 0, 1000, 0);
    ck_assert(small_create(&w->s));
    evict_run(&w->s, 50000);
    evict_now(&w->s, "a", 1);
    const struct work_job *a = evict_find(&w->s, "a");
    ck_assert(!a->hung);
    ck_assert_int_eq(a->running, 2);
    evict_run(&w->s, 60000);
    ck_assert_int_eq(work_ms_of(a, a->lost_units), 10000);
    finish(w);
    /* 300 task-seconds, 90 done; 2 tasks from 60 (restart over) to 70, then 3: (210 - 20) / 3 */
    ck_assert_int_eq(small_stop(&w->s, "a"), 70000 + 63334);
    end(w);
}
END_TEST

/*
 * Its work after 40 is worthless, 30 s of it were safe. It gives way to another job from 45 to 65,
 * with a checkpoint; detection at 60, while it waits, or at 85, when it works again, leaves it 30
 * s.
 */
static const struct {
    int64_t noticed_s, end_s, failure_s;
} corrupt[] = {
    {60, 65 + 10 + 70, 15},
    {85, 85 + 10 + 70, 15 + 10},
};

START_TEST(what_is_corrupt_is_undone_wherever_the_job_is)
{
    struct world *w = begin(1, 0);
    small_job(&w->s, "a", 0, 100000, 2);
    small_job(&w->s, "b", 45000, 20000, 2)->priority = 90;
    (void)listed_add(&w->s, &w->l, 40, SIM_FAULT_CORRUPTS, 0, corrupt[_i].noticed_s - 40, 0);
    ck_assert(small_create(&w->s));
    finish(w);
    ck_assert_int_eq(small_stop(&w->s, "b"), 65000);
    ck_assert_int_eq(small_stop(&w->s, "a"), corrupt[_i].end_s * 1000);
    ck_assert_int_eq(gpu_s(w->ledger.failure), 2 * corrupt[_i].failure_s);
    ck_assert_uint_eq(w->seen.interruptions, 1);
    ck_assert_int_eq(gpu_s(w->seen.classes[0].lost), 2 * corrupt[_i].failure_s);
    end(w);
}
END_TEST

/* Without checkpoints a job that is stopped loses nothing; a corrupt one loses its work since then,
 * and no more. */
START_TEST(what_was_done_before_it_was_corrupt_is_sound)
{
    struct world *w = begin(1, 0);
    w->s.config.checkpoints = (struct work_checkpoints){0};
    small_job(&w->s, "a", 0, 100000, 2);
    (void)listed_add(&w->s, &w->l, 40, SIM_FAULT_CORRUPTS, 0, 20, 0);
    ck_assert(small_create(&w->s));
    finish(w);
    ck_assert_int_eq(small_stop(&w->s, "a"), 120000);
    ck_assert_int_eq(gpu_s(w->ledger.failure), 2 * 20);
    ck_assert_int_eq(gpu_s(w->seen.classes[0].lost), 2 * 20);
    end(w);
}
END_TEST

/* Ended by a limit at 50, its devices are free at 70; the node breaks at 60. No job is interrupted.
 */
START_TEST(jobs_ended_by_a_limit_are_not_interrupted)
{
    struct world *w = begin(1, 20);
    small_job(&w->s, "a", 0, 100000, 2);
    (void)listed_add(&w->s, &w->l, 60, SIM_FAULT_KILLS, 0, 0, 5);
    ck_assert(small_create(&w->s));
    evict_run(&w->s, 50000);
    struct work_job *a = evict_find(&w->s, "a");
    ck_assert(evict_try(&w->s, a, INT32_MAX, POLICY_LIMITS, POLICY_REASON_NONE));
    finish(w);
    ck_assert_int_eq(small_stop(&w->s, "a"), 60000);
    ck_assert_int_eq(a->run_ms, 50000);
    ck_assert_uint_eq(a->failures, 0);
    ck_assert_uint_eq(w->seen.interruptions, 0);
    end(w);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("struck and evicted");
    TCase *tcase = tcase_create("struck and evicted");
    tcase_add_test(tcase, a_hanging_job_evicted_continues_elsewhere);
    tcase_add_test(tcase, an_older_job_that_came_later_does_not_hang);
    tcase_add_test(tcase, an_elastic_job_that_hangs_stops_to_shrink);
    tcase_add_loop_test(tcase, what_is_corrupt_is_undone_wherever_the_job_is, 0,
                        (int)(sizeof corrupt / sizeof *corrupt));
    tcase_add_test(tcase, what_was_done_before_it_was_corrupt_is_sound);
    tcase_add_test(tcase, jobs_ended_by_a_limit_are_not_interrupted);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
