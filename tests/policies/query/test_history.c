/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is remembered, handed out by one policy and told to another. Service, use and times are worked out by hand; whatever one
 * policy hands out the other hands out, too, once it was told. Times in milliseconds, devices in thousandths.
 */
#include "order/ranking.h"
#include "state/engine.h"
#include "tests/lib/core.h"
#include "tests/lib/harness.h"

#include <string.h>

#define MOST 256

/* A policy with two nodes of four devices and two queues, of which nothing is known to have happened. */
struct side {
    struct tally tally;
    struct policy *p;
    policy_queue queues[2];
    policy_job jobs[8];
};

static void begin(struct side *s, const char *preset, const char *options)
{
    *s = (struct side){.p = NULL};
    s->p = core_create(&s->tally, preset, options);
    core_node(s->p, 0, 4);
    core_node(s->p, 1, 4);
    for (uint32_t i = 0; i < 2; i++) {
        const struct policy_share all = {POLICY_UNLIMITED, POLICY_UNLIMITED, 1000};
        const struct policy_queue_spec spec = {.size = sizeof spec,
                                               .parent = {POLICY_NO_ID},
                                               .rank = i,
                                               .gpu = all,
                                               .cpu = all,
                                               .mem = all,
                                               .preempt_min_runtime_ms = POLICY_INHERIT,
                                               .reclaim_min_runtime_ms = POLICY_INHERIT};
        s->queues[i] = policy_add_queue(s->p, 0, &spec);
        ck_assert_uint_ne(s->queues[i].i, POLICY_NO_ID);
    }
}

static void finish(struct side *s)
{
    core_destroy(s->p, &s->tally);
}

/* A job of one task, which takes so many ms as declared. */
static policy_job submit(struct side *s, int i, policy_time at, int queue, int32_t devices, int64_t limit)
{
    struct policy_role role = core_role(1, core_devices(devices));
    struct policy_job_spec spec = core_job_spec(s->queues[queue], (uint64_t)i, &role, 1);
    spec.submitted = at;
    spec.limit_ms = limit;
    spec.user = (uint32_t)i % 2 + 1;
    spec.preemptible = true;
    s->jobs[i] = policy_submit(s->p, at, &spec);
    ck_assert_uint_ne(s->jobs[i].i, POLICY_NO_ID);
    return s->jobs[i];
}

static uint32_t records_of(const struct policy *p, struct policy_history list[MOST])
{
    uint32_t count = 0;
    struct policy_history h = {.size = sizeof h};
    for (uint64_t next = 0; policy_history(p, &next, &h);) {
        ck_assert_uint_lt(count, MOST);
        list[count++] = h;
    }
    return count;
}

static struct policy_history find(const struct policy *p, int32_t kind, uint32_t job)
{
    struct policy_history list[MOST];
    uint32_t count = records_of(p, list);
    for (uint32_t i = 0; i < count; i++)
        if (list[i].kind == kind && (job == POLICY_NO_ID || list[i].job.i == job))
            return list[i];
    ck_abort_msg("no record of kind %d", kind);
    return list[0];
}

static bool has(const struct policy *p, int32_t kind)
{
    struct policy_history list[MOST];
    uint32_t count = records_of(p, list);
    for (uint32_t i = 0; i < count; i++)
        if (list[i].kind == kind)
            return true;
    return false;
}

static int tell(struct side *s, policy_time at, struct policy_history h)
{
    h.size = sizeof h;
    int status = policy_set_history(s->p, at, &h);
    core_is_sound(s->p);
    return status;
}

/* All that one remembers is told to the other, which has the same nodes, queues and jobs under the same numbers. */
static void hand_over(const struct side *from, struct side *to, policy_time at)
{
    struct policy_history list[MOST];
    uint32_t count = records_of(from->p, list);
    for (uint32_t i = 0; i < count; i++)
        ck_assert_msg(tell(to, at, list[i]) == POLICY_OK, "kind %d: %s", list[i].kind,
                      policy_last_error(to->p)->message);
}

static void hands_out_the_same(const struct side *a, const struct side *b)
{
    struct policy_history lists[2][MOST];
    uint32_t count = records_of(a->p, lists[0]);
    ck_assert_uint_eq(records_of(b->p, lists[1]), count);
    for (uint32_t i = 0; i < count; i++)
        ck_assert_msg(memcmp(&lists[0][i], &lists[1][i], sizeof lists[0][i]) == 0, "record %u, of kind %d",
                      (unsigned)i, lists[0][i].kind);
}

/* Tasks that `from` runs run in `to`, which has the same jobs. */
static void runs(struct side *to, policy_time at, int job, uint32_t node, uint64_t devices, policy_time since)
{
    ck_assert_int_eq(policy_task_running(to->p, at, to->jobs[job], 0, (policy_node){node}, devices, since),
                     POLICY_OK);
}

static void decides_the_same(struct side *a, struct side *b, policy_time at)
{
    char texts[2][256];
    core_decisions(a->p, at, texts[0], sizeof texts[0]);
    core_decisions(b->p, at, texts[1], sizeof texts[1]);
    ck_assert_str_eq(texts[0], texts[1]);
}

/* ---- ranked lines ---- */

