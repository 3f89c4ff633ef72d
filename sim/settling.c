/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Does the run still make progress? See unsettled.h. At one instant the number of decisions is
 * limited. Over time a run makes progress while an outside event is due, a job keeps running, or
 * the work that jobs would keep grows. Without any of these for twice the limit the run is in a
 * cycle.
 */
#include "sim/dependencies.h"
#include "sim/internal.h"

#include <inttypes.h>
#include <stdio.h>

/* Tasks of all running and pending jobs. */
static uint64_t live_tasks(const struct sim *sim)
{
    uint64_t tasks = 0;
    for (size_t i = 0; i < sim->work.capacity; i++) {
        const struct work_job *job = &sim->work.jobs[i];
        if (job->state == WORK_RUNNING || job->state == WORK_PENDING)
            tasks += (uint64_t)job->most_tasks;
    }
    return tasks;
}

/* An arrival, a fault, a client or the end of the window will change the decisions. */
static bool something_comes(const struct sim *sim)
{
    const struct sim_clients *clients = &sim->config.clients;
    bool ends =
        sim->window_end_ms < INT64_MAX && (!sim->config.drain || sim->config.drain_cap_ms >= 0);
    return ends || sim->has_next || sim_dependencies_next(sim) < INT64_MAX ||
           sim_next_fault(sim) < INT64_MAX ||
           (clients->self != NULL && clients->next_ms(clients->self) < INT64_MAX);
}

/* Returns true if a job has been running since then: it will end, which is progress. */
static bool some_job_stays(const struct sim *sim, int64_t since_ms)
{
    for (size_t i = 0; i < sim->work.capacity; i++) {
        const struct work_job *job = &sim->work.jobs[i];
        if (job->state == WORK_RUNNING && job->start_ms < since_ms && job->due_ms != WORK_NO_END)
            return true;
    }
    return false;
}

/* Work of all jobs that would be kept if they were stopped now. */
static int64_t kept_work(const struct sim *sim)
{
    uint64_t kept = 0;
    for (size_t i = 0; i < sim->work.capacity; i++) {
        const struct work_job *job = &sim->work.jobs[i];
        if (job->state == WORK_RUNNING || job->state == WORK_PENDING)
            kept += (uint64_t)(job->loses ? job->progress.saved : job->progress.done);
    }
    return (int64_t)kept;
}

static bool never_settles(struct sim *sim, uint64_t decisions, const char *how, struct err *err)
{
    char circle[640];
    return err_set(err, EXIT_INVARIANT,
                   "under policy '%s' decisions never settle: %" PRIu64
                   " %s, and meanwhile no job came, ended "
                   "or got any further: %s",
                   sim->config.policy.preset, decisions, how,
                   unsettled_words(sim->unsettled, sim_job_name, sim, circle, sizeof circle));
}

bool sim_settles(struct sim *sim, const struct policy_decision *d, size_t count, struct err *err)
{
    struct unsettled *u = sim->unsettled;
    if (!unsettled_decided(u, sim->now_ms, sim->submitted + sim->ended, d, count))
        return true;
    unsettled_limit(u, live_tasks(sim));
    if (unsettled_here(u))
        return never_settles(sim, u->here, "at this time", err);
    if (!unsettled_ever(u))
        return true;
    int64_t kept = kept_work(sim);
    if (u->looked && u->kept == kept && !something_comes(sim) &&
        !some_job_stays(sim, u->since_ms)) {
        char how[64];
        (void)snprintf(how, sizeof how, "that evict since %" PRId64 " ms", u->since_ms);
        return never_settles(sim, u->evicting, how, err);
    }
    unsettled_go_on(u, kept);
    return true;
}
