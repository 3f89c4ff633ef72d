/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Integrating the state of sites; the model is in ledger.h. */
#include "report/measure/ledger.h"

#include "sim/base/mem.h"

#include <math.h>
#include <stdlib.h>

/* Returns the part of the useful idle GPUs that is idle because of fragmentation. */
static int64_t fragmented_part(int64_t useful, int64_t fragmented, int64_t demand)
{
    if (fragmented == 0)
        return 0;
    ledger_amount product = (ledger_amount)useful * fragmented;
    return (int64_t)(product / demand);
}

static void interval(void *self, const struct sim *sim, uint32_t id, int64_t from, int64_t to)
{
    struct ledger *l = self;
    int64_t dt = sim_inside(sim, from, to);
    if (dt == 0)
        return;
    const struct sim_site *site = &sim->sites[id];
    int64_t available = site->milli - site->milli_down - site->milli_drained;
    int64_t idle = available - site->milli_used;
    l->installed += (ledger_amount)site->milli * dt;
    l->available += (ledger_amount)available * dt;
    l->down += (ledger_amount)(site->milli_down - site->milli_reclaimed - site->milli_tested) * dt;
    l->burn_in += (ledger_amount)site->milli_tested * dt;
    l->reclaimed += (ledger_amount)site->milli_reclaimed * dt;
    l->drained += (ledger_amount)site->milli_drained * dt;
    l->allocated += (ledger_amount)site->milli_used * dt;
    int64_t demand = 0;
    int64_t fragmented = 0;
    if (idle > 0 && sim->pending > 0) {
        struct policy_backlog backlog;
        sim_backlog(sim, id, &backlog);
        for (int reason = POLICY_REASON_WAITING; reason < POLICY_REASONS; reason++)
            demand += reason == POLICY_REASON_NEVER_FITS ? 0 : backlog.gpu_milli[reason];
        fragmented = backlog.gpu_milli[POLICY_REASON_FRAGMENTED];
    }
    int64_t useful = demand < idle ? demand : idle;
    int64_t pieces = fragmented_part(useful, fragmented, demand);
    l->idle_no_demand += (ledger_amount)(idle - useful) * dt;
    l->idle_fragmented += (ledger_amount)pieces * dt;
    l->idle_blocked += (ledger_amount)(useful - pieces) * dt;
}

static struct ledger_job *job_of(struct ledger *l, const struct sim *sim,
                                 const struct work_job *job)
{
    if (job->core.i >= l->job_count)
        l->jobs = mem_extend(l->jobs, &l->job_count, sim->work.capacity, sizeof *l->jobs);
    return &l->jobs[job->core.i];
}

/* Jobs that can neither fail nor lose work are not tracked. */
static bool can_lose(const struct work_job *job)
{
    return job->loses || job->corrupt || job->status == TRACE_FAILED;
}

/* A GPU-hour of an elastic job counts by how its model scales with the number of tasks. */
static struct ledger_worth worth(const struct work_job *job, const struct sim_span *span,
                                 int64_t ms)
{
    ledger_amount amount = (ledger_amount)span->milli * ms;
    struct ledger_worth worth = {amount, amount};
    if (span->speed_ppm != span->hardware_ppm)
        worth.time = amount * span->speed_ppm / span->hardware_ppm;
    if (span->speed_ppm != WORK_IDEAL)
        worth.work = amount * span->speed_ppm / WORK_IDEAL;
    if (job->scaling_ppm != WORK_IDEAL)
        worth.work = worth.work * job->scaling_ppm / WORK_IDEAL;
    return worth;
}

static void add(struct ledger_worth *sum, struct ledger_worth worth, int sign)
{
    sum->time += sign * worth.time;
    sum->work += sign * worth.work;
}

/* Moves time from productive to a loss. */
static void lose(struct ledger *l, ledger_amount *loss, struct ledger_worth worth)
{
    *loss += worth.time;
    l->work_lost += worth.work;
}

static void note_work(struct ledger_job *of, const struct work_job *job,
                      const struct sim_span *span)
{
    const struct work_spent *s = &span->spent;
    struct ledger_worth unsafe = worth(job, span, s->saved ? s->unsafe_ms : s->work_ms);
    if (s->saved) {
        struct ledger_worth kept = s->before ? of->fresh : (struct ledger_worth){0};
        struct ledger_worth *saved = job->corrupt ? &of->corrupt : &of->safe;
        add(saved, of->at_risk, 1);
        add(saved, kept, -1);
        add(saved, worth(job, span, s->work_ms), 1);
        add(saved, unsafe, -1);
        of->at_risk = kept;
    }
    add(&of->at_risk, unsafe, 1);
    if (s->begun)
        of->fresh = (struct ledger_worth){0};
    add(&of->fresh, worth(job, span, s->fresh_ms), 1);
}