/* Eight devices for 10 s, then four for 5 s more: 80 + 20 GPU-seconds. */
START_TEST(service_is_what_was_attained)
{
    struct side s;
    begin(&s, "las", "threshold_gpu_s=60");
    submit(&s, 0, 0, 0, 4, -1);
    submit(&s, 1, 0, 0, 4, -1);
    core_decide(s.p, 0, 2);
    ck_assert_int_eq(policy_task_started(s.p, 15000, s.jobs[0], POLICY_ALL_TASKS), POLICY_OK);
    struct policy_history h = find(s.p, POLICY_HISTORY_JOB, s.jobs[0].i);
    ck_assert_int_eq(h.attained, 60000000); /* 4 devices for 15 s, in device-microseconds */
    ck_assert_int_eq(h.at, 15000);
    ck_assert_uint_eq(h.started, 1);
    ck_assert_uint_eq(h.evicted, 0);
    finish(&s);
}
END_TEST

/* Who had 61 GPU-seconds is in the second queue: a new job takes its place. Without being told it would not. */
START_TEST(who_had_more_makes_way)
{
    for (int told = 0; told < 2; told++) {
        struct side s;
        begin(&s, "las", "threshold_gpu_s=60");
        submit(&s, 0, 0, 0, 4, -1);
        submit(&s, 1, 0, 0, 4, -1);
        runs(&s, 1000, 0, 0, 15, 1000);
        runs(&s, 1000, 1, 1, 15, 1000);
        if (told)
            ck_assert_int_eq(
                tell(&s, 1000,
                     (struct policy_history){
                         .kind = POLICY_HISTORY_JOB, .job = s.jobs[1], .at = 1000, .attained = 61000000}),
                POLICY_OK);
        submit(&s, 2, 1000, 0, 4, -1);
        size_t count;
        const struct policy_decision *d = policy_decide(s.p, 1000, &count);
        ck_assert_uint_eq(count, (size_t)told);
        if (told) {
            ck_assert_int_eq(d[0].kind, POLICY_EVICT);
            ck_assert_uint_eq(d[0].job.i, s.jobs[1].i);
        }
        finish(&s);
    }
}
END_TEST

/* A record of a time ago counts what ran since then: 4 devices for 2 s more. */
START_TEST(what_ran_since_counts)
{
    struct side s;
    begin(&s, "las", "threshold_gpu_s=60");
    submit(&s, 0, 0, 0, 4, -1);
    runs(&s, 5000, 0, 0, 15, 1000);
    const struct policy_history h = {
        .kind = POLICY_HISTORY_JOB, .job = s.jobs[0], .at = 3000, .attained = 10000000};
    ck_assert_int_eq(tell(&s, 5000, h), POLICY_OK);
    ck_assert_int_eq(pc_ranking_attained(s.p, s.jobs[0].i), 18000000);
    finish(&s);
}
END_TEST

/* Of two that never ran, the later one is nearly done, as was reported: who takes over has it go first, too. */
START_TEST(what_was_reported_of_who_waits_goes_along)
{
    struct side a;
    struct side b;
    struct side c;
    begin(&a, "srtf", "");
    begin(&b, "srtf", "");
    begin(&c, "srtf", "");
    struct side *const sides[] = {&a, &b, &c};
    for (int i = 0; i < ROWS(sides); i++) {
        struct policy_role role = core_role(2, core_devices(4));
        for (uint32_t job = 0; job < 2; job++) {
            struct policy_job_spec spec = core_job_spec(sides[i]->queues[0], job, &role, 1);
            spec.submitted = 0;
            spec.run_ms = 50000;
            sides[i]->jobs[job] = policy_submit(sides[i]->p, 0, &spec);
        }
    }
    ck_assert_int_eq(policy_report_progress(a.p, 0, a.jobs[1], 1000), POLICY_OK);
    hand_over(&a, &b, 0);
    hands_out_the_same(&a, &b);
    hand_over(&b, &c, 0); /* and on */
    char text[128];
    ck_assert_str_eq(core_decisions(c.p, 0, text, sizeof text), "1:0@0[0x0f] 1:1@1[0x0f]");
    decides_the_same(&a, &b, 0);
    finish(&a);
    finish(&b);
    finish(&c);
}
END_TEST

/* Of equal jobs the one that was evicted first goes first, whatever their ranks. */
START_TEST(who_was_evicted_keeps_its_turn)
{
    struct side s;
    begin(&s, "srtf", "");
    submit(&s, 0, 0, 0, 4, 10000);
    submit(&s, 1, 0, 0, 4, 10000);
    submit(&s, 2, 0, 0, 4, 10000);
    for (uint32_t i = 0; i < 3; i++)
        ck_assert_int_eq(
            tell(&s, 0,
                 (struct policy_history){.kind = POLICY_HISTORY_JOB, .job = s.jobs[i], .evicted = 9 - i}),
            POLICY_OK);
    char text[128];
    ck_assert_str_eq(core_decisions(s.p, 0, text, sizeof text), "2:0@0[0x0f] 1:0@1[0x0f]");
    finish(&s);
}
END_TEST

/* ---- multifactor ---- */

