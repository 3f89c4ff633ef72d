/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Services in the real simulator: hand-made loads by arithmetic, then random ones among jobs and
 * faults against second-by-second sums. */
#include "report/measure/ledger.h"
#include "sim/services.h"
#include "tests/sim/listed.h"

#define YEARS_100 (INT64_C(100) * 365 * 24 * 3600 * 1000)

/* A service of 10 requests a second and one device per replica, which evaluates every 15 s and
 * starts up in a minute. */
static struct service_spec spec_of(const char *name, const struct load_row *rows, size_t count)
{
    struct service_spec spec = {.name = name,
                                .rule = {.min = 0,
                                         .max = 100,
                                         .replica_milli = 10000,
                                         .interval_ms = 15000,
                                         .down_after_ms = 300000},
                                .startup_ms = 60000,
                                .requests = {.limit = 0, .within_ms = -1},
                                .late_ppm = -1};
    trace_job_init(&spec.replica);
    spec.replica.class = TRACE_INFERENCE;
    spec.replica.duration_ms = YEARS_100;
    spec.replica.gpus = 1;
    load_given(&spec.load, rows, count);
    return spec;
}

/* A fleet of one node with `gpus` devices for until_s seconds, the first `warmup_s` of which do not
 * count. */
static struct services *begin(struct small *s, const char *preset, int gpus,
                              const struct service_spec *spec, int64_t warmup_s, int64_t until_s)
{
    small_begin(s, preset, "");
    (void)small_pool(s, "n", 1, gpus);
    small_queue(s, "default", 0)->gpu.quota =
        8000;                          /* replicas are not preempted: they need a quota */
    small_job(s, "first", 0, 1000, 1); /* a trace has a job */
    s->config.horizon_ms = until_s * 1000;
    s->config.warmup_ms = warmup_s * 1000;
    struct services *services = services_create(spec, 1, warmup_s * 1000, until_s * 1000);
    s->config.clients = services_clients(services);
    small_observe(s, services_observer(services));
    return services;
}

static void end(struct small *s, struct services *services)
{
    small_end(s);
    services_destroy(services);
}

static double requests(load_sum sum)
{
    return (double)sum / 1e6;
}

static double over(const struct services *services)
{
    return requests(services->list[0].sums.offered - services->list[0].requests.sums.served);
}

/* ---- by arithmetic ---- */

static const struct load_row up[] = {
    {0, 10000},
    {600000, 30000},
};

/* From 10 to 30 requests a second: for a minute, requests arrive at the new rate before the two new
 * replicas are ready. */
START_TEST(a_step_costs_one_cold_start)
{
    struct small s;
    struct service_spec spec = spec_of("chat", up, 2);
    struct services *services = begin(&s, _i == 0 ? "fifo" : "runai", 8, &spec, 300, 1800);
    small_run(&s);
    const struct service_sums *sums = &services->list[0].sums;
    ck_assert_double_eq_tol(over(services), 60 * 20, 1e-9);
    ck_assert_double_eq_tol(requests(sums->offered), 300 * 10 + 1200 * 30, 1e-9);
    ck_assert(sums->held_ms == 300000 + 3 * 1200000);
    ck_assert(sums->ready_ms == 300000 + 1200000 + 2 * 1140000);
    ck_assert_uint_eq(sums->cold_starts, 2); /* the first one was before the window */
    ck_assert_uint_eq(sums->wait_count, 2);
    ck_assert_int_eq(sums->waits_ms[0], 60000);
    ck_assert_int_eq(sums->peak, 3);
    /* All ended with the window, and replicas do not count as jobs. */
    ck_assert_int_eq(s.sim->now_ms, 1800000);
    ck_assert_uint_eq(s.sim->ended, 4);
    ck_assert_uint_eq(s.sim->running + s.sim->pending, 0);
    end(&s, services);
}
END_TEST

/* Between two intervals: at 615 the autoscaler sees what arrived at 605. */
START_TEST(it_is_seen_at_the_next_interval)
{
    static const struct load_row later[] = {
        {0, 10000},
        {605000, 30000},
    };
    struct small s;
    struct service_spec spec = spec_of("chat", later, 2);
    struct services *services = begin(&s, "fifo", 8, &spec, 300, 1800);
    small_run(&s);
    ck_assert_double_eq_tol(over(services), 70 * 20, 1e-9);
    end(&s, services);
}
END_TEST

/* Two models of 60 MB at 1 MB/s together, then 5 s until their engines run; a service's own value
 * has precedence. */
