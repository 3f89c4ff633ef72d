/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lives of jobs whose every change follows from arithmetic, written as "REASON 2-10; running 10-15;
 * " in seconds; and on random workloads: the same decisions with and without an observer that
 * requests reasons, and waits that add up.
 */
#include "report/terminal/life_print.h"

#include "report/record/journal.h"
#include "tests/sim/evict.h"

struct followed {
    struct small s;
    struct life life;
    char text[4096];
};

static void follow(struct followed *f, const char *id)
{
    life_init(&f->life, id);
    small_observe(&f->s, life_observer(&f->life));
}

static void forget(struct followed *f)
{
    life_fini(&f->life);
    small_end(&f->s);
}

static const char *spans(struct followed *f)
{
    static const char *const states[] = {"held", "", "stopping", "partly", "starting", "running"};
    size_t n = 0;
    f->text[0] = '\0';
    for (size_t i = 0; i < f->life.span_count; i++) {
        const struct life_span *span = &f->life.spans[i];
        const char *name =
            span->state == LIFE_PENDING ? policy_reason_name(span->reason) : states[span->state];
        n += (size_t)snprintf(f->text + n, sizeof f->text - n, "%s %g-%g; ", name,
                              (double)span->from_ms / 1000.0, (double)span->to_ms / 1000.0);
        ck_assert_int_lt(span->from_ms, span->to_ms);
        ck_assert(i == 0 || span[-1].to_ms == span->from_ms);
    }
    return f->text;
}

static const struct life_event *event(const struct life *l, enum life_kind kind)
{
    for (size_t i = 0; i < l->event_count; i++)
        if (l->events[i].kind == (int32_t)kind)
            return &l->events[i];
    ck_abort_msg("no event of kind %d", kind);
    return NULL;
}

/* ---- reasons over time ---- */

/* Three jobs on four devices: b waits for a, c is behind b, and is short of devices while b runs.
 */
START_TEST(reasons_follow_one_another)
{
    static struct followed f;
    small_begin(&f.s, "fifo", "");
    small_pool(&f.s, "p", 1, 4);
    small_job(&f.s, "a", 0, 10000, 4);
    small_job(&f.s, "b", 1000, 5000, 4);
    small_job(&f.s, "c", 2000, 3000, 1);
    follow(&f, "c");
    small_run(&f.s);
    ck_assert_str_eq(spans(&f), "BEHIND 2-10; DEVICES_BUSY 10-15; running 15-18; ");
    struct life_share shares[POLICY_REASONS];
    int64_t total_ms;
    ck_assert_uint_eq(life_shares(&f.life, shares, &total_ms), 2);
    ck_assert_int_eq(total_ms, 13000);
    ck_assert_int_eq(shares[0].reason, POLICY_REASON_BEHIND);
    ck_assert_int_eq(shares[0].ms, 8000);
    ck_assert_int_eq(shares[1].ms, 5000);
    ck_assert_str_eq(event(&f.life, LIFE_STARTED)->other, "p-0");
    ck_assert_str_eq(event(&f.life, LIFE_ENDED)->other, "completed");
    ck_assert_int_eq(f.life.start_ms, 15000);
    ck_assert_int_eq(f.life.end_ms, 18000);
    forget(&f);
}
END_TEST

/* The policy decides every three seconds: before that the reason is unknown, and devices free at 10
 * are allocated at 12. */
START_TEST(reasons_count_from_cycles)
{
    static struct followed f;
    small_begin(&f.s, "fifo", "");
    small_pool(&f.s, "p", 1, 4);
    f.s.config.cycle_ms = 3000;
    small_job(&f.s, "a", 0, 10000, 4);
    small_job(&f.s, "b", 1000, 5000, 4);
    follow(&f, "b");
    small_run(&f.s);
    ck_assert_str_eq(spans(&f), "WAITING 1-3; DEVICES_BUSY 3-12; running 12-17; ");
    forget(&f);
}
END_TEST