/* Two users of a queue: who has used less starts first, though he came last. */
START_TEST(who_used_less_goes_first)
{
    struct side s;
    begin(&s, "slurm", "priority_weight_age=0 priority_weight_fairshare=1000");
    submit(&s, 0, 0, 0, 4, 1000);
    submit(&s, 1, 0, 0, 4, 1000);
    runs(&s, 0, 0, 0, 15, 0);
    runs(&s, 0, 1, 1, 15, 0);
    submit(&s, 2, 0, 0, 4, 1000); /* user 1 */
    submit(&s, 3, 0, 0, 4, 1000); /* user 2 */
    for (uint32_t user = 1; user <= 2; user++)
        ck_assert_int_eq(tell(&s, 0,
                              (struct policy_history){.kind = POLICY_HISTORY_USER,
                                                      .queue = s.queues[0],
                                                      .user = user,
                                                      .used = user == 1 ? 5000 : 4000}),
                         POLICY_OK);
    ck_assert_int_eq(policy_task_ended(s.p, 10, s.jobs[0], POLICY_ALL_TASKS, POLICY_SUCCEEDED), POLICY_OK);
    char text[128];
    ck_assert_str_eq(core_decisions(s.p, 10, text, sizeof text), "3:0@0[0x0f]");
    finish(&s);
}
END_TEST

/*
 * A gang of two tasks of two devices each loses one of them after a second, and the other after eleven: its user is charged
 * with four devices all that time, 44 GPU-seconds. By what it still holds it would be 22.
 */
START_TEST(a_gang_evicted_in_part_is_charged_whole)
{
    for (int told = 0; told < 2; told++) {
        struct side a;
        struct side b;
        struct policy_role role = core_role(2, core_devices(2));
        begin(&a, "slurm", "");
        begin(&b, "slurm", "");
        for (struct side *s = &a; s != NULL; s = s == &a ? &b : NULL) {
            const struct policy_job_spec spec = core_job_spec(s->queues[0], 0, &role, 1);
            s->jobs[0] = policy_submit(s->p, 0, &spec);
        }
        core_decide(a.p, 0, 2);
        ck_assert_int_eq(policy_task_ended(a.p, 1000, a.jobs[0], 0, POLICY_EVICTED), POLICY_OK);
        ck_assert_int_eq(find(a.p, POLICY_HISTORY_MODULE, a.jobs[0].i).capacity, 4000);
        ck_assert_int_eq(policy_task_running(b.p, 1000, b.jobs[0], 1, (policy_node){0}, 12, 0), POLICY_OK);
        struct policy_history list[MOST];
        uint32_t count = records_of(a.p, list);
        for (uint32_t i = 0; i < count; i++)
            if (told == 1 || list[i].kind != POLICY_HISTORY_MODULE)
                ck_assert_int_eq(tell(&b, 1000, list[i]), POLICY_OK);
        for (struct side *s = &a; s != NULL; s = s == &a ? &b : NULL) {
            ck_assert_int_eq(policy_task_ended(s->p, 11000, s->jobs[0], 1, POLICY_EVICTED), POLICY_OK);
            ck_assert(!has(s->p, POLICY_HISTORY_MODULE));
            ck_assert_uint_eq(find(s->p, POLICY_HISTORY_USER, POLICY_NO_ID).used_since,
                              s == &a || told == 1 ? 44000000 : 22000000);
        }
        finish(&a);
        finish(&b);
    }
}
END_TEST

/* ---- lines ---- */

START_TEST(draws_go_on)
{
    struct side a;
    struct side b;
    begin(&a, "random", "");
    begin(&b, "random", "");
    for (int i = 0; i < 4; i++) {
        submit(&a, i, 0, 0, 1, 1000);
        submit(&b, i, 0, 0, 1, 1000);
    }
    size_t count;
    const struct policy_decision *d = policy_decide(a.p, 0, &count);
    ck_assert_uint_eq(count, 4);
    ck_assert_uint_eq(find(a.p, POLICY_HISTORY_DRAWS, POLICY_NO_ID).count, 4);
    for (int i = 0; i < 4; i++)
        runs(&b, 0, i, d[i].node.i, d[i].devices, 0);
    hand_over(&a, &b, 0);
    hands_out_the_same(&a, &b);
    for (int i = 4; i < 8; i++) {
        submit(&a, i, 1, 0, 1, 1000);
        submit(&b, i, 1, 0, 1, 1000);
    }
    decides_the_same(&a, &b, 1);
    finish(&a);
    finish(&b);
}
END_TEST

/*
 * Eight devices are taken until 1000 and 2000. The second job in line, of eight devices, has been promised 2000; the third,
 * of four, which would take 1500, may begin at 1000 only if the second has no such promise.
 */
