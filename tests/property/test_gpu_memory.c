/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Devices shared at random, in every mode, with lanes and with quotas: shares and memory requests
 * with limits, gangs, elastic jobs, sessions, whole devices, evictions and faults, with all audits
 * on (no task holds more than exists, running tasks have what they requested). Every job ends, the
 * run ends with its last job, and the ledger counts every device-second once; if jobs only request
 * shares, productive time equals the work of the jobs.
 */
#include "report/measure/gpu_memory.h"
#include "report/measure/ledger.h"
#include "sim/gpu_memory.h"
#include "tests/sim/listed.h"
#include "tests/sim/small.h"

enum { JOBS = 30, SEEDS = 300, PARTS = 10 };

struct drawn {
    uint64_t state;
    bool quota, plain; /* plain: shares and whole devices only, nothing elastic */
    enum memory_mode mode;
};

static int64_t below(struct drawn *d, int64_t n)
{
    return small_below(&d->state, n);
}

static struct memory_rules draw_rules(struct drawn *d)
{
    return (struct memory_rules){.mode = d->mode,
                                 .grow_ppm = (int32_t)below(d, 11) * 100000,
                                 .least_ppm = (int32_t)below(d, 11) * 100000,
                                 .phase_ms = 5000 + below(d, 60000),
                                 .idle_after_ms = below(d, 3) * 600000,
                                 .retry_ms = 2000 + below(d, 20000),
                                 .host_mbps = 1 + below(d, 5000),
                                 .turn_ms = 1 + below(d, 60000)};
}

static void draw_job(struct small *s, struct drawn *d, int i, int64_t *submit_ms, int64_t *wanted)
{
    char id[16];
    (void)snprintf(id, sizeof id, "j%d", i);
    *submit_ms += below(d, 20000);
    int64_t duration_ms = 1000 + below(d, 100000);
    int kind = (int)below(d, 6);
    struct trace_job *job = small_job_of(s, below(d, 2) == 0 ? "a" : "b", id, *submit_ms,
                                         duration_ms, kind == 0 ? 1 : TRACE_UNKNOWN);
    job->priority = (int32_t)(40 + below(d, 3) * 10 + below(d, 4) / 3 * 60);
    if (below(d, 4) == 0) {
        job->class = TRACE_BUILD;
        job->active_ppm = (int32_t)below(d, 3) * 500000;
    }
    if (kind == 0) {
        *wanted += duration_ms * 1000;
        return;
    }
    job->gpus = 1 + (below(d, 4) == 0);
    if (d->plain || kind < 4) {
        job->gpu_milli = (int32_t)(50 + below(d, 500));
        job->gpu_mem_limit_mib = below(d, 4) == 0 ? 0 : 20000 + below(d, 4000);
    } else {
        job->gpu_mem_mib = 1000 + below(d, 12000);
        job->gpu_mem_limit_mib = below(d, 4) == 0 ? 0 : job->gpu_mem_mib + below(d, 8000);
    }
    job->tasks = job->min_tasks = job->max_tasks = below(d, 5) == 0 ? 2 : 1;
    if (!d->plain && d->quota && below(d, 4) == 0)
        job->max_tasks += 2;
    *wanted += duration_ms * job->gpu_milli * job->gpus * job->tasks;
}

static int64_t draw(struct small *s, struct drawn *d)
{
    int64_t submit_ms = 0, wanted = 0;
    small_pool(s, "p", 2, 2);
    small_pool(s, "r", 1, 3);
    for (size_t i = 0; i < s->fleet.node_count; i++)
        s->fleet.nodes[i].device_mem_mib = i < 2 ? 40960 : 24576;
    small_queue(s, "a", 0)->gpu.quota = 4000;
    small_queue(s, "b", 0)->gpu.quota = 5000;
    s->silent = true;
    s->config.gpu_memory = draw_rules(d);
    s->config.seed = test_draw(&d->state);
    s->config.grace_ms = below(d, 2) * 5000;
    s->config.cycle_ms = d->quota ? 1000 : 0;
    if (below(d, 2) == 0 &&
        d->mode != MEMORY_NONE) /* unprotected tasks might never reach their next request */
        s->config.checkpoints = (struct work_checkpoints){.given = true,
                                                          .interval_ms = 30000,
                                                          .write_ms = 2000,
                                                          .restart_ms = 5000,
                                                          .on_evict = true};
    for (int i = 0; i < JOBS; i++)
        draw_job(s, d, i, &submit_ms, &wanted);
    return wanted;
}

