/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Jobs that share storage: their durations by arithmetic, and random runs with evictions, audited,
 * in which reads and writes add up.
 */
#include "report/measure/ledger.h"
#include "sim/storage.h"
#include "tests/sim/evict.h"
#include "tests/sim/small.h"

#include <math.h>

#define MB INT64_C(1000000)

/* Nodes of 8 devices; the store moves MB/s; times in seconds. A job has `gpus` GPUs; the first job
 * starts at 0. */
static const struct {
    const char *what;
    struct sim_storage_rules rules; /* MB */
    struct work_checkpoints checkpoints;
    int64_t image_s, engine_s;
    struct {
        int64_t at_s, duration_s, gpus;
        double end_s;
    } jobs[3];
} worlds[] = {
    {"alone: 100 MB at 10",
     {.write = 10, .checkpoint_bytes = 100},
     {.given = true, .interval_ms = 100000},
     0,
     0,
     {{0, 250, 8, 270}}},
    {"two at once take twice as long",
     {.write = 10, .checkpoint_bytes = 100},
     {.given = true, .interval_ms = 100000},
     0,
     0,
     {{0, 250, 8, 290}, {0, 250, 8, 290}}},
    /* b begins 5 s later, when 50 MB of a's are written; they share until a has finished at 115 +
     * 10, then b has 50 MB left, alone */
    {"one comes later",
     {.write = 10, .checkpoint_bytes = 100},
     {.given = true, .interval_ms = 100000},
     0,
     0,
     {{0, 150, 8, 165}, {5, 150, 8, 170}}},
    {"each node binds: 5 MB/s",
     {.write = 100, .node_write = 5, .checkpoint_bytes = 100},
     {.given = true, .interval_ms = 100000},
     0,
     0,
     {{0, 150, 8, 170}, {0, 150, 16, 160}}},
    {"two on one node share what it writes",
     {.node_write = 10, .checkpoint_bytes = 100},
     {.given = true, .interval_ms = 100000},
     0,
     0,
     {{0, 150, 4, 170}, {0, 150, 4, 170}}},
    {"by the number of devices",
     {.write = 10, .checkpoint_gpu_bytes = 10},
     {.given = true, .interval_ms = 100000},
     0,
     0,
     {{0, 150, 8, 158}}},
    {"asynchronous writes go on beside the work",
     {.write = 10, .checkpoint_bytes = 100},
     {.given = true, .interval_ms = 100000, .async = true, .stall_ms = 2000},
     0,
     0,
     {{0, 250, 8, 254}, {0, 250, 8, 254}}},
    /* 160 MB take 160 s: writes begin at 100, 260, 420 with a stall of 2 s each */
    {"and hold up the next one only",
     {.write = 1, .checkpoint_bytes = 160},
     {.given = true, .interval_ms = 100000, .async = true, .stall_ms = 2000},
     0,
     0,
     {{0, 450, 8, 456}}},
    {"models: 60 MB at 10, after 3 s and before 4",
     {.read = 10, .load_bytes = 60},
     {0},
     3,
     4,
     {{0, 100, 8, 113}}},
    {"fair between nodes: of two tasks twice as much comes at twice the rate",
     {.read = 30, .load_bytes = 60},
     {0},
     3,
     4,
     {{0, 100, 8, 113}, {0, 100, 16, 113}}},
    {"no loader is faster than itself",
     {.read = 30, .load_bytes = 60, .load_rate = 4},
     {0},
     0,
     0,
     {{0, 100, 8, 115}, {0, 100, 8, 115}}},
    {"data: half of what 8 devices want", {.read = 40, .data = 10}, {0}, 0, 0, {{0, 100, 8, 200}}},
    {"a job of 2 has all it wants, one of 8 the rest",
     {.read = 60, .data = 10},
     {0},
     0,
     0,
     {{0, 100, 2, 100},
      {0, 100, 8, 166.667}}}, /* 40 of 80 for 100 s, then 60 of 80 for the other 50: 66.7 */
    {"caches serve half, the store the rest",
     {.read = 20, .data = 10, .cache = 100, .cache_ppm = 500000},
     {0},
     0,
     0,
     {{0, 100, 8, 200}}},
    {"a slow cache binds",
     {.read = 100, .data = 10, .cache = 20, .cache_ppm = 500000},
     {0},
     0,
     0,
     {{0, 100, 8, 200}}},
};