START_TEST(promises_are_kept)
{
    static const char *const options[] = {"", "easy_variant=frozen"};
    for (int i = 0; i < ROWS(options); i++) {
        struct side a;
        struct side b;
        begin(&a, i == 0 ? "conservative" : "easy", options[i]);
        begin(&b, i == 0 ? "conservative" : "easy", options[i]);
        for (struct side *s = &a; s != NULL; s = s == &a ? &b : NULL) {
            submit(s, 0, 0, 0, 4, 1000);
            submit(s, 1, 0, 0, 4, 2000);
            runs(s, 0, 0, 0, 15, 0);
            runs(s, 0, 1, 1, 15, 0);
            submit(s, 2, 0, 0, 4, 5000);
            submit(s, 3, 0, 0, 4, 5000);
        }
        core_decide(a.p, 0, 0);
        struct policy_history h = find(a.p, POLICY_HISTORY_PROMISE, a.jobs[2].i);
        ck_assert_int_eq(h.at, 1000);
        if (i == 0) {
            h = find(a.p, POLICY_HISTORY_PROMISE, a.jobs[3].i);
            ck_assert_int_eq(h.at, 2000);
        }
        ck_assert(has(a.p, POLICY_HISTORY_BLOCKED));
        hand_over(&a, &b, 0);
        hands_out_the_same(&a, &b);
        ck_assert(!policy_has_work(b.p));
        for (struct side *s = &a; s != NULL; s = s == &a ? &b : NULL)
            ck_assert_int_eq(policy_task_ended(s->p, 700, s->jobs[1], POLICY_ALL_TASKS, POLICY_SUCCEEDED),
                             POLICY_OK);
        decides_the_same(&a, &b, 700);
        hands_out_the_same(&a, &b);
        finish(&a);
        finish(&b);
    }
}
END_TEST

/* Behind a job that ends nobody knows when, EASY promises some day. For conservative backfill that is no promise. */
START_TEST(some_day_is_no_promise)
{
    struct side a;
    struct side b;
    begin(&a, "easy", "easy_variant=frozen");
    begin(&b, "conservative", "");
    for (struct side *s = &a; s != NULL; s = s == &a ? &b : NULL) {
        submit(s, 0, 0, 0, 4, -1);
        submit(s, 1, 0, 0, 4, -1);
        runs(s, 0, 0, 0, 15, 0);
        runs(s, 0, 1, 1, 15, 0);
        submit(s, 2, 0, 0, 4, 1000);
    }
    core_decide(a.p, 0, 0);
    struct policy_history h = find(a.p, POLICY_HISTORY_PROMISE, a.jobs[2].i);
    ck_assert_int_gt(h.at, INT64_MAX / 4);
    ck_assert_int_eq(tell(&b, 0, h), POLICY_OK);
    ck_assert(!has(b.p, POLICY_HISTORY_PROMISE));
    core_decide(b.p, 0, 0);
    finish(&a);
    finish(&b);
}
END_TEST

/*
 * The quota policy says of its reservation no time. EASY, variant frozen, which takes over from it, finds one: job 1 starts when
 * job 0 ends, and nobody that runs longer takes the four devices that are free.
 */
START_TEST(a_reservation_without_a_time_gets_one)
{
    struct side a;
    struct side b;
    begin(&a, "runai", "backfill=true");
    begin(&b, "easy", "easy_variant=frozen");
    for (struct side *s = &a; s != NULL; s = s == &a ? &b : NULL) {
        struct policy_role role = core_role(2, core_devices(4));
        struct policy_job_spec spec = core_job_spec(s->queues[0], 1, &role, 1);
        spec.submitted = 0;
        spec.limit_ms = 1000;
        submit(s, 0, 0, 0, 4, 1000);
        runs(s, 0, 0, 0, 15, 0);
        s->jobs[1] = policy_submit(s->p, 0, &spec);
        submit(s, 2, 0, 0, 4, 5000);
    }
    const struct policy_history h = {.kind = POLICY_HISTORY_PROMISE, .job = a.jobs[1], .at = INT64_MAX};
    ck_assert_int_eq(tell(&a, 0, h), POLICY_OK);
    ck_assert_int_eq(tell(&b, 0, find(a.p, POLICY_HISTORY_PROMISE, a.jobs[1].i)), POLICY_OK);
    core_decide(b.p, 0, 0);
    ck_assert_int_eq(find(b.p, POLICY_HISTORY_PROMISE, b.jobs[1].i).at, 1000);
    finish(&a);
    finish(&b);
}
END_TEST

/* One of two tasks was evicted. When the other has ended, however, the gang starts again; nobody else knows why it should. */
START_TEST(a_gang_evicted_in_part_waits_again)
{
    for (int told = 0; told < 2; told++) {
        struct side a;
        struct side b;
        struct policy_role role = core_role(2, core_devices(2));
        begin(&a, "fifo", "");
        begin(&b, "fifo", "");
        for (struct side *s = &a; s != NULL; s = s == &a ? &b : NULL) {
            const struct policy_job_spec spec = core_job_spec(s->queues[0], 0, &role, 1);
            s->jobs[0] = policy_submit(s->p, 0, &spec);
        }
        core_decide(a.p, 0, 2);
        ck_assert_int_eq(policy_task_ended(a.p, 1, a.jobs[0], 0, POLICY_EVICTED), POLICY_OK);
        ck_assert_int_eq(policy_task_running(b.p, 1, b.jobs[0], 1, (policy_node){0}, 12, 0), POLICY_OK);
        if (told == 1)
            hand_over(&a, &b, 1);
        for (struct side *s = &a; s != NULL; s = s == &a ? &b : NULL)
            ck_assert_int_eq(policy_task_ended(s->p, 2, s->jobs[0], 1, POLICY_FAILED), POLICY_OK);
        core_decide(a.p, 2, 2);
        core_decide(b.p, 2, told == 1 ? 2 : 0);
        finish(&a);
        finish(&b);
    }
}
END_TEST

