/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulating until a job starts, in replicas; see eta.h. */
#include "sim/ask/eta.h"

#include "report/words/units.h"
#include "sim/base/mem.h"
#include "sim/base/order.h"
#include "sim/base/workers.h"
#include "sim/world/simulate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* simulated before the first look; then twice as much, and so on, */
#define FIRST_STEP_MS (INT64_C(10) * 60 * 1000)
#define LONGEST_MS    (INT64_C(400) * 86400 * 1000) /* but no longer than this */

struct replica {
    bool started;
    int64_t after_ms; /* until it started, or until the end */
};

struct work_list {
    const struct eta_question *question;
    struct replica *replicas;
};

/* ---- one replica ---- */

struct watch {
    const char *job;
    bool started;
    int64_t at_ms;
};

static void on_start(void *self, const struct sim *sim, const struct work_job *job)
{
    struct watch *watch = self;
    if (watch->started || strcmp(work_id(job), watch->job) != 0)
        return;
    watch->started = true;
    watch->at_ms = sim->now_ms;
}

/* Runs until the job has started or nothing is left to happen. */
static bool run_until_start(struct simulation *s, struct watch *watch, int64_t from_ms,
                            struct err *err)
{
    for (int64_t step = FIRST_STEP_MS; !watch->started && step < LONGEST_MS; step *= 2) {
        if (!simulation_run(s, from_ms + step, err))
            return false;
        if (!watch->started)
            watch->at_ms = s->sim->now_ms;
        if (s->sim->now_ms < from_ms + step)
            return true;
    }
    return true;
}

/* It ends before its trace does, so it would not find out that one is not sorted: all are loaded
 * and sorted. */
static bool simulate(void *self, size_t number, struct err *err)
{
    struct work_list *list = self;
    const struct eta_question *q = list->question;
    struct simulation s;
    struct watch watch = {.job = q->job};
    const struct sim_observer observer = {.self = &watch, .started = on_start};
    const struct simulation_options options = {.replica = (int)number + 1,
                                               .sort = true,
                                               .observers = &observer,
                                               .observer_count = 1,
                                               .instead = q->instead};
    int64_t now_ms = q->scenario->start.snapshot->now_ms;
    bool ok =
        simulation_open(&s, q->scenario, &options, err) && run_until_start(&s, &watch, now_ms, err);
    list->replicas[number] =
        (struct replica){.started = watch.started, .after_ms = watch.at_ms - now_ms};
    simulation_close(&s);
    return ok;
}

/* ---- all of them ---- */

bool eta_find(struct eta *eta, const struct eta_question *q, struct err *err)
{
    int count = q->scenario->replicas;
    struct work_list list = {q, mem_alloc((size_t)count, sizeof *list.replicas)};
    struct work work = {
        .count = (size_t)count, .threads = q->threads, .piece = simulate, .self = &list};
    bool ok = workers_run(&work, err);
    *eta = (struct eta){.replicas = count, .waited_ms = INT64_MAX};
    eta->after_ms = mem_alloc((size_t)count, sizeof *eta->after_ms);
    for (int i = 0; i < count && ok; i++) {
        const struct replica *r = &list.replicas[i];
        if (r->started)
            eta->after_ms[eta->started++] = r->after_ms;
        else if (r->after_ms < eta->waited_ms)
            eta->waited_ms = r->after_ms;
    }
    qsort(eta->after_ms, (size_t)eta->started, sizeof *eta->after_ms, order_i64);
    free(list.replicas);
    return ok;
}

void eta_fini(struct eta *eta)
{
    free(eta->after_ms);
    *eta = (struct eta){.after_ms = NULL};
}

bool eta_quantile(const struct eta *eta, double p, int64_t *after_ms)
{
    int rank = (int)ceil(p * eta->replicas - 1e-9);
    rank = rank < 1 ? 1 : rank;
    if (rank > eta->started)
        return false;
    *after_ms = eta->after_ms[rank - 1];
    return true;
}

/* ---- in words ---- */

const char *eta_remaining(const struct scenario *sc)
{
    static const char *const names[] = {
        [SCEN_REMAINING_KNOWN] =
            "as the snapshot knows: durations, else time limits, else estimates",
        [SCEN_REMAINING_LIMITS] = "their time limits, else estimates",
        [SCEN_REMAINING_EXPONENTIAL] = "draws of an exponential distribution",
        [SCEN_REMAINING_LOGNORMAL] = "draws of a lognormal distribution",
        [SCEN_REMAINING_TRACE] = "as long as jobs of a trace that took longer"};
    return names[sc->start.remaining];
}

static void print_time(const struct eta *eta, double p, struct out *out)
{
    char text[UNIT_TEXT];
    int64_t ms;
    bool known = eta_quantile(eta, p, &ms);
    out_format(out, "%s%s", known ? "" : "more than ",
               unit_duration(text, (double)(known ? ms : eta->waited_ms) / 1000.0));
}

void eta_print(const struct eta *eta, struct out *out)
{
    int64_t low, high;
    if (eta->started == 0) {
        char text[UNIT_TEXT];
        out_format(out, "not within %s in any of %d replicas",
                   unit_duration(text, (double)eta->waited_ms / 1000.0), eta->replicas);
        return;
    }
    out_text(out, "in ");
    print_time(eta, 0.5, out);
    bool known = eta_quantile(eta, ETA_LOW, &low) && eta_quantile(eta, ETA_HIGH, &high);
    if (known && low == high && eta->started == eta->replicas) {
        out_format(out, " (in %d replica%s)", eta->replicas, eta->replicas == 1 ? "" : "s");
        return;
    }
    out_text(out, " (median); 80 % between ");
    print_time(eta, ETA_LOW, out);
    out_text(out, " and ");
    print_time(eta, ETA_HIGH, out);
    out_format(out, " (%d replicas", eta->replicas);
    if (eta->started < eta->replicas)
        out_format(out, ", in %d of which it does not start", eta->replicas - eta->started);
    out_char(out, ')');
}

static void json_quantile(const struct eta *eta, const char *key, double p, struct json *j)
{
    int64_t ms;
    if (eta_quantile(eta, p, &ms))
        json_seconds(j, key, ms);
    else
        json_null(j, key);
}

void eta_json(const struct eta *eta, const char *key, struct json *j)
{
    json_begin_object(j, key);
    json_i64(j, "replicas", eta->replicas);
    json_i64(j, "started", eta->started);
    json_quantile(eta, "median_s", 0.5, j);
    json_quantile(eta, "low_s", ETA_LOW, j);
    json_quantile(eta, "high_s", ETA_HIGH, j);
    json_f64(j, "probability", ETA_HIGH - ETA_LOW, 2);
    if (eta->started < eta->replicas)
        json_seconds(j, "not_within_s", eta->waited_ms);
    json_end_object(j);
}
