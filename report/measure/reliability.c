/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts faults and their cost; see reliability.h. */
#include "report/measure/reliability.h"

#include "sim/base/mem.h"
#include "sim/work/request.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define AN_HOUR_MS 3600000

static bool in_window(const struct sim *sim)
{
    return sim->now_ms >= sim->window_start_ms && sim->now_ms < sim->window_end_ms;
}

static struct reliability_class *class_of(struct reliability *r, const struct sim *sim,
                                          uint32_t class)
{
    if (r->class_count < sim->config.faults.class_count) {
        r->class_count = sim->config.faults.class_count;
        r->classes = mem_alloc(r->class_count, sizeof *r->classes);
    }
    return &r->classes[class];
}

static void broke(void *self, const struct sim *sim, const struct sim_fault *f)
{
    struct reliability *r = self;
    if (!in_window(sim) || f->fresh)
        return;
    r->faults++;
    class_of(r, sim, f->class)->faults++;
    if (f->effect != SIM_FAULT_DRAINS && f->effect != SIM_FAULT_SLOWS && f->repair_ms > 0)
        r->node_failures += f->node_count;
}

/* Every attempt to repair ends with a test. */
static void repaired(void *self, const struct sim *sim, const struct sim_fault *f)
{
    struct reliability *r = self;
    if (f->burn_ins == 0)
        return;
    int64_t gpus = 0, begin_ms = sim->now_ms - f->repair_ms;
    for (uint32_t i = 0; i < f->node_count; i++)
        gpus += sim->fleet->nodes[f->nodes[i]].gpus;
    for (uint32_t test = 0; test < f->burn_ins; test++) {
        int64_t end = begin_ms + sim_fault_test_ms(f, test) + f->burn_in_ms;
        bool counts = end >= sim->window_start_ms && end < sim->window_end_ms;
        r->burn_ins += counts ? f->node_count : 0;
        r->rejected += counts && test + 1 < f->burn_ins ? f->node_count : 0;
        r->burn_in += (ledger_amount)sim_inside(sim, end - f->burn_in_ms, end) * gpus * FLEET_WHOLE;
    }
}

static void interrupted(void *self, const struct sim *sim, const struct work_job *job,
                        const struct sim_interruption *how)
{
    struct reliability *r = self;
    if (!in_window(sim))
        return;
    struct reliability_class *c = how->class == SIM_CAUSE_MEMORY    ? &r->memory
                                  : how->class == SIM_CAUSE_PLANNED ? &r->planned
                                                                    : class_of(r, sim, how->class);
    int64_t lost_ms = work_ms_of(job, how->lost_units) * WORK_IDEAL / job->hardware_ppm;
    r->interruptions++;
    c->interruptions++;
    c->lost +=
        (ledger_amount)lost_ms * job->gpu_milli + (ledger_amount)how->hung_ms * job->running_milli;
    if (!how->own)
        r->stops[waits_size_of(job->gpu_milli)]++;
}

static void submitted(void *self, const struct sim *sim, const struct work_job *job)
{
    struct reliability *r = self;
    (void)sim;
    if (job->core.i < r->job_count)
        r->jobs[job->core.i] = (struct reliability_job){0};
}

static void note_work(struct reliability *r, const struct sim *sim, const struct work_job *job,
                      const struct sim_span *span)
{
    if (job->core.i >= r->job_count)
        r->jobs = mem_extend(r->jobs, &r->job_count, sim->work.capacity, sizeof *r->jobs);
    struct reliability_job *of = &r->jobs[job->core.i];
    double work = (double)span->spent.work_ms * (double)span->speed_ppm;
    of->here += work * (double)WORK_IDEAL / (double)span->hardware_ppm;
    of->recorded += work;
}

/* Converts recorded time of the job's work to time on the nodes it ran on. */
static double time_here(const struct reliability *r, const struct work_job *job,
                        int64_t recorded_ms)
{
    const struct reliability_job *of = job->core.i < r->job_count ? &r->jobs[job->core.i] : NULL;
    return of != NULL && of->recorded > 0 ? (double)recorded_ms * (of->here / of->recorded)
                                          : (double)recorded_ms;
}

static void spent(void *self, const struct sim *sim, const struct work_job *job,
                  const struct sim_span *span)
{
    struct reliability *r = self;
    if (span->spent.work_ms > 0)
        note_work(r, sim, job, span);
    if (span->milli > 0)
        r->run_ms[waits_size_of(job->gpu_milli)] += span->spent.work_ms + span->spent.startup_ms +
                                                    span->spent.restart_ms + span->spent.write_ms;
}

/* Adds the job with its productive time to ETTR. */
static void add_job(struct reliability *r, const struct work_job *job, int64_t productive_ms,
                    int64_t until_ms)
{
    if (!job->counted || job->first_start_ms == WORK_NEVER ||
        until_ms - job->first_start_ms < AN_HOUR_MS || !work_computes((enum trace_class)job->class))
        return;
    int64_t wall_ms = until_ms - job->first_start_ms;
    double gpus = (double)job->gpu_milli / FLEET_WHOLE;
    r->productive += gpus * time_here(r, job, productive_ms);
    r->wall += gpus * (double)wall_ms;
}

static void ended(void *self, const struct sim *sim, const struct work_job *job)
{
    add_job(self, job, work_ms_of(job, job->progress.done), sim->now_ms);
}

struct sim_observer reliability_observer(struct reliability *r)
{
    return (struct sim_observer){.self = r,
                                 .submitted = submitted,
                                 .broke = broke,
                                 .repaired = repaired,
                                 .interrupted = interrupted,
                                 .spent = spent,
                                 .ended = ended};
}

void reliability_fini(struct reliability *r)
{
    free(r->classes);
    free(r->jobs);
    *r = (struct reliability){0};
}

void reliability_close(struct reliability *r, const struct sim *sim)
{
    for (size_t i = 0; i < sim->work.capacity; i++) {
        const struct work_job *job = &sim->work.jobs[i];
        if (job->state == WORK_RUNNING || job->state == WORK_PENDING)
            add_job(r, job, work_ms_of(job, job->progress.done), sim->now_ms);
    }
    if (sim->config.faults.class_count > 0)
        (void)class_of(r, sim, 0);
}

double reliability_ettr(const struct reliability *r)
{
    return r->wall > 0 ? r->productive / r->wall : (double)NAN;
}
