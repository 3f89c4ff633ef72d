/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ledger of GPU time: hand-made cases of every kind of idleness, and sums that are exact on
 * random runs. */
#include "report/measure/ledger.h"
#include "tests/sim/evict.h"

enum { LISTED = 5 };

/* GPU-seconds; in the ledger thousandths times milliseconds. */
static int64_t gpu_s(ledger_amount amount)
{
    ck_assert(amount % 1000000 == 0);
    return (int64_t)(amount / 1000000);
}

static void run(struct small *s, struct ledger *ledger)
{
    *ledger = (struct ledger){0};
    small_observe(s, ledger_observer(ledger));
    small_run(s);
    ledger_fini(ledger);
}

/* ---- idle time ---- */

static const struct {
    const char *what, *options;
    int nodes, gpus;
    int64_t cycle_s, horizon_s;
    bool drain;
    struct {
        const char *id;
        int64_t submit_s, eligible_s, duration_s, gpus;
        enum trace_status status;
    } jobs[LISTED];
    int64_t installed, allocated, user, no_demand, fragmented, blocked; /* expected, GPU-seconds */
} rows[] = {
    {"nobody waits", "", 1, 4, 0, 10, true, {{"a", 0, 0, 6, 1, 0}}, 40, 6, 0, 34, 0, 0},
    {"the fleet is full while others wait",
     "",
     1,
     1,
     0,
     -1,
     true,
     {{"a", 0, 0, 6, 1, 0}, {"b", 0, 0, 4, 1, 0}},
     10,
     10,
     0,
     0,
     0,
     0},
    /* 0..10: 2 idle, 4 wanted by b and 1 by c: both idle ones are useful; 10..15 all in
     * use; 15..16: 3 idle. */
    {"blocked by a job that waits for more than is free",
     "blocking=strict",
     1,
     4,
     0,
     -1,
     true,
     {{"a", 0, 0, 10, 2, 0}, {"b", 0, 0, 5, 4, 0}, {"c", 0, 0, 1, 1, 0}},
     64,
     41,
     0,
     3,
     0,
     20},
    /* 0..6: 2 idle, one on each node, 2 wanted on one; 6..7: c runs on 2 of 4. */
    {"free devices in the wrong pieces",
     "placement=spread",
     2,
     2,
     0,
     -1,
     true,
     {{"a", 0, 0, 6, 1, 0}, {"b", 0, 0, 6, 1, 0}, {"c", 0, 0, 1, 2, 0}},
     28,
     14,
     0,
     2,
     12,
     0},
    /* 0..6: 2 idle; c wants 2 in the wrong pieces, d wants 2 and is behind it: half each. Then both
     * run, 6..7. */
    {"two kinds of demand share the idle time in proportion",
     "placement=spread blocking=strict",
     2,
     2,
     0,
     -1,
     true,
     {{"a", 0, 0, 6, 1, 0}, {"b", 0, 0, 6, 1, 0}, {"c", 0, 0, 1, 2, 0}, {"d", 0, 0, 1, 2, 0}},
     28,
     16,
     0,
     0,
     6,
     6},
    /* 0..5: 3 idle, 1 wanted by a job that must wait for the cycle. */
    {"waiting for the next cycle is the policy's doing",
     "",
     1,
     4,
     10,
     -1,
     true,
     {{"a", 5, 0, 5, 1, 0}},
     40,
     5,
     0,
     30,
     0,
     5},
    {"a job that is not eligible wants nothing yet",
     "",
     1,
     2,
     0,
     -1,
     true,
     {{"a", 0, 5, 5, 1, 0}},
     20,
     5,
     0,
     15,
     0,
     0},
    {"a job that never fits wants nothing",
     "",
     1,
     2,
     0,
     10,
     true,
     {{"a", 0, 0, 5, 3, 0}},
     20,
     0,
     0,
     20,
     0,
     0},
    {"work of failed jobs is lost, of cancelled ones not",
     "",
     1,
     2,
     0,
     -1,
     true,
     {{"a", 0, 0, 4, 1, TRACE_FAILED}, {"b", 0, 0, 10, 1, TRACE_CANCELLED}},
     20,
     14,
     4,
     6,
     0,
     0},
    /* Only the window counts: a until 8, b not at all. */
    {"the window cuts",
     "",
     1,
     1,
     0,
     8,
     true,
     {{"a", 0, 0, 10, 1, TRACE_FAILED}, {"b", 1, 0, 10, 1, 0}},
     8,
     8,
     8,
     0,
     0,
     0},
    {"nothing has failed that still runs",
     "",
     1,
     1,
     0,
     8,
     false,
     {{"a", 0, 0, 10, 1, TRACE_FAILED}},
     8,
     8,
     0,
     0,
     0,
     0},
};

