/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ranked orders by hand-made cases: which jobs are evicted, which start in what order, and when
 * time alone changes a decision. Jobs are named a, b, c ... in order of submission; a decision is
 * written as text, "-a +b": evict a, start b.
 */
#include "tests/lib/core.h"
#include "tests/lib/harness.h"

#include <stdio.h>
#include <string.h>

enum { JOBS = 16 };

struct line {
    struct tally tally;
    struct policy *p;
    policy_queue q;
    policy_job jobs[JOBS];
    int32_t devices[JOBS];
    uint32_t count;
    char text[256];
};

static void begin(struct line *l, const char *preset, const char *options, int32_t nodes,
                  int32_t devices)
{
    *l = (struct line){.count = 0};
    l->p = core_create(&l->tally, preset, options);
    l->q = core_queue(l->p, NULL, 0);
    for (int32_t i = 0; i < nodes; i++)
        core_node(l->p, (uint32_t)i, devices);
}

static void finish(struct line *l)
{
    core_destroy(l->p, &l->tally);
}

static struct policy_job_spec spec_of(const struct line *l, int64_t run_ms,
                                      const struct policy_role *role)
{
    struct policy_job_spec spec = core_job_spec(l->q, l->count, role, 1);
    spec.run_ms = run_ms;
    spec.preemptible = true;
    return spec;
}

static void add(struct line *l, policy_time at, const struct policy_job_spec *spec)
{
    l->jobs[l->count] = policy_submit(l->p, at, spec);
    ck_assert_msg(l->jobs[l->count].i != POLICY_NO_ID, "%s", policy_last_error(l->p)->message);
    l->count++;
}

static void submit(struct line *l, policy_time at, int32_t devices, int64_t run_ms)
{
    struct policy_role role = core_role(1, core_devices(devices));
    struct policy_job_spec spec = spec_of(l, run_ms, &role);
    spec.submitted = at;
    add(l, at, &spec);
}

static char letter(const struct line *l, policy_job job)
{
    for (uint32_t i = 0; i < l->count; i++)
        if (l->jobs[i].i == job.i && l->jobs[i].gen == job.gen)
            return (char)('a' + i);
    return '?';
}

/* One decision as text; counted starts and those of task 0 represent the job. */
static const char *decide(struct line *l, policy_time at)
{
    size_t count;
    size_t used = 0;
    const struct policy_decision *d = policy_decide(l->p, at, &count);
    l->text[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        if (d[i].task != 0 && d[i].task != POLICY_ALL_TASKS)
            continue;
        if (d[i].kind == POLICY_EVICT) {
            ck_assert_int_eq(d[i].action, POLICY_PREEMPT);
            ck_assert_int_eq(d[i].reason, POLICY_REASON_OUTRANKED);
        }
        used +=
            (size_t)snprintf(l->text + used, sizeof l->text - used, "%s%c%c", used > 0 ? " " : "",
                             d[i].kind == POLICY_EVICT ? '-' : '+', letter(l, d[i].job));
    }
    core_is_sound(l->p);
    return l->text;
}

static void is_told(struct line *l, policy_time at, char which)
{
    ck_assert_int_eq(policy_task_releasing(l->p, at, l->jobs[which - 'a'], POLICY_ALL_TASKS),
                     POLICY_OK);
    core_is_sound(l->p);
}

static void is_gone(struct line *l, policy_time at, char which, int32_t outcome)
{
    ck_assert_int_eq(policy_task_ended(l->p, at, l->jobs[which - 'a'], POLICY_ALL_TASKS, outcome),
                     POLICY_OK);
    core_is_sound(l->p);
}

static void gives_way(struct line *l, policy_time at, char which)
{
    is_told(l, at, which);
    is_gone(l, at, which, POLICY_EVICTED);
}

#define SAYS(line, at, expected) ck_assert_str_eq(decide((line), (at)), (expected))

/* ---- remaining time ---- */

/*
 * 8 devices: a (8, 100 s) runs from 0; b (4, 30 s) arrives at 50, when a has 50 s left, and c (4,
 * 60 s), which must wait: b and c would fit together, but a comes before c and does not fit next to
 * b. So 4 devices go to c after all.
 */