/*
 * The second job is blocked; then the first ends. Nobody has decided since, so the record may not keep the second from being
 * tried in what is free now.
 */
START_TEST(what_was_freed_is_tried)
{
    struct side a;
    struct side b;
    begin(&a, "fifo", "");
    begin(&b, "fifo", "");
    for (struct side *s = &a; s != NULL; s = s == &a ? &b : NULL) {
        submit(s, 0, 0, 0, 4, 1000);
        submit(s, 1, 0, 0, 4, 1000);
        submit(s, 2, 0, 0, 4, 1000);
    }
    core_decide(a.p, 0, 2);
    ck_assert(has(a.p, POLICY_HISTORY_BLOCKED));
    runs(&b, 0, 0, 0, 15, 0);
    runs(&b, 0, 1, 1, 15, 0);
    ck_assert_int_eq(policy_task_ended(a.p, 1, a.jobs[0], POLICY_ALL_TASKS, POLICY_SUCCEEDED), POLICY_OK);
    ck_assert_int_eq(policy_task_ended(b.p, 1, b.jobs[0], POLICY_ALL_TASKS, POLICY_SUCCEEDED), POLICY_OK);
    hand_over(&a, &b, 1);
    decides_the_same(&a, &b, 1);
    ck_assert(!has(b.p, POLICY_HISTORY_BLOCKED));
    finish(&a);
    finish(&b);
}
END_TEST

/* ---- the quota policy ---- */

/* A start that was decided and fails after all: who found the job running knows only by the record that it may. */
START_TEST(a_start_that_was_not_reported_may_fail)
{
    for (int told = 0; told < 2; told++) {
        struct side a;
        struct side b;
        begin(&a, "runai", "");
        begin(&b, "runai", "");
        submit(&a, 0, 0, 0, 4, -1);
        submit(&b, 0, 0, 0, 4, -1);
        core_decide(a.p, 0, 1);
        ck_assert(has(a.p, POLICY_HISTORY_STARTED));
        runs(&b, 0, 0, 0, 15, 0);
        if (told == 1)
            hand_over(&a, &b, 0);
        ck_assert_int_eq(policy_start_failed(b.p, 1, b.jobs[0]), POLICY_OK);
        core_decide(b.p, 1, told == 1 ? 1 : 0);
        ck_assert_int_eq(policy_task_started(a.p, 1, a.jobs[0], POLICY_ALL_TASKS), POLICY_OK);
        ck_assert(!has(a.p, POLICY_HISTORY_STARTED));
        finish(&a);
        finish(&b);
    }
}
END_TEST

/* Of three tasks, each by itself, one was reported: the start of the second fails, the third is where a decision put it. */
START_TEST(starts_are_told_task_by_task)
{
    struct side a;
    struct side b;
    struct policy_role role = core_role(3, core_devices(2));
    role.min_tasks = 1;
    begin(&a, "runai", "");
    begin(&b, "runai", "");
    for (struct side *s = &a; s != NULL; s = s == &a ? &b : NULL) {
        const struct policy_job_spec spec = core_job_spec(s->queues[0], 0, &role, 1);
        s->jobs[0] = policy_submit(s->p, 0, &spec);
    }
    core_decide(a.p, 0, 3);
    ck_assert_int_eq(policy_task_started(a.p, 0, a.jobs[0], 1), POLICY_OK);
    ck_assert_uint_eq(find(a.p, POLICY_HISTORY_STARTED, POLICY_NO_ID).devices, 5);
    static const uint32_t node[] = {0, 0, 1};
    static const uint64_t devices[] = {3, 12, 3};
    for (uint32_t i = 0; i < 3; i++)
        ck_assert_int_eq(policy_task_running(b.p, 0, b.jobs[0], i, (policy_node){node[i]}, devices[i], 0),
                         POLICY_OK);
    hand_over(&a, &b, 0);
    for (struct side *s = &a; s != NULL; s = s == &a ? &b : NULL)
        ck_assert_int_eq(policy_start_failed(s->p, 1, s->jobs[0]), POLICY_OK);
    core_decide(b.p, 1, 2);
    finish(&a);
    finish(&b);
}
END_TEST

/* It may be on its way out again before anybody said that it runs. */
START_TEST(a_start_that_was_not_reported_may_be_taken_back)
{
    struct side a;
    struct side b;
    begin(&a, "runai", "");
    begin(&b, "runai", "");
    submit(&a, 0, 0, 0, 4, -1);
    submit(&b, 0, 0, 0, 4, -1);
    core_decide(a.p, 0, 1);
    runs(&b, 0, 0, 0, 15, 0);
    ck_assert_int_eq(policy_task_releasing(a.p, 0, a.jobs[0], 0), POLICY_OK);
    ck_assert_int_eq(policy_task_releasing(b.p, 0, b.jobs[0], 0), POLICY_OK);
    hand_over(&a, &b, 0);
    hands_out_the_same(&a, &b);
    finish(&a);
    finish(&b);
}
END_TEST