START_TEST(every_gpu_second_has_a_reason)
{
    struct small s;
    struct ledger l;
    small_begin(&s, "fifo", rows[_i].options);
    small_pool(&s, "p", rows[_i].nodes, rows[_i].gpus);
    s.config.cycle_ms = rows[_i].cycle_s * 1000;
    s.config.horizon_ms = rows[_i].horizon_s < 0 ? -1 : rows[_i].horizon_s * 1000;
    s.config.drain = rows[_i].drain;
    for (int i = 0; i < LISTED && rows[_i].jobs[i].id != NULL; i++) {
        struct trace_job *job =
            small_job(&s, rows[_i].jobs[i].id, rows[_i].jobs[i].submit_s * 1000,
                      rows[_i].jobs[i].duration_s * 1000, rows[_i].jobs[i].gpus);
        job->status = rows[_i].jobs[i].status;
        if (rows[_i].jobs[i].eligible_s > 0)
            job->eligible_ms = rows[_i].jobs[i].eligible_s * 1000;
    }
    run(&s, &l);
    const struct {
        const char *name;
        int64_t got, expected;
    } sums[] = {
        {"installed", gpu_s(l.installed), rows[_i].installed},
        {"available", gpu_s(l.available), rows[_i].installed},
        {"allocated", gpu_s(l.allocated), rows[_i].allocated},
        {"user_lost", gpu_s(l.user_lost), rows[_i].user},
        {"idle_no_demand", gpu_s(l.idle_no_demand), rows[_i].no_demand},
        {"idle_fragmented", gpu_s(l.idle_fragmented), rows[_i].fragmented},
        {"idle_blocked", gpu_s(l.idle_blocked), rows[_i].blocked},
    };
    for (int i = 0; i < ROWS(sums); i++)
        ck_assert_msg(sums[i].got == sums[i].expected, "%s: %s %d, expected %d", rows[_i].what,
                      sums[i].name, (int)sums[i].got, (int)sums[i].expected);
    small_end(&s);
}
END_TEST

/* If one queue uses the pools of two sites, demand for one site is no demand at the other. */
START_TEST(demand_of_one_site_does_not_count_at_another)
{
    struct small s;
    struct ledger l;
    small_begin(&s, "fifo", "scope=queue");
    small_pool(&s, "busy", 1, 1);
    small_pool(&s, "idle", 1, 3);
    small_queue(&s, "x", 1);
    small_queue(&s, "y", 2);
    small_job_of(&s, "x", "a", 0, 5000, 1);
    small_job_of(&s, "x", "b", 0, 5000, 1);
    run(&s, &l);
    ck_assert_int_eq(gpu_s(l.installed), 40);
    ck_assert_int_eq(gpu_s(l.allocated), 10);
    ck_assert_int_eq(gpu_s(l.idle_no_demand), 30);
    ck_assert_int_eq(gpu_s(l.idle_blocked), 0);
    small_end(&s);
}
END_TEST

/* One strict queue for the whole fleet: y's job is behind x's, so the idle devices of its site are
 * blocked. */