START_TEST(less_remaining_time_goes_first)
{
    struct line l;
    begin(&l, "srtf", "", 1, 8);
    submit(&l, 0, 8, 100000);
    SAYS(&l, 0, "+a");
    submit(&l, 50000, 4, 30000);
    submit(&l, 50000, 4, 60000);
    ck_assert(policy_has_work(l.p));
    SAYS(&l, 50000, "-a");
    SAYS(&l, 50000, "");
    ck_assert(!policy_has_work(l.p));
    gives_way(&l, 50000, 'a');
    SAYS(&l, 50000, "+b +c");
    SAYS(&l, 60000, "");
    is_gone(&l, 80000, 'b', POLICY_SUCCEEDED);
    SAYS(&l, 80000, ""); /* a has 50 s left, c 30 s */
    is_gone(&l, 110000, 'c', POLICY_SUCCEEDED);
    SAYS(&l, 110000, "+a");
    finish(&l);
}
END_TEST

/* While evicted jobs still hold devices, jobs that find a place start at once, the others when
 * those are free. */
START_TEST(others_start_during_the_grace)
{
    struct line l;
    begin(&l, "srtf", "", 2, 4);
    submit(&l, 0, 4, 100000);
    SAYS(&l, 0, "+a");
    submit(&l, 1000, 4, 10000);
    SAYS(&l, 1000, "+b");
    submit(&l, 2000, 4, 20000);
    SAYS(&l, 2000, "-a");
    submit(&l, 2000, 4, 30000);
    SAYS(&l, 2000, ""); /* no budget for d */
    is_told(&l, 2000, 'a');
    SAYS(&l, 2000, "");
    is_gone(&l, 11000, 'b', POLICY_SUCCEEDED);
    SAYS(&l, 11000, "+c"); /* d has a part of the budget now, and waits for the devices of a */
    ck_assert_int_eq(core_reason(l.p, l.jobs[3]), POLICY_REASON_DEVICES_BUSY);
    is_gone(&l, 32000, 'a', POLICY_EVICTED);
    SAYS(&l, 32000, "+d");
    finish(&l);
}
END_TEST

/* After an eviction the reported remaining time counts: 40 s more put a behind c. */
START_TEST(progress_is_as_reported)
{
    struct line l;
    begin(&l, "srtf", "", 1, 8);
    submit(&l, 0, 8, 100000);
    SAYS(&l, 0, "+a");
    submit(&l, 60000, 8, 10000);
    submit(&l, 60000, 8, 50000);
    SAYS(&l, 60000, "-a");
    ck_assert_int_eq(policy_report_progress(l.p, 60000, l.jobs[0], 80000), POLICY_OK);
    gives_way(&l, 60000, 'a');
    SAYS(&l, 60000, "+b");
    is_gone(&l, 70000, 'b', POLICY_SUCCEEDED);
    SAYS(&l, 70000, "+c"); /* 50 s are less than 80, more than the 40 that a would have had */
    ck_assert_int_eq(policy_report_progress(l.p, 71000, l.jobs[0], 48000), POLICY_OK);
    SAYS(&l, 71000, "-c"); /* 48 s are less than 49 */
    gives_way(&l, 71000, 'c');
    SAYS(&l, 71000, "+a");
    ck_assert_int_eq(policy_report_progress(l.p, 71000, l.jobs[1], 1), POLICY_UNKNOWN);
    ck_assert_int_eq(policy_report_progress(l.p, 71000, l.jobs[0], -1), POLICY_INVALID);
    ck_assert_int_eq(policy_report_progress(l.p, 70000, l.jobs[0], 1), POLICY_TIME_BACK);
    finish(&l);
}
END_TEST

/* Remaining time x GPUs: 8 x 10 s come after 1 x 60 s. */
START_TEST(remaining_gpu_time)
{
    struct line l;
    begin(&l, "srtf", "order=remaining-gpu", 1, 8);
    submit(&l, 0, 8, 10000);
    SAYS(&l, 0, "+a");
    submit(&l, 1000, 1, 60000); /* 60 < 8 x 9 */
    SAYS(&l, 1000, "-a");
    gives_way(&l, 1000, 'a');
    SAYS(&l, 1000, "+b");
    finish(&l);
}
END_TEST

