/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulating the log and watching its starts; see run.h. */
#include "sim/calibrate/run.h"

#include "sim/base/mem.h"
#include "sim/calibrate/figures.h"
#include "sim/program/signals.h"
#include "sim/study/run_one.h"

#include <stdlib.h>
#include <string.h>

/* ---- watching ---- */

static void begin(void *self)
{
    struct calibrate *c = self;
    for (size_t i = 0; i < c->log.job_count; i++)
        c->log.jobs[i].simulated_ms = CALIBRATE_NEVER;
    for (size_t i = 0; i < c->hours.count; i++)
        c->hours.hours[i].simulated = 0;
}

static struct calibrate_job *job_of(struct calibrate *c, const struct work_job *job)
{
    const char *id = work_id(job);
    uint32_t number = job->client ? SYMBOL_NONE : symbols_find(c->log.ids, id, strlen(id));
    return number == SYMBOL_NONE ? NULL : &c->log.jobs[number];
}

static void submitted(void *self, const struct sim *sim, const struct work_job *job)
{
    struct calibrate_job *mine = job_of(self, job);
    (void)sim;
    if (mine == NULL)
        return;
    mine->counted = job->counted;
    mine->class = job->class;
}

static void started(void *self, const struct sim *sim, const struct work_job *job)
{
    struct calibrate_job *mine = job_of(self, job);
    if (mine == NULL || mine->simulated_ms != CALIBRATE_NEVER)
        return;
    mine->simulated_ms = sim->now_ms - job->eligible_ms;
    mine->simulated_start_ms = sim->now_ms;
}

static void interval(void *self, const struct sim *sim, uint32_t site, int64_t from, int64_t to)
{
    struct calibrate *c = self;
    calibrate_hours_simulated(&c->hours, sim->sites[site].milli_used, from, to);
}

static void finish(void *self, const struct simulation *simulation)
{
    struct calibrate *c = self;
    const struct sim *sim = simulation->sim;
    int64_t milli = 0;
    for (size_t i = 0; i < sim->site_count; i++)
        milli += sim->sites[i].milli;
    c->use.installed = (double)milli / 1000;
}

/* ---- the run ---- */

/* The full hours of the window, from the first job that counts to the last arrival. */
static void open_hours(struct calibrate *c, const struct scenario *sc)
{
    int64_t first = INT64_MAX, last = INT64_MIN;
    for (size_t i = 0; i < c->log.job_count; i++) {
        int64_t at = c->log.jobs[i].eligible_ms;
        first = at < first ? at : first;
        last = at > last ? at : last;
    }
    first += sc->window.warmup_ms > 0 ? sc->window.warmup_ms : 0;
    int64_t horizon = sc->window.horizon_ms;
    if (horizon > 0 && last - first > horizon)
        last = first + horizon;
    c->hours.from_ms = first;
    c->hours.count = last > first ? (size_t)((last - first) / CALIBRATE_HOUR) : 0;
    c->hours.hours = mem_alloc(c->hours.count + 1, sizeof *c->hours.hours);
    for (size_t i = 0; i < c->log.job_count; i++)
        calibrate_hours_recorded(&c->hours, c->log.jobs[i].gpu_milli, c->log.jobs[i].start_ms,
                                 c->log.jobs[i].end_ms);
}

static bool simulate(struct calibrate *c, const struct scenario *sc, struct progress *progress,
                     struct err *err)
{
    const struct run_watch watch = {
        .self = c,
        .begin = begin,
        .observer = {.self = c, .interval = interval, .submitted = submitted, .started = started},
        .finish = finish};
    struct out *summary = out_memory();
    struct run_one one = {
        .scenario = sc, .summary = summary, .replica = 1, .watch = &watch, .progress = progress};
    bool ok = run_one(&one, err);
    out_discard(summary);
    if (ok && one.interrupted)
        ok = err_set(err, 128 + cli_interrupted(), "interrupted");
    return ok;
}

bool calibrate_run(struct calibrate *c, const struct scenario *sc, struct progress *progress,
                   struct err *err)
{
    *c = (struct calibrate){.queues = NULL};
    if (!calibrate_log_read(&c->log, sc, err))
        return false;
    open_hours(c, sc);
    if (!simulate(c, sc, progress, err))
        return false;
    calibrate_figures(c);
    return c->all.jobs > 0 ||
           err_set(err, EXIT_UNDECIDED,
                   "no job of the log that counts started in the simulation: see what 'fauxfleet "
                   "run' says of it");
}

void calibrate_fini(struct calibrate *c)
{
    calibrate_log_fini(&c->log);
    free(c->hours.hours);
    free(c->queues);
}