START_TEST(one_site_is_blocked_by_another)
{
    struct small s;
    struct ledger l;
    small_begin(&s, "fifo", "scope=fleet blocking=strict");
    small_pool(&s, "busy", 1, 1);
    small_pool(&s, "idle", 1, 3);
    small_queue(&s, "x", 1);
    small_queue(&s, "y", 2);
    small_job_of(&s, "x", "a", 0, 5000, 1);
    small_job_of(&s, "x", "b", 0, 5000, 1);
    small_job_of(&s, "y", "c", 0, 1000, 2);
    run(&s, &l);
    ck_assert_int_eq(small_start(&s, "c"), 5000);
    ck_assert_int_eq(gpu_s(l.idle_blocked), 10);   /* 2 for 5 s */
    ck_assert_int_eq(gpu_s(l.idle_no_demand), 18); /* 1 for 6 s, 3 for 4 s */
    ck_assert_int_eq(gpu_s(l.allocated), 12);
    small_end(&s);
}
END_TEST

/* sm = sum(g x sm_util x active) over the time of the jobs that have it. */
START_TEST(utilization_is_weighted_by_time)
{
    struct small s;
    struct ledger l;
    small_begin(&s, "fifo", "");
    small_pool(&s, "p", 1, 8);
    struct trace_job *job = small_job(&s, "a", 0, 10000, 2);
    job->sm_util_ppm = 500000;
    job->active_ppm = 400000;
    small_job(&s, "b", 0, 5000, 4)->sm_util_ppm = 900000; /* always active */
    small_job(&s, "c", 0, 5000, 1);                       /* unknown */
    run(&s, &l);
    ck_assert_int_eq(gpu_s(l.sm_allocated), 40);
    ck_assert_double_eq_tol((double)l.sm_weighted / 1e6 / (double)l.sm_allocated,
                            (0.2 * 20 + 0.9 * 20) / 40, 1e-9);
    small_end(&s);
}
END_TEST

/* ---- random runs: everything adds up, to the last unit ---- */

static const char *const options[] = {
    "placement=best-fit blocking=strict",
    "placement=spread blocking=skip",
    "placement=count scope=queue",
    "placement=random scope=queue blocking=skip",
};

START_TEST(sums_are_exact)
{
    struct small s;
    struct ledger l;
    uint64_t random = (uint64_t)_i;
    small_begin(&s, "fifo", options[_i % ROWS(options)]);
    s.silent = true;
    small_pool(&s, "p", 3, 4);
    small_pool(&s, "q", 2, 3);
    if (_i % 3 == 0) {
        small_queue(&s, "p", 1);
        small_queue(&s, "q", 2);
    }
    s.config.horizon_ms = _i % 2 == 0 ? -1 : 40001;
    s.config.warmup_ms = _i % 5 == 0 ? 7003 : 0;
    s.config.drain = _i % 4 < 2;
    s.config.cycle_ms = _i % 7 == 0 ? 3000 : 0;
    int64_t at = 0;
    for (int i = 0; i < 100; i++) {
        static const char *const names[] = {"p", "q"};
        struct trace_job *job = small_job_of(&s, names[small_below(&random, 2)], "j", at,
                                             small_below(&random, 20000), TRACE_UNKNOWN);
        job->gpus = (int32_t)small_below(&random, 5);
        job->gpu_milli = job->gpus == 1 ? (int32_t)small_below(&random, 1000) : 0;
        job->status = (enum trace_status)small_below(&random, 3);
        at += small_below(&random, 2000);
    }
    run(&s, &l);
    int64_t window = s.sim->window_end_ms - s.sim->window_start_ms;
    ledger_amount productive = ledger_productive(&l);
    ck_assert(l.installed == (ledger_amount)18000 * window);
    ck_assert(l.available == l.installed);
    ck_assert(l.installed - productive == l.user_lost + l.idle_no_demand + l.idle_fragmented +
                                              l.idle_blocked + (l.installed - l.available));
    ck_assert(l.user_lost >= 0 && l.idle_no_demand >= 0 && l.idle_fragmented >= 0 &&
              l.idle_blocked >= 0);
    ledger_amount held = 0; /* the same time, summed by job */
    for (size_t i = 0; i < s.job_count; i++) {
        int64_t end = s.lives[i].end_ms == WORK_NEVER ? s.sim->now_ms : s.lives[i].end_ms;
        int64_t from = s.lives[i].start_ms;
        if (from == WORK_NEVER)
            continue;
        from = from > s.sim->window_start_ms ? from : s.sim->window_start_ms;
        end = end < s.sim->window_end_ms ? end : s.sim->window_end_ms;
        held += end > from ? (ledger_amount)trace_job_gpu_milli(&s.jobs[i]) * (end - from) : 0;
    }
    ck_assert(held == l.allocated);
    double installed = ledger_hours(l.installed);
    double ladder = ledger_hours(l.available) / installed *
                    (ledger_hours(l.allocated) / ledger_hours(l.available)) * 1.0 *
                    (ledger_hours(productive) / ledger_hours(l.allocated));
    ck_assert_double_eq_tol(ladder, ledger_hours(productive) / installed, 1e-12);
    small_end(&s);
}
END_TEST