START_TEST(models_that_are_loaded_together_take_longer)
{
    struct small s;
    struct service_spec spec = spec_of("chat", up, 2);
    spec.startup_ms = _i == 0 ? -1 : 40000;
    int64_t takes_s = _i == 0 ? 125 : 40;
    struct services *services = begin(&s, "fifo", 8, &spec, 300, 1800);
    s.config.storage =
        (struct sim_storage_rules){.on = true, .read = 1000000, .load_bytes = 60000000};
    s.config.startup = (struct work_startup){.classes = 1 << TRACE_INFERENCE, .engine_ms = 5000};
    small_run(&s);
    const struct service_sums *sums = &services->list[0].sums;
    ck_assert_double_eq_tol(over(services), (double)takes_s * 20, 1e-9);
    ck_assert(sums->ready_ms == 300000 + 1200000 + 2 * (1200 - takes_s) * 1000);
    ck_assert_uint_eq(sums->wait_count, 2);
    ck_assert_int_eq(sums->waits_ms[0], takes_s * 1000);
    ck_assert_int_eq(sums->waits_ms[1], takes_s * 1000);
    end(&s, services);
}
END_TEST

/* Before the window there were 3 replicas, inside it one. */
START_TEST(the_peak_is_that_of_the_window)
{
    static const struct load_row down[] = {
        {0, 30000},
        {300000, 10000},
    };
    struct small s;
    struct service_spec spec = spec_of("chat", down, 2);
    struct services *services = begin(&s, "fifo", 8, &spec, 900, 1800);
    small_run(&s);
    ck_assert_int_eq(services->list[0].sums.peak, 1);
    end(&s, services);
}
END_TEST

/* With 50 % headroom there are two for 10, and five for 30. */
START_TEST(headroom_is_served_from)
{
    struct small s;
    struct service_spec spec = spec_of("chat", up, 2);
    spec.rule.headroom_ppm = 500000;
    struct services *services = begin(&s, "fifo", 8, &spec, 300, 1800);
    small_run(&s);
    ck_assert_double_eq_tol(over(services), 60 * 10, 1e-9);
    ck_assert_int_eq(services->list[0].sums.peak, 5);
    end(&s, services);
}
END_TEST

/* From 30 to 10 at 600: two replicas stay for five more minutes; the newest ones go, the first
 * stays. */
START_TEST(it_shrinks_late)
{
    static const struct load_row down[] = {
        {0, 30000},
        {600000, 10000},
    };
    struct small s;
    struct service_spec spec = spec_of("chat", down, 2);
    struct services *services = begin(&s, "fifo", 8, &spec, 300, 1800);
    small_run(&s);
    ck_assert_double_eq_tol(over(services), 0, 1e-9);
    ck_assert(services->list[0].sums.held_ms == 3 * 600000 + 900000);
    ck_assert_ptr_nonnull(strstr(s.log, "end chat/2 900; end chat/1 900; end chat/0 1800; "));
    end(&s, services);
}
END_TEST

/* Two devices for three replicas: one is pending. It is the first to go, and never started. */
START_TEST(a_full_fleet_serves_what_it_can)
{
    static const struct load_row steps[] = {
        {0, 30000},
        {600000, 20000},
    };
    struct small s;
    struct ledger ledger = {0};
    struct service_spec spec = spec_of("chat", steps, 2);
    spec.rule.down_after_ms = 0;
    struct services *services = begin(&s, _i == 0 ? "fifo" : "runai", 2, &spec, 300, 1800);
    small_observe(&s, ledger_observer(&ledger));
    small_run(&s);
    ck_assert_double_eq_tol(over(services), 300 * 10, 1e-9);
    ck_assert_ptr_nonnull(strstr(s.log, "end chat/2 600; "));
    ck_assert_ptr_null(strstr(s.log, "start chat/2"));
    ck_assert(ledger.allocated == (ledger_amount)2 * 1500 * 1000000);
    ck_assert(ledger.idle_blocked + ledger.idle_fragmented + ledger.idle_no_demand == 0);
    ledger_fini(&ledger);
    end(&s, services);
}
END_TEST

/* Its node breaks at 600 for 100 s: it returns at 700, and serves again a minute later. */
START_TEST(interrupted_jobs_start_up_again)
{
    struct small s;
    struct listed l = {0};
    static const struct load_row flat = {0, 10000};
    struct service_spec spec = spec_of("chat", &flat, 1);
    struct services *services = begin(&s, "fifo", 8, &spec, 300, 1800);
    (void)listed_add(&s, &l, 600, SIM_FAULT_KILLS, 0, 0, 100);
    small_run(&s);
    ck_assert_double_eq_tol(over(services), 160 * 10, 1e-9);
    ck_assert_uint_eq(services->list[0].sums.cold_starts, 1);
    ck_assert_uint_eq(services->list[0].sums.wait_count, 0); /* it was ready before */
    ck_assert(services->list[0].sums.held_ms == 1400000);
    end(&s, services);
}
END_TEST