static struct sim_storage_rules in_bytes(struct sim_storage_rules r)
{
    int64_t *each[] = {
        &r.read, &r.write,      &r.node_read, &r.node_write,       &r.cache,
        &r.data, &r.load_bytes, &r.load_rate, &r.checkpoint_bytes, &r.checkpoint_gpu_bytes};
    for (size_t i = 0; i < ROWS(each); i++)
        *each[i] *= MB;
    r.on = true;
    return r;
}

START_TEST(times_follow_from_shares)
{
    struct small s;
    struct ledger l = {0};
    char names[3][2] = {"a", "b", "c"};
    small_begin(&s, "fifo", "");
    small_pool(&s, "p", 3, 8);
    small_observe(&s, ledger_observer(&l));
    s.config.storage = in_bytes(worlds[_i].rules);
    s.config.checkpoints = worlds[_i].checkpoints;
    s.config.startup = (struct work_startup){.classes = UINT32_MAX,
                                             .ms = worlds[_i].image_s * 1000,
                                             .engine_ms = worlds[_i].engine_s * 1000};
    for (int i = 0; i < 3 && worlds[_i].jobs[i].gpus > 0; i++)
        small_job(&s, names[i], worlds[_i].jobs[i].at_s * 1000,
                  worlds[_i].jobs[i].duration_s * 1000, worlds[_i].jobs[i].gpus);
    small_run(&s);
    for (int i = 0; i < 3 && worlds[_i].jobs[i].gpus > 0; i++) {
        double end_s = (double)small_stop(&s, names[i]) / 1000;
        ck_assert_msg(fabs(end_s - worlds[_i].jobs[i].end_s) < 0.01,
                      "%s: %s ends at %.3f s, not %.3f", worlds[_i].what, names[i], end_s,
                      worlds[_i].jobs[i].end_s);
    }
    ck_assert(l.installed - ledger_productive(&l) == l.idle_no_demand + l.idle_blocked +
                                                         l.idle_fragmented + l.checkpoint +
                                                         l.startup + l.slowdown + l.hold);
    ledger_fini(&l);
    small_end(&s);
}
END_TEST

/* ---- random runs ---- */

static void draw_jobs(struct small *s, uint64_t *random)
{
    int64_t at = 0;
    for (int i = 0; i < 40; i++) {
        struct trace_job *job =
            small_job(s, "j", at, 1000 * small_below(random, 60), TRACE_UNKNOWN);
        job->gpus = 1 + (int32_t)small_below(random, 4);
        job->tasks = job->min_tasks = job->max_tasks = 1 + (int32_t)small_below(random, 2);
        job->min_tasks -= job->tasks == 2 && small_below(random, 2) == 0;
        job->class = small_below(random, 5) == 0 ? TRACE_BUILD : TRACE_TRAIN;
        job->preemptible = 1;
        if (small_below(random, 6) == 0)
            job->checkpoint_write_ms = 1000 * small_below(random, 8);
        at += small_below(random, 5000);
    }
}

static struct sim_storage_rules draw_rules(uint64_t *random)
{
    struct sim_storage_rules r = {.on = true};
    int64_t *each[] = {
        &r.read, &r.write,      &r.node_read, &r.node_write,       &r.cache,
        &r.data, &r.load_bytes, &r.load_rate, &r.checkpoint_bytes, &r.checkpoint_gpu_bytes};
    for (size_t i = 0; i < ROWS(each); i++)
        *each[i] = small_below(random, 3) == 0 ? 0 : (1 + small_below(random, 20)) * MB;
    r.cache_ppm = r.cache > 0 ? small_below(random, 1000001) : 0;
    return r;
}

struct sums {
    ledger_amount done;
};