/* ---- evictions ---- */

/* One job of 2 GPUs and 100 s, evicted at 40, with 30 s of grace: the use of its GPU-seconds. */
static const struct {
    const char *what;
    int64_t interval_s, write_s, restart_s; /* interval -1: not given */
    bool on_evict, fails;
    int64_t allocated, preemption, checkpoint, restart, hold, user;
} evictions[] = {
    {"nothing is lost, the grace is held", -1, 0, 0, true, false, 260, 0, 0, 0, 60, 0},
    {"a restart is no work", -1, 0, 7, true, false, 274, 0, 0, 14, 60, 0},
    {"a write in the grace is none of it", 25, 5, 10, true, false, 310, 0, 2 * (5 + 5 + 10), 20, 50,
     0},
    {"what was not saved is done again", 25, 5, 10, false, false, 330, 20, 2 * (5 + 10), 20, 60, 0},
    {"who fails has done all of it for nothing", 25, 5, 10, false, true, 330, 20, 2 * (5 + 10), 20,
     60, 200},
    {"also without checkpoints", -1, 0, 0, true, true, 260, 0, 0, 0, 60, 200},
};

START_TEST(evictions_have_their_price)
{
    struct small s;
    struct ledger l = {0};
    small_begin(&s, "runai", "");
    small_pool(&s, "p", 1, 2);
    small_observe(&s, ledger_observer(&l));
    s.config.grace_ms = 30000;
    s.config.checkpoints.on_evict = evictions[_i].on_evict;
    struct trace_job *job = small_job(&s, "a", 0, 100000, 2);
    if (evictions[_i].interval_s >= 0) {
        job->checkpoint_ms = evictions[_i].interval_s * 1000;
        job->checkpoint_write_ms = evictions[_i].write_s * 1000;
    }
    job->restart_ms = evictions[_i].restart_s * 1000;
    job->status = evictions[_i].fails ? TRACE_FAILED : TRACE_COMPLETED;
    ck_assert(small_create(&s));
    evict_run(&s, 40000);
    evict_now(&s, "a", INT32_MAX);
    evict_finish(&s);
    const struct {
        const char *name;
        int64_t got, expected;
    } sums[] = {
        {"allocated", gpu_s(l.allocated), evictions[_i].allocated},
        {"preemption", gpu_s(l.preemption), evictions[_i].preemption},
        {"checkpoint", gpu_s(l.checkpoint), evictions[_i].checkpoint},
        {"restart", gpu_s(l.restart), evictions[_i].restart},
        {"hold", gpu_s(l.hold), evictions[_i].hold},
        {"user", gpu_s(l.user_lost), evictions[_i].user},
        {"productive", gpu_s(ledger_productive(&l)), evictions[_i].fails ? 0 : 200},
        {"running", gpu_s(ledger_running(&l)),
         evictions[_i].allocated - evictions[_i].restart - evictions[_i].hold},
    };
    for (int i = 0; i < ROWS(sums); i++)
        ck_assert_msg(sums[i].got == sums[i].expected, "%s: %s %d, expected %d", evictions[_i].what,
                      sums[i].name, (int)sums[i].got, (int)sums[i].expected);
    ledger_fini(&l);
    small_end(&s);
}
END_TEST