/*
 * Every 20 minutes, 5 minutes of 40 instead of 10. An autoscaler with memory has all replicas ready
 * for the second and third peak; the other one must start three again each time.
 */
START_TEST(a_forecast_is_ready_in_time)
{
    struct load_row peaks[6];
    for (int i = 0; i < 3; i++) {
        peaks[2 * i] = (struct load_row){i * 1200000, 10000};
        peaks[2 * i + 1] = (struct load_row){i * 1200000 + 600000, 40000};
    }
    struct small s;
    struct service_spec spec = spec_of("chat", peaks, 6);
    spec.rule.predictive = _i == 1;
    spec.rule.down_after_ms = 0;
    spec.rule.lead_ms = 75000;
    spec.rule.season_ms = 1200000;
    spec.rule.trend_ms = 600000;
    struct services *services = begin(&s, "fifo", 8, &spec, 60, 3600);
    small_run(&s);
    ck_assert_double_eq_tol(over(services), (_i == 1 ? 1 : 3) * 60 * 30, 1e-9);
    ck_assert(services->list[0].sums.held_ms == 3540000 + (_i == 1 ? 1 : 3) * 3 * INT64_C(600000) +
                                                    (_i == 1 ? 2 * 3 * INT64_C(675000) : 0));
    end(&s, services);
}
END_TEST

/* ---- jobs of the trace ---- */

struct asked {
    uint64_t jobs[8];
    size_t count;
};

static int64_t ask(void *self, uint64_t job)
{
    struct asked *asked = self;
    asked->jobs[asked->count++ % 8] = job;
    return INT64_MAX;
}

static int64_t no_fault(void *self)
{
    (void)self;
    return INT64_MAX;
}

/* Replicas are submitted before and between jobs: the random behaviour of jobs is keyed by their
 * rows, whatever else there is. */
START_TEST(chance_knows_jobs_by_their_rows)
{
    static const char *const classes[] = {"user"};
    struct small s;
    struct asked asked = {.count = 0};
    struct service_spec spec = spec_of("chat", up, 2);
    struct services *services = begin(&s, "fifo", 8, &spec, 0, 1800);
    small_job(&s, "second", 300000, 1000, 1);
    small_job(&s, "third", 900000, 1000, 1);
    s.config.faults = (struct sim_faults){.self = &asked,
                                          .next_ms = no_fault,
                                          .classes = classes,
                                          .class_count = 1,
                                          .user_after_ms = ask};
    small_run(&s);
    ck_assert_uint_eq(s.sim->submitted, 6);
    ck_assert_uint_eq(asked.count, 3);
    for (size_t i = 0; i < 3; i++)
        ck_assert_uint_eq(asked.jobs[i], i);
    end(&s, services);
}
END_TEST

/* ---- random loads ---- */

struct twin {
    const struct load *load;
    int64_t from_ms, until_ms, served, offered; /* thousandths of requests */
    int64_t held, ready;
};

/* The state applies to the second that begins. */
static void tick(void *self, const struct sim *sim, int64_t at_ms)
{
    struct twin *t = self;
    int64_t ready = 0, held = 0;
    if (at_ms < t->from_ms || at_ms >= t->until_ms)
        return;
    for (size_t i = 0; i < sim->work.capacity; i++) {
        const struct work_job *job = &sim->work.jobs[i];
        bool runs = job->state == WORK_RUNNING && job->running > 0 && job->client;
        held += runs;
        ready += runs && (!work_progress_launches(&job->progress) ||
                          work_progress_launched(&job->progress) <= at_ms);
    }
    int64_t rate = load_at(t->load, at_ms);
    t->offered += rate;
    t->served += rate < ready * 10000 ? rate : ready * 10000;
    t->held += held;
    t->ready += ready;
}