/* Equal amounts: by the option, and then by the time in the queue or of the start. */
static const struct {
    const char *ties, *expected;
} ties[] = {
    {"ties=running", ""},
    {"ties=waiting", "-a"},
    {"ties=previous", ""},
};

START_TEST(ties_are_broken_as_said)
{
    struct line l;
    begin(&l, "srtf", ties[_i].ties, 1, 8);
    submit(&l, 0, 8, 100000);
    SAYS(&l, 0, "+a");
    submit(&l, 40000, 8, 60000);
    SAYS(&l, 40000, ties[_i].expected);
    finish(&l);
}
END_TEST

/* Both a and b have 50 s left when c arrives; without overheads the one that started later is
 * evicted, once. */
START_TEST(equals_do_not_take_turns_for_ever)
{
    struct line l;
    begin(&l, "srtf", ties[_i].ties, 2, 4);
    submit(&l, 0, 4, 100000);
    submit(&l, 0, 4, 100000);
    SAYS(&l, 0, "+a +b");
    submit(&l, 50000, 4, 10000);
    SAYS(&l, 50000, "-b");
    gives_way(&l, 50000, 'b');
    SAYS(&l, 50000, "+c");
    SAYS(&l, 50000, "");
    ck_assert(!policy_has_work(l.p));
    finish(&l);
}
END_TEST

START_TEST(jobs_of_unknown_run_time_come_last)
{
    struct line l;
    begin(&l, "srtf", "", 1, 8);
    submit(&l, 0, 8, -1);
    SAYS(&l, 0, "+a");
    submit(&l, 1000, 8, INT64_C(1000000000000));
    SAYS(&l, 1000, "-a");
    gives_way(&l, 1000, 'a');
    SAYS(&l, 1000, "+b");
    finish(&l);
}
END_TEST

/* ---- jobs that take part ---- */

START_TEST(non_preemptible_jobs_stay)
{
    struct line l;
    begin(&l, "srtf", "", 1, 8);
    struct policy_role role = core_role(1, core_devices(6));
    struct policy_job_spec spec = spec_of(&l, 100000, &role);
    spec.preemptible = false;
    add(&l, 0, &spec);
    submit(&l, 0, 2, 90000);
    SAYS(&l, 0, "+b +a");
    submit(&l, 1000, 4, 1000); /* 2 devices are not for sale, and the others are too few */
    submit(&l, 1000, 2, 2000);
    SAYS(&l, 1000, "-b");
    gives_way(&l, 1000, 'b');
    SAYS(&l, 1000, "+d");
    ck_assert_int_eq(core_reason(l.p, l.jobs[2]), POLICY_REASON_OUTRANKED);
    finish(&l);
}
END_TEST

/* A job that no node can hold has no part of the budget: no job is evicted for it. */
START_TEST(jobs_that_never_fit_take_no_part)
{
    struct line l;
    begin(&l, "srtf", "", 2, 4);
    submit(&l, 0, 4, 100000);
    submit(&l, 0, 4, 100000);
    SAYS(&l, 0, "+a +b");
    submit(&l, 1000, 8, 1);
    SAYS(&l, 1000, "");
    ck_assert_int_eq(core_reason(l.p, l.jobs[2]), POLICY_REASON_NEVER_FITS);
    struct policy_node_spec node = core_node_spec(9, 8);
    policy_add_node(l.p, 1000, &node);
    SAYS(&l, 1000, "+c");
    finish(&l);
}
END_TEST

/* 4 of 8 devices are free, but not on one node: c has its part of the budget, finds no place, and
 * blocks no other job. */