/* Only the window counts, whenever the loss occurs: work 10-40, lost at 40 by an eviction. */
START_TEST(the_window_cuts_what_is_lost)
{
    static const struct {
        int64_t from, to, preemption, hold, productive;
    } windows[] = {
        {0, 1000, 80, 60, 200}, {10, 1000, 60, 60, 200}, {40, 1000, 0, 60, 200},
        {50, 1000, 0, 40, 200}, {0, 30, 60, 0, 0}, /* lost after the window: not useful within it
                                                    * either */
        {0, 45, 80, 10, 0},     {0, 80, 80, 60, 20},
    };
    for (int i = 0; i < ROWS(windows); i++) {
        struct small s;
        struct ledger l = {0};
        small_begin(&s, "runai", "");
        small_pool(&s, "p", 1, 2);
        small_observe(&s, ledger_observer(&l));
        s.config.grace_ms = 30000;
        s.config.warmup_ms = windows[i].from * 1000;
        s.config.horizon_ms = windows[i].to * 1000;
        small_job(&s, "a", 0, 100000, 2)->checkpoint_ms = 0;
        ck_assert(small_create(&s));
        evict_run(&s, 40000);
        evict_now(&s, "a", INT32_MAX);
        evict_finish(&s);
        ck_assert_int_eq(gpu_s(l.preemption), windows[i].preemption);
        ck_assert_int_eq(gpu_s(l.hold), windows[i].hold);
        ck_assert_int_eq(gpu_s(ledger_productive(&l)), windows[i].productive);
        ledger_fini(&l);
        small_end(&s);
    }
}
END_TEST

/* ---- random evictions: the same sums from the fate of each job ---- */

struct by_job {
    ledger_amount productive, failed, lost;
};

/* All of its work was done to the end once, plus the lost work. */
static void add_ended(void *self, const struct sim *sim, const struct work_job *job)
{
    (void)sim;
    struct by_job *sum = self;
    ledger_amount unit =
        job->elastic ? 1000 : job->gpu_milli; /* each task of an elastic job wants one GPU */
    *(job->status == TRACE_FAILED ? &sum->failed : &sum->productive) += unit * job->progress.total;
    sum->lost += unit * job->lost_units;
}

static struct work_job *draw_running(struct small *s, uint64_t *random)
{
    size_t first = (size_t)small_below(random, (int64_t)s->sim->work.capacity);
    for (size_t i = 0; i < s->sim->work.capacity; i++) {
        struct work_job *job = &s->sim->work.jobs[(first + i) % s->sim->work.capacity];
        if (job->state == WORK_RUNNING && job->preemptible && job->running > 0 && !job->stopping)
            return job;
    }
    return NULL;
}

static void draw_jobs(struct small *s, uint64_t *random)
{
    int64_t at = 0;
    for (int i = 0; i < 60; i++) {
        struct trace_job *job =
            small_job(s, "j", at, 1000 * small_below(random, 60), TRACE_UNKNOWN);
        job->gpus = 1 + (int32_t)small_below(random, 3);
        if (small_below(random, 3) == 0) { /* lengths divisible by all sizes */
            job->gpus = 1;
            job->duration_ms = 12000 * small_below(random, 6);
            job->min_tasks = 1 + (int32_t)small_below(random, 2);
            job->tasks = 2;
            job->max_tasks = 2 + (int32_t)small_below(random, 3);
        }
        job->status = (enum trace_status)small_below(random, 3);
        if (small_below(random, 2) == 0)
            job->checkpoint_ms = 12000 * small_below(random, 3);
        job->checkpoint_write_ms = 1000 * small_below(random, 8);
        job->restart_ms = 1000 * small_below(random, 8);
        at += small_below(random, 5000);
    }
}

