/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Integrating the state of sites; the model is in ledger.h. */
#include "report/ledger.h"

static int64_t clip(const struct sim *sim, int64_t from, int64_t to)
{
    from = from > sim->window_start_ms ? from : sim->window_start_ms;
    to = to < sim->window_end_ms ? to : sim->window_end_ms;
    return to > from ? to - from : 0;
}

/* The thousandths of an idle amount that stood idle for want of fitting pieces. */
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
    int64_t dt = clip(sim, from, to);
    if (dt == 0)
        return;
    const struct sim_site *site = &sim->sites[id];
    int64_t idle = site->milli - site->milli_used;
    l->installed += (ledger_amount)site->milli * dt;
    l->available += (ledger_amount)site->milli * dt;
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

static void run_of(struct ledger *l, const struct sim *sim, const struct work_job *job, int64_t end,
                   bool lost)
{
    ledger_amount used = (ledger_amount)job->gpu_milli * clip(sim, job->start_ms, end);
    if (lost)
        l->user_lost += used;
    if (job->sm_util_ppm < 0)
        return;
    int64_t active = job->active_ppm < 0 ? 1000000 : job->active_ppm;
    l->sm_allocated += used;
    l->sm_weighted += used * job->sm_util_ppm / 1000000 * active;
}

static void ended(void *self, const struct sim *sim, const struct work_job *job)
{
    run_of(self, sim, job, job->end_ms, job->status == TRACE_FAILED);
}

struct sim_observer ledger_observer(struct ledger *l)
{
    return (struct sim_observer){.self = l, .interval = interval, .ended = ended};
}

void ledger_finish(struct ledger *l, const struct sim *sim)
{
    for (size_t i = 0; i < sim->work.capacity; i++)
        if (sim->work.jobs[i].state == WORK_RUNNING)
            run_of(l, sim, &sim->work.jobs[i], sim->now_ms, false);
}

double ledger_hours(ledger_amount amount)
{
    return (double)amount / (1000.0 * 3600000.0);
}