/* All events are at whole seconds. */
START_TEST(sums_are_those_of_every_second)
{
    uint64_t r = (uint64_t)_i;
    struct small *s = calloc(1, sizeof *s);
    struct listed l = {0};
    struct ledger ledger = {0};
    struct load_row rows[30];
    for (int i = 0; i < 30; i++)
        rows[i] = (struct load_row){i * 60000 + (i > 0 ? small_below(&r, 59) * 1000 : 0),
                                    small_below(&r, 100) * 1000};
    struct service_spec spec = spec_of("chat", rows, 30);
    spec.startup_ms = small_below(&r, 3) * 20000;
    spec.rule.interval_ms = 1000 + small_below(&r, 30) * 1000;
    spec.rule.down_after_ms = small_below(&r, 120) * 1000;
    spec.rule.headroom_ppm = small_below(&r, 3) * 100000;
    spec.rule.predictive = _i % 3 == 0;
    spec.rule.lead_ms = 60000;
    spec.rule.season_ms = 600000;
    spec.rule.trend_ms = 120000;
    spec.replica.preemptible = _i % 4 == 0;
    small_begin(s, _i % 2 == 0 ? "runai" : "fifo", "");
    s->silent = true;
    (void)small_pool(s, "n", 3, 4);
    small_queue(s, "default", 0)->gpu.quota = 4000;
    small_queue(s, "x", 0)->gpu.quota = 8000;
    for (int64_t i = 0, at = 0; i < 40; i++, at += small_below(&r, 80)) {
        static const int64_t sizes[] = {1, 2, 4, 8};
        char id[8];
        (void)snprintf(id, sizeof id, "j%d", (int)i);
        small_job_of(s, "x", id, at * 1000, (1 + small_below(&r, 200)) * 1000,
                     sizes[small_below(&r, 4)]);
    }
    for (int64_t i = 0, at = 1; i < 12; i++, at += 1 + small_below(&r, 300)) {
        struct sim_fault *f =
            listed_add(s, &l, at, small_below(&r, 2) == 0 ? SIM_FAULT_KILLS : SIM_FAULT_DRAINS,
                       (uint32_t)small_below(&r, 3), 0, small_below(&r, 90));
        f->reclaims = f->effect == SIM_FAULT_DRAINS && f->repair_ms > 0;
    }
    s->config.checkpoints = (struct work_checkpoints){.given = true,
                                                      .interval_ms = 20000,
                                                      .write_ms = 2000,
                                                      .restart_ms = 7000,
                                                      .on_evict = true};
    s->config.grace_ms = small_below(&r, 2) * 5000;
    s->config.horizon_ms = 1800000;
    s->config.tick_ms = 1000;
    struct services *services = services_create(&spec, 1, 0, 1800000);
    struct twin twin = {.load = &services->list[0].spec.load, .until_ms = 1800000};
    s->config.clients = services_clients(services);
    small_observe(s, services_observer(services));
    small_observe(s, ledger_observer(&ledger));
    small_observe(s, (struct sim_observer){.self = &twin, .tick = tick});
    ck_assert_msg(small_try(s), "%d: %s", _i, s->err.msg);
    const struct service_sums *sums = &services->list[0].sums;
    ck_assert_int_eq((int64_t)(sums->offered / 1000), twin.offered);
    load_sum served = services->list[0].requests.sums.served;
    ck_assert_msg(served == (load_sum)twin.served * 1000, "%d: %.3f served, expected %.3f", _i,
                  requests(served), (double)twin.served / 1000);
    ck_assert_int_eq((int64_t)sums->held_ms, twin.held * 1000);
    ck_assert_int_eq((int64_t)sums->ready_ms, twin.ready * 1000);
    ck_assert_uint_eq(s->sim->running + s->sim->pending, 0);
    ck_assert_uint_eq(services->list[0].count, 0);
    ck_assert(ledger.installed - ledger_productive(&ledger) ==
              ledger.down + ledger.reclaimed + ledger.drained + ledger.idle_no_demand +
                  ledger.idle_fragmented + ledger.idle_blocked + ledger.user_lost +
                  ledger.preemption + ledger.failure + ledger.hung + ledger.checkpoint +
                  ledger.restart + ledger.startup + ledger.hold + ledger.slowdown);
    ledger_fini(&ledger);
    end(s, services);
    free(s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("services");
    TCase *tcase = tcase_create("services");
    tcase_set_timeout(tcase, 0);
    tcase_add_loop_test(tcase, a_step_costs_one_cold_start, 0, 2);
    tcase_add_test(tcase, it_is_seen_at_the_next_interval);
    tcase_add_loop_test(tcase, models_that_are_loaded_together_take_longer, 0, 2);
    tcase_add_test(tcase, the_peak_is_that_of_the_window);
    tcase_add_test(tcase, chance_knows_jobs_by_their_rows);
    tcase_add_test(tcase, headroom_is_served_from);
    tcase_add_test(tcase, it_shrinks_late);
    tcase_add_loop_test(tcase, a_full_fleet_serves_what_it_can, 0, 2);
    tcase_add_test(tcase, interrupted_jobs_start_up_again);
    tcase_add_loop_test(tcase, a_forecast_is_ready_in_time, 0, 2);
    tcase_add_loop_test(tcase, sums_are_those_of_every_second, 0, harness_repeats(120));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