/* Nominated to the second node, the task goes there, though the first would be chosen. */
START_TEST(nominations_stand)
{
    for (uint32_t node = 0; node < 2; node++) {
        struct side s;
        begin(&s, "runai", "");
        submit(&s, 0, 0, 0, 4, -1);
        const struct policy_history h = {.kind = POLICY_HISTORY_NOMINATION, .job = s.jobs[0], .node = {node}};
        ck_assert_int_eq(tell(&s, 0, h), POLICY_OK);
        ck_assert_uint_eq(find(s.p, POLICY_HISTORY_NOMINATION, s.jobs[0].i).node.i, node);
        ck_assert_int_eq(tell(&s, 1, h), POLICY_CONFLICT); /* it is nominated already, and no time passes */
        char text[128];
        ck_assert_str_eq(core_decisions(s.p, 0, text, sizeof text),
                         node == 0 ? "0:0@0[0x0f]" : "0:0@1[0x0f]");
        finish(&s);
    }
}
END_TEST

/* Three devices for 300 of 3000 ms: 900000 of 8000 x 3000 device-ms. */
START_TEST(use_is_kept_by_its_time)
{
    static const char options[] = "usage_window=sliding usage_window_s=64";
    struct side a;
    struct side b;
    begin(&a, "runai", options);
    begin(&b, "runai", options);
    for (struct side *s = &a; s != NULL; s = s == &a ? &b : NULL)
        submit(s, 0, 0, 0, 3, -1);
    core_decide(a.p, 0, 1);
    ck_assert_int_eq(policy_task_ended(a.p, 300, a.jobs[0], POLICY_ALL_TASKS, POLICY_EVICTED), POLICY_OK);
    ck_assert_int_eq(policy_task_gated(a.p, 300, a.jobs[0], 0, true), POLICY_OK);
    core_decide(a.p, 1500, 0);
    struct policy_history list[MOST];
    uint32_t count = records_of(a.p, list);
    uint64_t used = 0;
    uint64_t had = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (list[i].kind != POLICY_HISTORY_USAGE)
            continue;
        ck_assert_uint_le(list[i].count, 1000); /* a 64th of the window */
        used += list[i].queue.i == a.queues[0].i ? list[i].used_gpu : 0;
        had += list[i].queue.i == POLICY_NO_ID ? list[i].used_gpu : 0;
    }
    ck_assert_uint_eq(used, 3000 * 300);
    ck_assert_uint_eq(had, 8000 * 1500);
    ck_assert_int_eq(policy_task_gated(b.p, 1500, b.jobs[0], 0, true), POLICY_OK);
    hand_over(&a, &b, 1500);
    for (struct side *s = &a; s != NULL; s = s == &a ? &b : NULL) {
        ck_assert_int_eq(policy_task_gated(s->p, 3000, s->jobs[0], 0, false), POLICY_OK);
        core_decide(s->p, 3000, 1);
        struct policy_queue_info info = {.size = sizeof info};
        ck_assert_int_eq(policy_queue_info(s->p, s->queues[0], &info), POLICY_OK);
        ck_assert_int_eq(info.usage_ppm.gpu, 1000000 * 900 / (8 * 3000));
    }
    hands_out_the_same(&a, &b);
    finish(&a);
    finish(&b);
}
END_TEST

/* Idle since 2000 with a limit of 10 s: it ends at 12000, which a report at 9000 alone would put off. */
START_TEST(idle_time_goes_on)
{
    struct side s;
    begin(&s, "runai", "idle_limit_s=10 idle_grace_train_s=0");
    submit(&s, 0, 0, 0, 4, -1);
    runs(&s, 9000, 0, 0, 15, 0);
    const struct policy_history h = {.kind = POLICY_HISTORY_IDLE, .job = s.jobs[0], .at = 9000, .from = 2000};
    ck_assert_int_eq(tell(&s, 9000, h), POLICY_OK);
    ck_assert_int_eq(policy_report_activity(s.p, 11000, s.jobs[0], 0), POLICY_OK);
    core_decide(s.p, 11999, 0);
    const struct policy_decision *d = core_decide(s.p, 12000, 1);
    ck_assert_int_eq(d[0].reason, POLICY_REASON_IDLE);
    finish(&s);
}
END_TEST

/* The younger job has the reservation and keeps it. */
START_TEST(the_reservation_stays)
{
    struct side s;
    begin(&s, "runai", "backfill=true");
    submit(&s, 0, 0, 0, 4, 1000);
    runs(&s, 0, 0, 0, 15, 0);
    submit(&s, 1, 0, 0, 4, 1000);
    const struct policy_history h = {.kind = POLICY_HISTORY_PROMISE, .job = s.jobs[1], .at = INT64_MAX};
    ck_assert_int_eq(tell(&s, 0, h), POLICY_OK);
    ck_assert_uint_eq(find(s.p, POLICY_HISTORY_PROMISE, POLICY_NO_ID).job.i, s.jobs[1].i);
    finish(&s);
}
END_TEST

/* ---- what is refused ---- */