START_TEST(before_its_time_it_does_not_wait)
{
    static struct followed f;
    small_begin(&f.s, "fifo", "");
    small_pool(&f.s, "p", 1, 4);
    f.s.config.cycle_ms = 4000;
    small_job(&f.s, "a", 0, 1000, 4)->eligible_ms = 5000;
    follow(&f, "a");
    small_run(&f.s);
    struct life_share shares[POLICY_REASONS];
    int64_t total_ms;
    ck_assert_str_eq(spans(&f), "NOT_ELIGIBLE 0-5; WAITING 5-8; running 8-9; ");
    ck_assert_uint_eq(life_shares(&f.life, shares, &total_ms), 1);
    ck_assert_int_eq(total_ms, 3000);
    forget(&f);
}
END_TEST

START_TEST(a_pending_span_is_open)
{
    static struct followed f;
    small_begin(&f.s, "fifo", "");
    small_pool(&f.s, "p", 1, 4);
    small_job(&f.s, "a", 0, 9000, 1);
    small_job(&f.s, "b", 1000, 1000, 5);
    follow(&f, "b");
    small_run(&f.s);
    life_close(&f.life, f.s.sim->now_ms);
    ck_assert_str_eq(spans(&f), "NEVER_FITS 1-9; ");
    ck_assert(!f.life.started && !f.life.ended);
    forget(&f);
}
END_TEST

/* ---- evictions ---- */

/* "high" arrives at 3 and gets the place of "low" after two seconds of grace; then low gets it
 * back. */
static void preemption(struct followed *f, const char *followed)
{
    small_begin(&f->s, "runai", "");
    small_pool(&f->s, "p", 1, 4);
    small_queue(&f->s, "q", 0)->gpu.quota = -1;
    f->s.config.grace_ms = 2000;
    f->s.config.checkpoints.on_evict = true;
    small_job_of(&f->s, "q", "low", 0, 10000, 4)->priority = 10;
    small_job_of(&f->s, "q", "high", 3000, 5000, 4)->priority = 20;
    follow(f, followed);
    small_run(&f->s);
}

START_TEST(an_eviction_names_both_jobs)
{
    static struct followed f;
    preemption(&f, "low");
    ck_assert_str_eq(spans(&f), "running 0-3; stopping 3-5; DEVICES_BUSY 5-10; running 10-17; ");
    const struct life_event *e = event(&f.life, LIFE_EVICTED);
    ck_assert_str_eq(e->other, "high");
    ck_assert_int_eq(e->reason, POLICY_REASON_PREEMPTED);
    ck_assert_int_eq(e->action, POLICY_PREEMPT);
    ck_assert_int_eq(e->at_ms, 3000);
    forget(&f);
}
END_TEST

START_TEST(it_names_the_job_whose_place_it_takes)
{
    static struct followed f;
    preemption(&f, "high");
    ck_assert_str_eq(spans(&f), "RELEASING 3-5; running 5-10; ");
    ck_assert_str_eq(event(&f.life, LIFE_TOOK)->other, "low");
    ck_assert_int_eq(event(&f.life, LIFE_TOOK)->tasks, 1);
    forget(&f);
}
END_TEST

/* ---- as text ---- */

START_TEST(text_and_json)
{
    static struct followed f;
    preemption(&f, "low");
    struct out *out = out_memory();
    struct json j;
    life_print(&f.life, SPARK_ASCII, out);
    const char *text = out_memory_text(out, NULL);
    harness_contains(text, "evicted 1 task for job high: PREEMPTED (preempt)");
    harness_contains(text, "  waited 5s in all\n    DEVICES_BUSY                 5s  100.0%  # "
                           "########################\n    ");
    harness_contains(text, "\n    "
                           "..................#################........................."
                           "\n");
    harness_contains(text, "starts 1 task on p-0");
    out_discard(out);
    out = out_memory();
    json_init(&j, out, 0);
    json_begin_object(&j, NULL);
    life_json(&f.life, &j);
    json_end_object(&j);
    text = out_memory_text(out, NULL);
    harness_contains(text,
                     "{\"from_s\": 3, \"to_s\": 5, \"state\": \"stopping\", \"reason\": null}");
    harness_contains(text, "{\"at_s\": 3, \"event\": \"evicted\", \"tasks\": 1, \"job\": \"high\", "
                           "\"action\": \"preempt\"");
    harness_contains(text, "\"waited_s\": 5, \"waited_by_reason\": [{\"reason\": \"DEVICES_BUSY\", "
                           "\"waited_s\": 5, \"share\": 1}]");
    out_discard(out);
    forget(&f);
}
END_TEST