static void draw_faults(struct small *s, struct listed *l, struct drawn *d)
{
    int64_t at_s = 0;
    for (int i = 0; i < LISTED_FAULTS; i++) {
        at_s += below(d, 60);
        enum sim_fault_effect effect = below(d, 4) == 0 ? SIM_FAULT_DRAINS : SIM_FAULT_KILLS;
        struct sim_fault *f = listed_add(s, l, at_s, effect, (uint32_t)below(d, 3),
                                         below(d, 3) * 20, 1 + below(d, 50));
        f->one_job = effect == SIM_FAULT_KILLS && below(d, 2) == 0;
    }
}

static void check_ledger(const struct ledger *l, const struct gpu_memory *g)
{
    ck_assert(l->installed - ledger_productive(l) ==
              l->down + l->reclaimed + l->drained + l->idle_no_demand + l->idle_fragmented +
                  l->idle_blocked + l->user_lost + l->preemption + l->failure + l->hung +
                  l->checkpoint + l->restart + l->hold + l->slowdown);
    ck_assert(g->waited >= 0 && g->waited <= l->hold + l->hung);
    ck_assert(g->swap_lost >= 0 && g->swap_lost <= l->slowdown);
}

static void check_stats(const struct sim_memory_stats *m, enum memory_mode mode)
{
    bool waits = mode == MEMORY_WAIT || mode == MEMORY_PRIORITY;
    ck_assert(m->collisions == 0 || mode != MEMORY_STATIC);
    ck_assert((m->waits == 0 && m->stuck_kills == 0) || waits);
    ck_assert(m->waits <= m->collisions);
    ck_assert(m->oom_kills == (mode == MEMORY_NONE ? m->collisions : 0));
    ck_assert(m->evicted_idle + m->evicted_priority == 0 || mode == MEMORY_PRIORITY);
    ck_assert(m->swapped_gb <= 0 || mode == MEMORY_SWAP);
    ck_assert(m->mean_use <= m->peak_use && m->peak_use <= 1);
}

static struct sim_memory_stats run_one(uint64_t seed, enum memory_mode mode)
{
    struct small *s = calloc(1, sizeof *s);
    struct drawn d = {.state = seed, .quota = seed % 2 == 1, .mode = mode};
    d.plain = !d.quota || below(&d, 2) == 0;
    struct ledger ledger = {0};
    struct gpu_memory lost = {0};
    struct listed l = {0};
    small_begin(s, d.quota ? "runai" : "fifo", "");
    int64_t wanted = draw(s, &d);
    if (below(&d, 2) == 0)
        draw_faults(s, &l, &d);
    small_observe(s, ledger_observer(&ledger));
    small_observe(s, gpu_memory_observer(&lost));
    ck_assert_msg(small_try(s), "seed %llu mode %d: %s", (unsigned long long)seed, mode,
                  s->err.msg);
    ck_assert_msg(s->sim->ended == JOBS, "seed %llu mode %d: %llu ended", (unsigned long long)seed,
                  mode, (unsigned long long)s->sim->ended);
    check_ledger(&ledger, &lost);
    if (d.plain && mode != MEMORY_STATIC && mode != MEMORY_SWAP)
        ck_assert_msg(ledger_productive(&ledger) == (ledger_amount)wanted,
                      "seed %llu mode %d: %.3f of %.3f", (unsigned long long)seed, mode,
                      ledger_hours(ledger_productive(&ledger)), ledger_hours(wanted));
    struct sim_memory_stats stats = sim_memory_stats(s->sim);
    check_stats(&stats, mode);
    ledger_fini(&ledger);
    small_end(s);
    free(s);
    return stats;
}

START_TEST(whatever_grows_all_jobs_end_and_the_ledger_adds_up)
{
    struct sim_memory_stats sum = {0};
    for (int seed = _i; seed < SEEDS; seed += PARTS * harness_thin())
        for (int mode = MEMORY_STATIC; mode < MEMORY_MODES; mode++) {
            struct sim_memory_stats one = run_one((uint64_t)seed, (enum memory_mode)mode);
            sum.waits += one.waits;
            sum.oom_kills += one.oom_kills;
            sum.stuck_kills += one.stuck_kills;
            sum.evicted_idle += one.evicted_idle;
            sum.evicted_priority += one.evicted_priority;
            sum.swapped_gb += one.swapped_gb;
        }
    if (harness_whole())
        ck_assert_msg(
            sum.waits > 20 && sum.oom_kills > 20 && sum.evicted_priority > 0 && sum.swapped_gb > 0,
            "%llu waits, %llu + %llu killed, %llu + %llu ended", (unsigned long long)sum.waits,
            (unsigned long long)sum.oom_kills, (unsigned long long)sum.stuck_kills,
            (unsigned long long)sum.evicted_idle, (unsigned long long)sum.evicted_priority);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("gpu_memory_random");
    TCase *tcase = tcase_create("gpu_memory_random");
    tcase_set_timeout(tcase, 0);
    tcase_add_loop_test(tcase, whatever_grows_all_jobs_end_and_the_ledger_adds_up, 0, PARTS);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