START_TEST(what_is_chosen_may_find_no_place)
{
    struct line l;
    begin(&l, "srtf", "", 2, 4);
    submit(&l, 0, 2, 100000);
    submit(&l, 0, 3, 100000);
    SAYS(&l, 0, "+a +b");
    submit(&l, 1000, 3, 50000); /* 2 + 1 are free */
    submit(&l, 1000, 1, 60000);
    SAYS(&l, 1000, "-b"); /* budget 8: c 3, d 1, a 2; b does not fit */
    gives_way(&l, 1000, 'b');
    SAYS(&l, 1000, "+c +d");
    submit(&l, 2000, 2, 1000);
    SAYS(&l, 2000, "+e"); /* next to a, where d did not go: best fit */
    submit(&l, 3000, 4, 500);
    SAYS(&l, 3000, "-c -a"); /* budget 8: e 2, f 4, d 1 */
    gives_way(&l, 3000, 'c');
    gives_way(&l, 3000, 'a');
    SAYS(&l, 3000, ""); /* f needs 4 on one node: e is in its way on one, d on the other */
    ck_assert_int_eq(core_reason(l.p, l.jobs[5]), POLICY_REASON_FRAGMENTED);
    ck_assert_int_eq(core_reason(l.p, l.jobs[0]), POLICY_REASON_OUTRANKED);
    struct policy_backlog backlog;
    ck_assert_int_eq(policy_backlog(l.p, l.q, &backlog), POLICY_OK);
    ck_assert_uint_eq(backlog.jobs[POLICY_REASON_FRAGMENTED], 1);
    ck_assert_int_eq(backlog.gpu_milli[POLICY_REASON_FRAGMENTED], 4000);
    ck_assert_uint_eq(backlog.jobs[POLICY_REASON_OUTRANKED], 3);
    finish(&l);
}
END_TEST

/* A job on a node that accepts no tasks would free nothing for others: it stays. */
START_TEST(draining_nodes_are_no_budget)
{
    struct line l;
    begin(&l, "srtf", "", 2, 4);
    submit(&l, 0, 4, 100000);
    submit(&l, 0, 4, 200000);
    SAYS(&l, 0, "+a +b");
    ck_assert_int_eq(policy_set_node_state(l.p, 1000, (policy_node){1}, POLICY_NODE_DRAINING),
                     POLICY_OK);
    submit(&l, 1000, 4, 1000);
    SAYS(&l, 1000, "-a");
    gives_way(&l, 1000, 'a');
    SAYS(&l, 1000, "+c");
    submit(&l, 1500, 4, 100); /* b has more left, but its node takes nothing */
    SAYS(&l, 1500, "-c");
    gives_way(&l, 1500, 'c');
    SAYS(&l, 1500, "+d");
    finish(&l);
}
END_TEST

START_TEST(held_jobs_come_in_at_their_time)
{
    struct line l;
    begin(&l, "srtf", "", 1, 8);
    submit(&l, 0, 8, 100000);
    struct policy_role role = core_role(1, core_devices(8));
    struct policy_job_spec spec = spec_of(&l, 1000, &role);
    spec.eligible = 5000;
    add(&l, 0, &spec);
    SAYS(&l, 0, "+a");
    ck_assert_int_eq(policy_next_wakeup(l.p), 5000);
    SAYS(&l, 5000, "-a");
    finish(&l);
}
END_TEST

/* ---- queues ---- */

/* Each queue has its own lane; if two share nodes, the budget of one is what the other does not
 * hold. */
START_TEST(lines_of_queues)
{
    struct line l;
    begin(&l, "srtf", "scope=queue", 1, 8);
    policy_queue own = l.q;
    policy_queue other = core_queue(l.p, NULL, 0);
    submit(&l, 0, 6, 100000);
    SAYS(&l, 0, "+a");
    l.q = other;
    submit(&l, 1000, 4, 1); /* a belongs to the other lane */
    submit(&l, 1000, 2, 100000);
    SAYS(&l, 1000, "+c");
    l.q = own;
    submit(&l, 2000, 2, 1);
    SAYS(&l, 2000, "-a");
    gives_way(&l, 2000, 'a');
    SAYS(&l, 2000, "+d +b");
    is_gone(&l, 2001, 'd', POLICY_SUCCEEDED);
    SAYS(&l, 2001, "");
    is_gone(&l, 2002, 'b', POLICY_SUCCEEDED); /* and a is retried */
    SAYS(&l, 2002, "+a");
    finish(&l);
}
END_TEST

/* One lane over pools to which some queues are bound: no job is evicted where that would not
 * help. */