/* ---- observing changes nothing ---- */

static const struct {
    const char *preset, *options;
} policies[] = {
    {"fifo", ""},
    {"fifo", "placement=random"},
    {"easy", ""},
    {"srtf", ""},
    {"las", "threshold_gpu_s=20"},
    {"runai", ""},
    {"fgd", "blocking=skip"},
};

static void draw(struct small *s, uint64_t *random, int policy)
{
    static const char *const queues[] = {"x", "y"};
    small_begin(s, policies[policy].preset, policies[policy].options);
    s->silent = true;
    s->config.audit = false;
    s->config.cycle_ms = 1000 * small_below(random, 3);
    s->config.grace_ms = 1000 * small_below(random, 3);
    small_pool(s, "p", 3, 4);
    for (int i = 0; i < ROWS(queues); i++)
        small_queue(s, queues[i], 0)->gpu.quota = 1000 * small_below(random, 7);
    int64_t at = 0;
    for (int i = 0; i < 60; i++) {
        char id[16];
        (void)snprintf(id, sizeof id, "j%d", i);
        struct trace_job *job =
            small_job_of(s, queues[small_below(random, 2)], id, at,
                         1000 * (1 + small_below(random, 40)), 1 + small_below(random, 6));
        job->priority = 10 * (int32_t)small_below(random, 3);
        job->eligible_ms += small_below(random, 4) == 0 ? 7000 : 0;
        at += 500 * small_below(random, 12);
    }
}

struct waits {
    const char *id;
    int64_t queue_ms;
};

static void note_waits(void *self, const struct sim *sim, const struct work_job *job)
{
    struct waits *w = self;
    (void)sim;
    if (strcmp(work_id(job), w->id) == 0)
        w->queue_ms = job->queue_ms;
}

/* The decisions of a run, with the life of a job (NULL: not observed), whose spans must add up. */
static void decisions(uint64_t seed, int policy, const char *id, char hex[DIGEST_HEX])
{
    static struct followed f;
    struct journal journal;
    struct waits waits = {.id = id};
    journal_init(&journal);
    draw(&f.s, &seed, policy);
    small_observe(&f.s, journal_observer(&journal));
    if (id != NULL) {
        follow(&f, id);
        small_observe(&f.s, (struct sim_observer){.self = &waits, .ended = note_waits});
    } else {
        life_init(&f.life, "");
    }
    small_run(&f.s);
    journal_hex(&journal, hex);
    if (id != NULL) {
        struct life_share shares[POLICY_REASONS];
        int64_t total_ms;
        (void)spans(&f);
        ck_assert(f.life.ended);
        (void)life_shares(&f.life, shares, &total_ms);
        ck_assert_int_eq(total_ms, waits.queue_ms);
    }
    forget(&f);
}

START_TEST(asking_changes_nothing_and_waits_add_up)
{
    char plain[DIGEST_HEX], asked[DIGEST_HEX], id[16];
    for (int i = 0; i < 20; i += harness_thin()) {
        uint64_t seed = (uint64_t)(1000 * _i + i);
        decisions(seed, _i, NULL, plain);
        (void)snprintf(id, sizeof id, "j%d", 13 + i);
        decisions(seed, _i, id, asked);
        ck_assert_str_eq(plain, asked);
    }
}
END_TEST