static const struct {
    const char *preset, *options;
    struct policy_history h;
    bool names_job; /* that waits */
    int status;
} refused[] = {
    {"fifo",  "",                              {.kind = POLICY_HISTORY_JOB},                                             true,  POLICY_UNSUPPORTED},
    {"fifo",  "",                              {.kind = 0},                                                              false, POLICY_UNSUPPORTED},
    {"fifo",  "",                              {.kind = 99},                                                             false, POLICY_UNSUPPORTED},
    {"fifo",  "",                              {.kind = POLICY_HISTORY_DRAWS},                                           false, POLICY_UNSUPPORTED},
    {"easy",  "",                              {.kind = POLICY_HISTORY_PROMISE},                                         true,  POLICY_UNSUPPORTED},
    {"runai", "",                              {.kind = POLICY_HISTORY_PROMISE},                                         true,  POLICY_UNSUPPORTED},
    {"runai", "",                              {.kind = POLICY_HISTORY_USAGE},                                           false, POLICY_UNSUPPORTED},
    {"runai", "",                              {.kind = POLICY_HISTORY_IDLE},                                            true,  POLICY_UNSUPPORTED},
    {"las",   "",                              {.kind = POLICY_HISTORY_JOB, .job = {7, 0}},                              false, POLICY_UNKNOWN    },
    {"las",   "",                              {.kind = POLICY_HISTORY_JOB, .attained = -1},                             true,  POLICY_INVALID    },
    {"las",   "",                              {.kind = POLICY_HISTORY_JOB, .level = -1},                                true,  POLICY_INVALID    },
    {"las",   "",                              {.kind = POLICY_HISTORY_JOB, .at = 11},                                   true,  POLICY_INVALID    },
    {"las",   "",                              {.kind = POLICY_HISTORY_JOB, .evicted = UINT64_MAX},                      true,  POLICY_INVALID    },
    {"las",   "scope=queue",                   {.kind = POLICY_HISTORY_DECIDED, .queue = {5}},                           false, POLICY_UNKNOWN    },
    {"slurm", "",                              {.kind = POLICY_HISTORY_USER, .queue = {5}},                              false, POLICY_UNKNOWN    },
    {"slurm", "",                              {.kind = POLICY_HISTORY_USER, .used = UINT64_MAX},                        false, POLICY_INVALID    },
    {"slurm", "",                              {.kind = POLICY_HISTORY_USER, .at = INT64_MIN},                           false, POLICY_INVALID    },
    {"slurm", "",                              {.kind = POLICY_HISTORY_PRIORITIES, .from = 11},                          false, POLICY_INVALID    },
    {"slurm", "",                              {.kind = POLICY_HISTORY_PRIORITIES, .count = UINT64_MAX},                 false, POLICY_INVALID    },
    {"slurm",
     "",                                       {.kind = POLICY_HISTORY_MODULE, .job = {7, 0}, .data = "multifactor"},
     false,                                                                                                                     POLICY_UNKNOWN    },
    {"slurm",
     "",                                       {.kind = POLICY_HISTORY_MODULE, .capacity = 4000, .data = "multifactor"},
     true,                                                                                                                      POLICY_CONFLICT   },
    {"fifo",  "",                              {.kind = POLICY_HISTORY_BLOCKED},                                         true,  POLICY_INVALID    },
    {"fifo",  "",                              {.kind = POLICY_HISTORY_BLOCKED, .level = 99},                            true,  POLICY_INVALID    },
    {"runai", "",                              {.kind = POLICY_HISTORY_NOMINATION, .task = 1},                           true,  POLICY_UNKNOWN    },
    {"runai", "",                              {.kind = POLICY_HISTORY_NOMINATION, .node = {2}},                         true,  POLICY_UNKNOWN    },
    {"runai", "",                              {.kind = POLICY_HISTORY_NOMINATION, .devices = 16},                       true,  POLICY_INVALID    },
    {"runai", "",                              {.kind = POLICY_HISTORY_NOMINATION, .place = 8},                          true,  POLICY_INVALID    },
    {"runai", "idle_limit_s=10",               {.kind = POLICY_HISTORY_IDLE, .from = 5},                                 true,  POLICY_INVALID    },
    {"runai", "",                              {.kind = POLICY_HISTORY_STARTED, .devices = 1},                           true,  POLICY_CONFLICT   },
    {"runai", "",                              {.kind = POLICY_HISTORY_EVICTED},                                         true,  POLICY_UNSUPPORTED},
    {"fifo",  "",                              {.kind = POLICY_HISTORY_EVICTED},                                         true,  POLICY_CONFLICT   },
    {"fifo",  "",                              {.kind = POLICY_HISTORY_STARTED},                                         true,  POLICY_UNSUPPORTED},
    {"runai",
     "usage_window=sliding usage_window_s=64", {.kind = POLICY_HISTORY_USAGE, .count = 1001},
     false,                                                                                                                     POLICY_UNSUPPORTED},
    {"runai",
     "usage_window=sliding usage_window_s=64", {.kind = POLICY_HISTORY_USAGE, .count = 1000, .from = 1},
     false,                                                                                                                     POLICY_INVALID    },
    {"runai",
     "usage_window=sliding usage_window_s=64", {.kind = POLICY_HISTORY_USAGE, .count = 1000, .from = -65000},
     false,                                                                                                                     POLICY_INVALID    },
    {"runai",
     "usage_window=sliding usage_window_s=64", {.kind = POLICY_HISTORY_USAGE, .count = 1000, .until = 11},
     false,                                                                                                                     POLICY_INVALID    },
    {"runai",
     "usage_window=sliding usage_window_s=64", {.kind = POLICY_HISTORY_USAGE, .count = 1000, .queue = {5}},
     false,                                                                                                                     POLICY_UNKNOWN    },
};