START_TEST(bound_queues_in_one_line)
{
    static const uint32_t first[] = {0};
    static const uint32_t second[] = {1};
    struct line l;
    begin(&l, "srtf", "", 0, 0);
    policy_queue queues[] = {core_queue(l.p, first, 1), core_queue(l.p, second, 1), l.q};
    for (uint32_t i = 0; i < 2; i++) {
        struct policy_node_spec node = core_node_spec(i, 8);
        node.pool = i;
        policy_add_node(l.p, 0, &node);
    }
    l.q = queues[0];
    submit(&l, 0, 8, 100000);
    SAYS(&l, 0, "+a");
    l.q = queues[1];
    submit(&l, 1000, 8, 50000);
    SAYS(&l, 1000, "+b");
    submit(&l, 2000, 8, 1000); /* bound to the second pool */
    SAYS(&l, 2000, "-b");
    gives_way(&l, 2000, 'b');
    SAYS(&l, 2000, "+c");
    l.q = queues[2];
    submit(&l, 3000, 8, 500); /* anywhere: it blocks no job by itself, but everything is taken */
    SAYS(&l, 3000, "-a");
    gives_way(&l, 3000, 'a');
    SAYS(&l, 3000, "+d");
    finish(&l);
}
END_TEST

/* ---- attained service ---- */

/* a (4 GPUs) passes 40 GPU-seconds just after 10 s: then b, submitted later, goes first. */
START_TEST(service_is_attained)
{
    struct line l;
    begin(&l, "las", "threshold_gpu_s=40", 1, 4);
    submit(&l, 0, 4, -1);
    SAYS(&l, 0, "+a");
    ck_assert_int_eq(policy_next_wakeup(l.p), INT64_MAX); /* no job is pending */
    submit(&l, 3000, 4, -1);
    SAYS(&l, 3000, "");
    ck_assert_int_eq(policy_next_wakeup(l.p), 10001);
    SAYS(&l, 10000, "");
    SAYS(&l, 10001, "-a");
    gives_way(&l, 10001, 'a');
    SAYS(&l, 10001, "+b");
    ck_assert_int_eq(policy_next_wakeup(l.p), 20002);
    SAYS(&l, 20002, "-b"); /* both are in the second queue, a was submitted first */
    gives_way(&l, 20002, 'b');
    SAYS(&l, 20002, "+a");
    ck_assert_int_eq(policy_next_wakeup(l.p), INT64_MAX);
    submit(&l, 20003, 4, -1); /* and new ones in the first */
    SAYS(&l, 20003, "-a");
    finish(&l);
}
END_TEST

/*
 * As published, with thresholds 4 and 10: a (4 GPUs) attains 4 GPU-s at 1 s. Expected at 0 + (4 -
 * 0) / 4 = 1 s, when it has; then 10 at 1 + (10 - 1) / 4 = 3 s, with 12 GPU-s. b arrived at 2 s.
 */
START_TEST(demotion_as_published)
{
    struct line l;
    begin(&l, "las", "threshold_gpu_s=4,10 demotion=published", 1, 4);
    submit(&l, 0, 4, -1);
    SAYS(&l, 0, "+a");
    ck_assert_int_eq(policy_next_wakeup(l.p), 1000);
    SAYS(&l, 1000, "");
    ck_assert_int_eq(policy_next_wakeup(l.p), 3000);
    submit(&l, 2000, 4, -1); /* in the first queue: a, by now in the second, is evicted */
    SAYS(&l, 2000, "-a");
    gives_way(&l, 2000, 'a');
    SAYS(&l, 2000, "+b");
    ck_assert_int_eq(policy_next_wakeup(l.p), 3000);
    SAYS(&l, 3000, "-b"); /* it is after a in the second queue: pending jobs ... */
    finish(&l);
}
END_TEST

/* ---- counted, found running, failed ---- */

START_TEST(counted_jobs_are_evicted_as_a_whole)
{
    struct line l;
    begin(&l, "srtf", "placement=count refill=true", 1, 8);
    struct policy_role role = core_role(3, core_devices(2));
    struct policy_job_spec spec = spec_of(&l, 100000, &role);
    add(&l, 0, &spec);
    SAYS(&l, 0, "+a");
    submit(&l, 1000, 4, 1000);
    size_t count;
    const struct policy_decision *d = policy_decide(l.p, 1000, &count);
    ck_assert_uint_eq(count, 1);
    ck_assert_int_eq(d->kind, POLICY_EVICT);
    ck_assert_uint_eq(d->task, POLICY_ALL_TASKS);
    ck_assert_uint_eq(d->node.i, POLICY_NO_ID);
    ck_assert_int_eq(d->gpu_milli, 6000);
    ck_assert_uint_eq(d->for_job.i, l.jobs[1].i);
    gives_way(&l, 1000, 'a');
    SAYS(&l, 1000, "+b");
    finish(&l);
}
END_TEST

