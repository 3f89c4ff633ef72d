/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Applies planned changes during the run, and reports those of queues to the core; pools are in
 * planned_nodes.c. */
#include "sim/internal.h"

#include "sim/base/mem.h"
#include "sim/base/week.h"

#include <stdlib.h>
#include <string.h>

struct sim_planned {
    int64_t (*base)[SIM_TERMS]; /* terms of each queue, as configured */
    int64_t **quotas;           /* its quotas by pool, likewise; NULL: none */
    size_t count, capacity, quota_capacity;
    int64_t next_ms; /* of the next change; INT64_MAX none */
    int64_t busy_ms; /* last time at which a job was running or still to come */
    bool pools;      /* nodes come and go, too */
};

/* ---- terms ---- */

static void read_terms(const struct sim_queue *q, int64_t terms[SIM_TERMS])
{
    const struct policy_share *shares[] = {&q->gpu, &q->cpu, &q->mem};
    terms[SIM_TERM_PRIORITY] = q->priority;
    terms[SIM_TERM_SUSPENDED] = q->suspended;
    for (int r = 0; r < 3; r++) {
        terms[SIM_TERM_GPU_QUOTA + 3 * r] = shares[r]->quota;
        terms[SIM_TERM_GPU_LIMIT + 3 * r] = shares[r]->limit;
        terms[SIM_TERM_GPU_WEIGHT + 3 * r] = shares[r]->weight;
    }
}

static int64_t *pool_quotas_of(const struct sim_queue *q)
{
    int64_t *quotas = q->by_pool_count > 0 ? mem_alloc(q->by_pool_count, sizeof *quotas) : NULL;
    for (uint32_t i = 0; i < q->by_pool_count; i++)
        quotas[i] = q->by_pool[i].quota;
    return quotas;
}

static void write_terms(struct sim_queue *q, const int64_t terms[SIM_TERMS])
{
    struct policy_share *shares[] = {&q->gpu, &q->cpu, &q->mem};
    q->priority = (int)terms[SIM_TERM_PRIORITY];
    q->suspended = terms[SIM_TERM_SUSPENDED] != 0;
    for (int r = 0; r < 3; r++)
        *shares[r] = (struct policy_share){.quota = terms[SIM_TERM_GPU_QUOTA + 3 * r],
                                           .limit = terms[SIM_TERM_GPU_LIMIT + 3 * r],
                                           .weight = terms[SIM_TERM_GPU_WEIGHT + 3 * r]};
}

static bool is_below(const struct sim *sim, uint32_t queue, uint32_t above)
{
    int64_t at = queue;
    while (at >= 0 && at != above)
        at = sim->queues[at].parent;
    return at == above;
}

/* Running jobs may exceed the new terms; the auditor treats them as part of the initial state. */
static void accept_running(struct sim *sim, uint32_t id)
{
    for (size_t i = 0; i < sim->work.capacity; i++) {
        const struct work_job *job = &sim->work.jobs[i];
        if (job->state != WORK_RUNNING || !is_below(sim, job->queue, id))
            continue;
        for (uint32_t t = job->first_task; t != WORK_NONE; t = sim->work.tasks[t].next)
            sim->work.tasks[t].found = true;
    }
}

/* Sets the quotas by pool in force, and their sum; returns true if one differs from before. */
static bool bring_pools(struct sim *sim, uint32_t id, int64_t terms[SIM_TERMS])
{
    struct sim_queue *queue = &sim->queues[id];
    const struct sim_config *config = &sim->config;
    int64_t quota = 0, sum = 0;
    bool changed = false;
    for (uint32_t i = 0; i < queue->by_pool_count; i++) {
        if (!queue->by_pool[i].joined) {
            quota =
                sim_changes_pool(config->changes, config->change_count, queue->name,
                                 sim->first_submit_ms, sim->now_ms, i, sim->planned->quotas[id][i]);
            sum += quota;
        }
        changed |= queue->by_pool[i].quota != quota;
        queue->by_pool[i].quota = quota;
    }
    if (queue->by_pool_count > 0)
        terms[SIM_TERM_GPU_QUOTA] = sum;
    return changed;
}

/* Sets a queue to the terms in force; *changed is set if they differ from before. */
static bool bring(struct sim *sim, uint32_t id, bool *changed)
{
    struct sim_queue *queue = &sim->queues[id];
    const struct sim_config *config = &sim->config;
    int64_t before[SIM_TERMS], terms[SIM_TERMS];
    read_terms(queue, before);
    memcpy(terms, sim->planned->base[id], sizeof terms);
    sim_changes_apply(config->changes, config->change_count, queue->name, sim->first_submit_ms,
                      sim->now_ms, terms);
    *changed = bring_pools(sim, id, terms);
    *changed |= memcmp(before, terms, sizeof terms) != 0;
    if (*changed) {
        sim_touch(sim, queue->site);
        sim_alter(sim, id);
        write_terms(queue, terms);
        accept_running(sim, id);
    }
    return *changed;
}