START_TEST(what_cannot_be_is_refused)
{
    struct side s;
    begin(&s, refused[_i].preset, refused[_i].options);
    struct policy_history h = refused[_i].h;
    policy_job job = submit(&s, 0, 9, 0, 4, 1000);
    h.job = refused[_i].names_job ? job : h.job;
    struct policy_history before[MOST];
    struct policy_history after[MOST];
    uint32_t count = records_of(s.p, before);
    ck_assert_int_eq(tell(&s, 10, h), refused[_i].status);
    ck_assert_uint_eq(records_of(s.p, after), count);
    ck_assert(memcmp(before, after, count * sizeof *before) == 0);
    ck_assert_int_eq(s.p->now, 9); /* no time has passed either */
    ck_assert_int_eq(tell(&s, 8, (struct policy_history){.kind = h.kind, .job = h.job, .level = 5}) < 0, 1);
    finish(&s);
}
END_TEST

/* Structs of no size that can be; a longer one is taken when what is not known of it is zero. */
START_TEST(records_carry_their_size)
{
    struct {
        struct policy_history h;
        uint64_t more;
    } longer = {
        {.size = sizeof longer, .kind = POLICY_HISTORY_DRAWS, .count = 3},
        0
    };
    struct side s;
    begin(&s, "random", "");
    uint64_t next = 0;
    struct policy_history none = {.size = 8};
    ck_assert(!policy_history(s.p, &next, &none));
    ck_assert_int_eq(policy_set_history(s.p, 0, &none), POLICY_INVALID);
    ck_assert_int_eq(policy_set_history(s.p, 0, &longer.h), POLICY_OK);
    longer.more = 1;
    ck_assert_int_eq(policy_set_history(s.p, 0, &longer.h), POLICY_INVALID);
    ck_assert_uint_eq(find(s.p, POLICY_HISTORY_DRAWS, POLICY_NO_ID).count, 3);
    finish(&s);
}
END_TEST

/* Each allocation fails once: the record is refused, and taken the next time. */
START_TEST(memory_may_run_out)
{
    static const char *const presets[] = {"slurm", "runai"};
    for (int preset = 0; preset < ROWS(presets); preset++) {
        bool failed = false;
        for (uint64_t fail = 1; fail < 16; fail++) {
            struct side s;
            begin(&s, presets[preset], "");
            submit(&s, 0, 0, 0, 4, 1000);
            struct policy_history h = {.kind = POLICY_HISTORY_NOMINATION, .job = s.jobs[0]};
            if (preset == 0)
                h = (struct policy_history){.kind = POLICY_HISTORY_USER, .queue = s.queues[1], .used = 7};
            s.tally.failed = false;
            s.tally.fail_at = s.tally.calls + fail;
            int status = POLICY_OK;
            for (uint32_t i = 0; i < (preset == 0 ? 20 : 1) && status == POLICY_OK; i++) {
                h.user = preset == 0 ? i : 0;
                status = tell(&s, 0, h);
            }
            ck_assert_int_eq(status == POLICY_NO_MEMORY, s.tally.failed);
            failed = failed || s.tally.failed;
            s.tally.fail_at = 0;
            ck_assert(status == POLICY_OK || tell(&s, 0, h) == POLICY_OK);
            finish(&s);
        }
        ck_assert(failed);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("core/history");
    TCase *tcase = tcase_create("history");
    tcase_add_test(tcase, service_is_what_was_attained);
    tcase_add_test(tcase, who_had_more_makes_way);
    tcase_add_test(tcase, what_ran_since_counts);
    tcase_add_test(tcase, what_was_reported_of_who_waits_goes_along);
    tcase_add_test(tcase, who_was_evicted_keeps_its_turn);
    tcase_add_test(tcase, who_used_less_goes_first);
    tcase_add_test(tcase, a_gang_evicted_in_part_is_charged_whole);
    tcase_add_test(tcase, draws_go_on);
    tcase_add_test(tcase, promises_are_kept);
    tcase_add_test(tcase, some_day_is_no_promise);
    tcase_add_test(tcase, a_reservation_without_a_time_gets_one);
    tcase_add_test(tcase, a_gang_evicted_in_part_waits_again);
    tcase_add_test(tcase, what_was_freed_is_tried);
    tcase_add_test(tcase, a_start_that_was_not_reported_may_fail);
    tcase_add_test(tcase, a_start_that_was_not_reported_may_be_taken_back);
    tcase_add_test(tcase, starts_are_told_task_by_task);
    tcase_add_test(tcase, nominations_stand);
    tcase_add_test(tcase, use_is_kept_by_its_time);
    tcase_add_test(tcase, idle_time_goes_on);
    tcase_add_test(tcase, the_reservation_stays);
    tcase_add_loop_test(tcase, what_cannot_be_is_refused, 0, ROWS(refused));
    tcase_add_test(tcase, records_carry_their_size);
    tcase_add_test(tcase, memory_may_run_out);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