START_TEST(jobs_found_running_have_run)
{
    struct line l;
    begin(&l, "srtf", "", 1, 8);
    submit(&l, 100000, 8, 100000);
    ck_assert_int_eq(policy_task_running(l.p, 100000, l.jobs[0], 0, (policy_node){0}, 0xff, 50000),
                     POLICY_OK);
    SAYS(&l, 100000, "");
    submit(&l, 100000, 8, 60000); /* a has 50 s left */
    SAYS(&l, 100000, "");
    submit(&l, 100000, 8, 40000);
    SAYS(&l, 100000, "-a");
    ck_assert_int_eq(policy_task_ended(l.p, 100001, l.jobs[0], 0, POLICY_SUCCEEDED),
                     POLICY_OK); /* single device */
    SAYS(&l, 100001, "+c");
    ck_assert_int_eq(policy_start_failed(l.p, 100002, l.jobs[2]), POLICY_OK);
    SAYS(&l, 100002, "+c");
    finish(&l);
}
END_TEST

START_TEST(why_it_waits)
{
    struct line l;
    begin(&l, "srtf", "", 1, 8);
    submit(&l, 0, 6, 1000);
    submit(&l, 0, 4, 2000);
    submit(&l, 0, 4, 3000);
    SAYS(&l, 0, "+a");
    struct policy_explanation why = {.size = sizeof why};
    ck_assert_int_eq(policy_explain(l.p, l.jobs[2], &why), POLICY_OK);
    ck_assert_int_eq(why.reason, POLICY_REASON_OUTRANKED);
    ck_assert_uint_eq(why.jobs_before, 1);
    ck_assert_uint_eq(why.behind.i, l.jobs[0].i);
    ck_assert_int_eq(why.behind_reason, POLICY_REASON_NONE);
    submit(&l, 1, 1, 1);
    ck_assert_int_eq(core_reason(l.p, l.jobs[2]), POLICY_REASON_WAITING);
    finish(&l);
}
END_TEST

/* Orders without ranks refuse progress reports. */
START_TEST(progress_is_for_ranked_lines)
{
    struct line l;
    begin(&l, "sjf", "", 1, 8);
    submit(&l, 0, 8, 1000);
    ck_assert_int_eq(policy_report_progress(l.p, 0, l.jobs[0], 500), POLICY_UNSUPPORTED);
    SAYS(&l, 0, "+a");
    finish(&l);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ranked");
    TCase *tcase = tcase_create("ranked");
    tcase_add_test(tcase, less_remaining_time_goes_first);
    tcase_add_test(tcase, others_start_during_the_grace);
    tcase_add_test(tcase, progress_is_as_reported);
    tcase_add_test(tcase, remaining_gpu_time);
    tcase_add_loop_test(tcase, ties_are_broken_as_said, 0, ROWS(ties));
    tcase_add_loop_test(tcase, equals_do_not_take_turns_for_ever, 0, ROWS(ties));
    tcase_add_test(tcase, jobs_of_unknown_run_time_come_last);
    tcase_add_test(tcase, non_preemptible_jobs_stay);
    tcase_add_test(tcase, jobs_that_never_fit_take_no_part);
    tcase_add_test(tcase, what_is_chosen_may_find_no_place);
    tcase_add_test(tcase, draining_nodes_are_no_budget);
    tcase_add_test(tcase, held_jobs_come_in_at_their_time);
    tcase_add_test(tcase, lines_of_queues);
    tcase_add_test(tcase, bound_queues_in_one_line);
    tcase_add_test(tcase, service_is_attained);
    tcase_add_test(tcase, demotion_as_published);
    tcase_add_test(tcase, counted_jobs_are_evicted_as_a_whole);
    tcase_add_test(tcase, jobs_found_running_have_run);
    tcase_add_test(tcase, why_it_waits);
    tcase_add_test(tcase, progress_is_for_ranked_lines);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