/* ---- the run ---- */

void sim_planned_queue(struct sim *sim, uint32_t id)
{
    bool changed;
    if (sim->config.change_count == 0)
        return;
    if (sim->planned == NULL) {
        sim->planned = mem_alloc(1, sizeof *sim->planned);
        sim->planned->next_ms = INT64_MAX;
    }
    struct sim_planned *p = sim->planned;
    p->base = mem_grow(p->base, &p->capacity, p->count + 1, sizeof *p->base);
    p->quotas = mem_grow(p->quotas, &p->quota_capacity, p->count + 1, sizeof *p->quotas);
    p->quotas[p->count] = pool_quotas_of(&sim->queues[id]);
    read_terms(&sim->queues[id], p->base[p->count++]);
    if (sim->first_submit_ms != INT64_MIN) /* it was created by a job of the trace */
        (void)bring(sim, id, &changed);
}

static void find_next(struct sim *sim)
{
    sim->planned->next_ms = INT64_MAX;
    for (size_t i = 0; i < sim->config.change_count; i++) {
        int64_t next = sim_change_next(&sim->config.changes[i], sim->first_submit_ms, sim->now_ms);
        if (next < sim->planned->next_ms)
            sim->planned->next_ms = next;
    }
}

static bool check_dates(const struct sim *sim, struct err *err)
{
    for (size_t i = 0; i < sim->config.change_count; i++) {
        const struct sim_change *c = &sim->config.changes[i];
        bool dated = c->at.kind == SIM_ON_DATE || (c->ends && c->until.kind == SIM_ON_DATE);
        if (dated && sim->first_submit_ms < SIM_CLOCK_HAS_DATE)
            return err_set(err, EXIT_INPUT,
                           "%s: a date means nothing here: the times of the trace do not count "
                           "from 1970 (use a time of the run, such as \"2d\"%s)",
                           c->where, c->reserved ? "" : ", or a day of the week");
    }
    return true;
}

static bool change_all(struct sim *sim, struct err *err)
{
    for (uint32_t id = 0; id < sim->queue_count; id++) {
        bool changed;
        if (!bring(sim, id, &changed))
            continue;
        SIM_TELL(sim, changed, sim, id);
        if (!sim_queue_tell(sim, id, FACT_QUEUE_SET, err))
            return false;
    }
    find_next(sim);
    return !sim->planned->pools || sim_planned_nodes(sim, err);
}

bool sim_planned_begin(struct sim *sim, struct err *err)
{
    if (sim->config.change_count == 0)
        return true;
    if (sim->planned == NULL) /* no queue exists yet */
        sim->planned = mem_alloc(1, sizeof *sim->planned);
    sim->planned->busy_ms = sim->now_ms;
    for (size_t i = 0; i < sim->config.change_count; i++)
        sim->planned->pools |= sim->config.changes[i].pool != NULL;
    return check_dates(sim, err) && change_all(sim, err);
}

/* Nodes that come and go are installed and billed as long as the window lasts. */
static bool are_measured(const struct sim *sim)
{
    return sim->planned->pools && sim->window_end_ms < INT64_MAX &&
           sim->planned->next_ms <= sim->window_end_ms;
}

/*
 * Without jobs there is nothing left to change queues for. If jobs are pending and none runs, all
 * weeks are alike: what has not started in two weeks never will.
 */
int64_t sim_planned_next(const struct sim *sim)
{
    const struct sim_planned *p = sim->planned;
    bool busy = sim->has_next || sim->running > 0 || sim->config.clients.self != NULL;
    if (p == NULL || (!busy && sim->pending == 0))
        return p != NULL && are_measured(sim) ? p->next_ms : INT64_MAX;
    bool in_vain = !busy && p->next_ms > p->busy_ms && p->next_ms - p->busy_ms > 2 * WEEK_MS;
    for (size_t i = 0; in_vain && i < sim->config.change_count; i++)
        in_vain = sim->config.changes[i].at.kind == SIM_WEEKLY ||
                  sim_change_next(&sim->config.changes[i], sim->first_submit_ms, sim->now_ms) ==
                      INT64_MAX;
    return in_vain && !are_measured(sim) ? INT64_MAX : p->next_ms;
}

bool sim_planned_act(struct sim *sim, struct err *err)
{
    if (sim->planned == NULL)
        return true;
    if (sim->has_next || sim->running > 0)
        sim->planned->busy_ms = sim->now_ms;
    return sim->planned->next_ms > sim->now_ms || change_all(sim, err);
}

void sim_planned_close(struct sim *sim)
{
    if (sim->planned == NULL)
        return;
    for (size_t i = 0; i < sim->planned->count; i++)
        free(sim->planned->quotas[i]);
    free(sim->planned->quotas);
    free(sim->planned->base);
    free(sim->planned);
}
