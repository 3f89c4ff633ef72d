/* SPDX-License-Identifier: MIT */
/*
 * What a plugin's view shows of a job beyond the state: its submission, and the service that it has
 * attained. Where the ranking (order/ranking.h) counts that as well, it counts, and is restored.
 */
#include "order/order.h"
#include "order/ranking.h"
#include "query/plugins.h"
#include "state/history.h"
#include "state/job_life.h"
#include "state/jobs.h"
#include "state/places.h"

static struct pc_plugin_job *told_of(const struct policy *p, uint32_t job)
{
    return &p->plugin->jobs[job];
}

/* ---- the service attained ---- */

static int64_t attained_by_now(const struct policy *p, uint32_t job)
{
    const struct pc_plugin_job *told = told_of(p, job);
    int64_t more = pc_times(told->rate, p->now - told->since);
    return told->attained < INT64_MAX - more ? told->attained + more : INT64_MAX;
}

/* Charges what the job held up to now; from now on it holds `milli`. */
static void hold(const struct policy *p, uint32_t job, int64_t milli)
{
    struct pc_plugin_job *told = told_of(p, job);
    told->attained = attained_by_now(p, job);
    told->rate = milli;
    told->since = p->now;
}

int64_t pc_plugin_attained(const struct policy *p, uint32_t job)
{
    return pc_ranking_of(p) != NULL ? pc_ranking_attained(p, job) : attained_by_now(p, job);
}

int64_t pc_plugin_remaining(const struct policy *p, uint32_t job)
{
    int64_t expected = told_of(p, job)->run_ms;
    if (pc_ranking_of(p) != NULL)
        return pc_ranking_remaining(p, job);
    return expected >= 0 ? expected : INT64_MAX;
}

/* ---- what happens to jobs ---- */

static bool reserve_job(struct policy *p, void *self, uint32_t job,
                        const struct policy_job_spec *spec)
{
    (void)self, (void)spec;
    return PC_GROW(&p->memory, p->plugin->jobs, p->plugin->job_capacity, job + 1);
}

static void job_added(struct policy *p, void *self, uint32_t job,
                      const struct policy_job_spec *spec)
{
    (void)self;
    *told_of(p, job) = (struct pc_plugin_job){.run_ms = spec->run_ms,
                                              .limit_ms = spec->limit_ms,
                                              .estimate_ms = spec->estimate_ms,
                                              .user = spec->user,
                                              .evicted = POLICY_NEVER,
                                              .started = POLICY_NEVER,
                                              .since = p->now};
}

static void job_started(struct policy *p, void *self, uint32_t job, policy_time since)
{
    (void)self;
    hold(p, job, pc_held_milli(&p->cluster->jobs[job]));
    if (since != POLICY_NEVER && since < p->now)
        told_of(p, job)->since = since;
}

/* When a rigid gang ends, its tasks end one by one: it counts as whole until it leaves or has
 * ended. */
static void job_resized(struct policy *p, void *self, uint32_t job)
{
    const struct pc_job *j = &p->cluster->jobs[job];
    (void)self;
    if (j->life == PC_STARTED &&
        (p->cluster->shapes[j->shape].elastic || told_of(p, job)->rate < pc_held_milli(j)))
        hold(p, job, pc_held_milli(j));
}

static void job_leaves(struct policy *p, void *self, uint32_t job)
{
    (void)self;
    hold(p, job, 0);
}

static void job_stopped(struct policy *p, void *self, uint32_t job, bool ran)
{
    (void)self;
    if (!ran) /* it attained nothing */
        told_of(p, job)->since = p->now;
    hold(p, job, 0);
}

/* ---- what a restart has to know ---- */

/* A ranking keeps a record of its own. */
static bool is_counted_here(const struct policy *p)
{
    return pc_ranking_of(p) == NULL;
}

/* Of each job what was charged, and since when it is not; POLICY_HISTORY_MODULE. */
static bool get_record(const struct policy *p, uint32_t *i, struct policy_history *h)
{
    const struct pc_cluster *c = p->cluster;
    while (*i < c->job_count && (c->jobs[*i].state == PC_FREE || told_of(p, *i)->attained == 0))
        ++*i;
    if (*i >= c->job_count)
        return false;
    h->at = p->now;
    h->job = pc_job_id(c, *i);
    h->from = told_of(p, *i)->since;
    h->attained = told_of(p, *i)->attained;
    return true;
}

static int set_record(struct policy *p, policy_time at, const struct policy_history *h)
{
    uint32_t job;
    int status = pc_history_check_job(p, h->job, &job);
    if (status != POLICY_OK)
        return status;
    if (h->attained < 0)
        return pc_refuse(p, POLICY_INVALID, "attained service", h->attained, "0 or more");
    status = pc_history_check_time(p, at, h->from);
    if (status != POLICY_OK)
        return status;
    told_of(p, job)->attained = h->attained;
    told_of(p, job)->since = h->from;
    return POLICY_OK;
}

static const struct pc_history_row record = {
    .kind = POLICY_HISTORY_MODULE,
    .is_kept = is_counted_here,
    .get = get_record,
    .set = set_record,
    .lost = "the service that jobs have attained: plugins see none"};
static const struct pc_history_row *const records[] = {&record, NULL};

const struct pc_module pc_plugin_module = {
    .name = "plugin",
    .reserve_job = reserve_job,
    .job_added = job_added,
    .job_started = job_started,
    .job_resized = job_resized,
    .job_leaves = job_leaves,
    .job_stopped = job_stopped,
    .history = records,
};