/* It is pending from 10 to 40 for two reasons, runs, is pending from 60 to 90 and again from 95 to
 * the end of the run. */
static const struct {
    int64_t at, from, to; /* to 0: it is not pending then */
    bool over;
} waits[] = {
    {5, 0, 0, false},     {10, 10, 40, true},    {39, 10, 40, true},
    {40, 0, 0, false},    {59, 0, 0, false},     {89, 60, 90, true},
    {95, 95, 100, false}, {100, 95, 100, false}, {101, 0, 0, false},
};

START_TEST(waits_are_distinguished)
{
    struct life_span spans[] = {
        {0, 10, LIFE_PENDING, POLICY_REASON_NOT_ELIGIBLE},
        {10, 20, LIFE_PENDING, POLICY_REASON_BEHIND},
        {20, 40, LIFE_PENDING, POLICY_REASON_DEVICES_BUSY},
        {40, 55, LIFE_RUNNING, POLICY_REASON_NONE},
        {55, 60, LIFE_STOPPING, POLICY_REASON_NONE},
        {60, 90, LIFE_PENDING, POLICY_REASON_DEVICES_BUSY},
        {90, 95, LIFE_RUNNING, POLICY_REASON_NONE},
        {95, 100, LIFE_PENDING, POLICY_REASON_DEVICES_BUSY},
    };
    const struct life life = {.spans = spans, .span_count = ROWS(spans)};
    struct life_wait wait;
    ck_assert_int_eq(life_wait_at(&life, waits[_i].at, &wait), waits[_i].to > 0);
    if (waits[_i].to > 0) {
        ck_assert_int_eq(wait.from_ms, waits[_i].from);
        ck_assert_int_eq(wait.to_ms, waits[_i].to);
        ck_assert_int_eq(wait.over, waits[_i].over);
    }
}
END_TEST

/* Of the waits above: the longest for each reason, and none for a reason that did not occur. */
START_TEST(longest_span_of_a_reason)
{
    struct life_span spans[] = {
        {0, 10, LIFE_PENDING, POLICY_REASON_NOT_ELIGIBLE},
        {10, 20, LIFE_PENDING, POLICY_REASON_BEHIND},
        {20, 40, LIFE_PENDING, POLICY_REASON_DEVICES_BUSY},
        {40, 60, LIFE_RUNNING, POLICY_REASON_NONE},
        {60, 80, LIFE_PENDING, POLICY_REASON_DEVICES_BUSY},
        {80, 150, LIFE_RUNNING, POLICY_REASON_NONE},
    };
    const struct life life = {.spans = spans, .span_count = ROWS(spans)};
    ck_assert_ptr_eq(life_longest_span(&life, POLICY_REASON_BEHIND), &spans[1]);
    ck_assert_ptr_eq(life_longest_span(&life, POLICY_REASON_DEVICES_BUSY),
                     &spans[2]); /* the first of equals */
    ck_assert_ptr_null(life_longest_span(&life, POLICY_REASON_NOT_ELIGIBLE));
    ck_assert_ptr_null(life_longest_span(&life, POLICY_REASON_NONE));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("life");
    TCase *tcase = tcase_create("life");
    tcase_add_test(tcase, reasons_follow_one_another);
    tcase_add_test(tcase, reasons_count_from_cycles);
    tcase_add_test(tcase, before_its_time_it_does_not_wait);
    tcase_add_test(tcase, a_pending_span_is_open);
    tcase_add_test(tcase, an_eviction_names_both_jobs);
    tcase_add_test(tcase, it_names_the_job_whose_place_it_takes);
    tcase_add_loop_test(tcase, waits_are_distinguished, 0, ROWS(waits));
    tcase_add_test(tcase, longest_span_of_a_reason);
    tcase_add_test(tcase, text_and_json);
    tcase_add_loop_test(tcase, asking_changes_nothing_and_waits_add_up, 0, ROWS(policies));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