START_TEST(random_evictions_add_up)
{
    struct small s;
    struct ledger l = {0};
    struct by_job sum = {0};
    uint64_t random = (uint64_t)_i;
    small_begin(&s, "runai", "");
    s.silent = true;
    small_pool(&s, "p", 2, 4);
    small_observe(&s, ledger_observer(&l));
    small_observe(&s, (struct sim_observer){.self = &sum, .ended = add_ended});
    s.config.grace_ms = 5000 * (_i % 3);
    s.config.cycle_ms = _i % 4 == 0 ? 1000 : 0;
    s.config.checkpoints.on_evict = _i % 2 == 0;
    s.config.checkpoints.async = _i % 3 == 0;
    s.config.checkpoints.stall_ms = 500 * (_i % 4);
    s.config.startup = (struct work_startup){.classes = UINT32_MAX, .ms = _i % 5 * 1500};
    draw_jobs(&s, &random);
    ck_assert_msg(small_create(&s), "%s", s.err.msg);
    for (int64_t at = 0; at < 400000; at += small_below(&random, 9000)) {
        evict_run(&s, at);
        struct work_job *job = draw_running(&s, &random);
        bool part = job != NULL && job->running > job->min_tasks && small_below(&random, 2) == 0;
        if (job != NULL && s.sim->now_ms == at)
            ck_assert_msg(evict_try(&s, job, part ? 1 : INT32_MAX, POLICY_RECLAIM,
                                    POLICY_REASON_RECLAIM_OVER_SHARE),
                          "%s", s.err.msg);
    }
    evict_finish(&s);
    ledger_amount window = s.sim->window_end_ms - s.sim->window_start_ms;
    ck_assert(l.installed == 8000 * window);
    ck_assert(l.installed == l.allocated + l.idle_no_demand + l.idle_fragmented + l.idle_blocked);
    ck_assert(sum.lost == l.preemption);
    /* The last millisecond of an elastic job may exceed its work. */
    ledger_amount done = ledger_productive(&l) - sum.productive;
    ledger_amount failed = l.user_lost - sum.failed;
    ck_assert_msg(done >= 0 && failed >= 0 && done + failed <= 60 * 4000, "%lld %lld",
                  (long long)done, (long long)failed);
    ck_assert(l.checkpoint >= 0 && l.restart >= 0 && l.hold >= 0);
    ck_assert((l.startup > 0) == (_i % 5 > 0));
    ledger_fini(&l);
    small_end(&s);
}
END_TEST

START_TEST(hours_are_hours)
{
    ck_assert_double_eq(ledger_hours((ledger_amount)1000 * 3600000), 1.0);
    ck_assert_double_eq(ledger_hours((ledger_amount)500 * 7200000), 1.0);
    ck_assert_double_eq_tol(ledger_hours((ledger_amount)8000000 * 1000000000000000),
                            8e6 * 1e15 / 3.6e9, 1e6);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ledger");
    TCase *tcase = tcase_create("ledger");
    tcase_add_loop_test(tcase, every_gpu_second_has_a_reason, 0, ROWS(rows));
    tcase_add_test(tcase, demand_of_one_site_does_not_count_at_another);
    tcase_add_test(tcase, one_site_is_blocked_by_another);
    tcase_add_test(tcase, utilization_is_weighted_by_time);
    tcase_add_loop_test(tcase, sums_are_exact, 0, harness_repeats(60));
    tcase_add_test(tcase, hours_are_hours);
    tcase_add_loop_test(tcase, evictions_have_their_price, 0, ROWS(evictions));
    tcase_add_test(tcase, the_window_cuts_what_is_lost);
    tcase_add_loop_test(tcase, random_evictions_add_up, 0, harness_repeats(100));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