static void spent(void *self, const struct sim *sim, const struct work_job *job,
                  const struct sim_span *span)
{
    struct ledger *l = self;
    const struct work_spent *s = &span->spent;
    ledger_amount milli = span->milli;
    if (can_lose(job))
        note_work(job_of(l, sim, job), job, span);
    struct ledger_worth done = worth(job, span, s->work_ms);
    l->slowdown += milli * s->work_ms - done.time;
    l->work += done.work;
    if (s->startup_ms != 0 || s->restart_ms != 0 || s->write_ms != 0 || s->still_ms != 0) {
        l->startup += milli * s->startup_ms;
        l->restart += milli * s->restart_ms;
        l->checkpoint += milli * s->write_ms;
        *(job->hung ? &l->hung : &l->hold) += milli * s->still_ms;
    }
    if (!work_tells_use(job))
        return;
    l->sm_allocated +=
        milli * (s->work_ms + s->startup_ms + s->restart_ms + s->write_ms + s->still_ms);
    l->sm_weighted += milli * s->work_ms * work_use(job) / WORK_IDEAL;
}

static void evicted(void *self, const struct sim *sim, const struct work_job *job,
                    const struct sim_eviction *how)
{
    struct ledger *l = self;
    if (!how->stopped || !can_lose(job))
        return;
    struct ledger_job *of = job_of(l, sim, job);
    if (how->kept)
        add(job->corrupt ? &of->corrupt : &of->safe, of->at_risk, 1);
    else
        lose(l, &l->preemption, of->at_risk);
    of->at_risk = of->fresh = (struct ledger_worth){0};
}

static void interrupted(void *self, const struct sim *sim, const struct work_job *job,
                        const struct sim_interruption *how)
{
    struct ledger *l = self;
    if ((!can_lose(job) && !how->corrupt) || how->own) /* lost when the job ends */
        return;
    struct ledger_job *of = job_of(l, sim, job);
    bool kept = how->kept && !how->corrupt;
    if (kept)
        add(&of->safe, of->at_risk, 1);
    else
        lose(l, &l->failure, of->at_risk);
    lose(l, &l->failure, of->corrupt);
    of->at_risk = of->fresh = of->corrupt = (struct ledger_worth){0};
}

static void ended(void *self, const struct sim *sim, const struct work_job *job)
{
    struct ledger *l = self;
    (void)sim;
    if (job->core.i >= l->job_count) /* nor could it lose work before a limit or a rung ended it */
        return;
    struct ledger_job *of = &l->jobs[job->core.i];
    if (job->status == TRACE_FAILED) {
        lose(l, &l->user_lost, of->safe);
        lose(l, &l->user_lost, of->at_risk);
        lose(l, &l->user_lost, of->corrupt);
    }
    *of = (struct ledger_job){0};
}

struct sim_observer ledger_observer(struct ledger *l)
{
    return (struct sim_observer){.self = l,
                                 .interval = interval,
                                 .spent = spent,
                                 .evicted = evicted,
                                 .interrupted = interrupted,
                                 .ended = ended};
}

void ledger_fini(struct ledger *l)
{
    free(l->jobs);
    l->jobs = NULL;
    l->job_count = 0;
}

ledger_amount ledger_running(const struct ledger *l)
{
    return l->allocated - l->restart - l->startup - l->hold;
}

ledger_amount ledger_productive(const struct ledger *l)
{
    return ledger_running(l) - l->hung - l->checkpoint - l->preemption - l->failure - l->user_lost -
           l->slowdown;
}

ledger_amount ledger_work(const struct ledger *l)
{
    return l->work - l->work_lost;
}

double ledger_mean_slowdown(const struct ledger *l)
{
    ledger_amount worked = ledger_running(l) - l->hung - l->checkpoint;
    ledger_amount ideal = worked - l->slowdown;
    return ideal > 0 ? (double)worked / (double)ideal : (double)NAN;
}

double ledger_hours(ledger_amount amount)
{
    return (double)amount / (1000.0 * 3600000.0);
}