static void add_ended(void *self, const struct sim *sim, const struct work_job *job)
{
    struct sums *sums = self;
    (void)sim;
    sums->done +=
        (ledger_amount)(job->elastic ? job->gpu_milli / job->recorded_tasks : job->gpu_milli) *
        job->progress.total / job->unit;
}

static struct work_job *draw_running(struct small *s, uint64_t *random)
{
    size_t first = (size_t)small_below(random, (int64_t)s->sim->work.capacity);
    for (size_t i = 0; i < s->sim->work.capacity; i++) {
        struct work_job *job = &s->sim->work.jobs[(first + i) % s->sim->work.capacity];
        if (job->state == WORK_RUNNING && job->preemptible && job->running > 0)
            return job;
    }
    return NULL;
}

/* Audited at every instant; all work is done at the end, no more was written than the store allows,
 * and the ledger is complete. */
START_TEST(whatever_happens_adds_up)
{
    struct small s;
    struct ledger l = {0};
    struct sums sums = {0};
    uint64_t random = (uint64_t)_i + 1;
    small_begin(&s, "runai", "");
    s.silent = true;
    small_pool(&s, "p", 3, 4);
    small_observe(&s, ledger_observer(&l));
    small_observe(&s, (struct sim_observer){.self = &sums, .ended = add_ended});
    s.config.grace_ms = 3000 * (_i % 3);
    s.config.storage = draw_rules(&random);
    s.config.checkpoints =
        (struct work_checkpoints){.given = true,
                                  .interval_ms = 1000 * (1 + small_below(&random, 20)),
                                  .write_ms = 1000,
                                  .restart_ms = 1000 * small_below(&random, 3),
                                  .async = _i % 2 == 0,
                                  .stall_ms = 500,
                                  .on_evict = _i % 4 < 2};
    s.config.startup = (struct work_startup){.classes = UINT32_MAX,
                                             .ms = 1000 * small_below(&random, 2),
                                             .engine_ms = 1000 * small_below(&random, 2)};
    draw_jobs(&s, &random);
    ck_assert_msg(small_create(&s), "%s", s.err.msg);
    for (int64_t at = 0; at < 300000; at += small_below(&random, 9000)) {
        evict_run(&s, at);
        struct work_job *job = draw_running(&s, &random);
        bool part = job != NULL && job->running > job->min_tasks && small_below(&random, 2) == 0;
        if (job != NULL && s.sim->now_ms == at)
            ck_assert_msg(evict_try(&s, job, part ? 1 : INT32_MAX, POLICY_RECLAIM,
                                    POLICY_REASON_RECLAIM_OVER_SHARE),
                          "%s", s.err.msg);
    }
    evict_finish(&s);
    ck_assert_uint_eq(s.sim->ended, 40);
    ck_assert(l.installed == l.allocated + l.idle_no_demand + l.idle_fragmented + l.idle_blocked);
    ledger_amount window = s.sim->window_end_ms - s.sim->window_start_ms;
    const struct sim_storage_rules *r = &s.config.storage;
    ck_assert(r->write == 0 || sim_storage_moved(s.sim, SIM_STORE_WRITE) <= r->write * window);
    ck_assert(r->read == 0 ||
              sim_storage_moved(s.sim, SIM_STORE_LOAD) + sim_storage_moved(s.sim, SIM_STORE_READ) <=
                  r->read * window);
    ledger_amount over =
        ledger_productive(&l) - sums.done; /* by less than a part in 10,000, last milliseconds */
    ck_assert_msg(over >= -sums.done / 10000 - 160000 && over <= sums.done / 10000 + 40 * 8000,
                  "%lld of %lld", (long long)over, (long long)sums.done);
    ledger_fini(&l);
    small_end(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("storage");
    TCase *tcase = tcase_create("storage");
    tcase_add_loop_test(tcase, times_follow_from_shares, 0, ROWS(worlds));
    tcase_add_loop_test(tcase, whatever_happens_adds_up, 0, harness_repeats(150));
    tcase_set_timeout(tcase, 120);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
