/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collects what the explorer shows during the run; see explore.h. */
#include "report/explore/explore.h"

#include "report/record/node_state.h"
#include "sim/base/mem.h"

#include <stdlib.h>

/*
 * Queries to the policy core at one interval, before the interval doubles. At long intervals, new
 * pending jobs are queried together with the others, since a query may cost as much as a decision.
 */
#define QUESTIONS     UINT64_C(8000)
#define FIRST_STEP_MS INT64_C(60000)
#define LONG_STEP_MS  INT64_C(3600000)

void explore_init(struct explore *e)
{
    *e = (struct explore){.begin_ms = INT64_MIN, .asked_ms = INT64_MIN, .step_ms = FIRST_STEP_MS};
}

void explore_fini(struct explore *e)
{
    for (size_t i = 0; i < e->job_count; i++)
        free(e->jobs[i].id);
    explore_rows_fini(&e->rows);
    explore_bins_fini(&e->bins);
    free(e->title);
    free(e->policy);
    free(e->jobs);
    free(e->job_of);
    free(e->events);
    free(e->states);
    free(e->faults);
    free(e->state_of);
    free(e->state_since_ms);
    free(e->pending);
    explore_init(e);
}

/* Called first by every observer; the earliest calls precede the first instant of the run. */
static void look(struct explore *e, const struct sim *sim)
{
    if (e->rows.first_row == NULL) {
        const struct fleet *fleet = sim->fleet;
        e->sim = sim;
        explore_rows_open(&e->rows, sim);
        e->state_of = mem_alloc(fleet->node_count + 1, sizeof *e->state_of);
        e->state_since_ms = mem_alloc(fleet->node_count + 1, sizeof *e->state_since_ms);
        for (uint32_t i = 0; i < fleet->node_count; i++)
            e->state_of[i] = (uint8_t)node_state_of(&fleet->nodes[i]);
    }
    if (e->begin_ms != INT64_MIN || sim->now_ms == INT64_MIN)
        return;
    e->begin_ms = sim->now_ms;
    for (uint32_t i = 0; i < sim->fleet->node_count; i++)
        e->state_since_ms[i] = sim->now_ms;
}

/* ---- jobs ---- */

static uint32_t *slot_of(struct explore *e, const struct sim *sim, const struct work_job *job)
{
    if (job->core.i >= e->job_of_count)
        e->job_of = mem_extend(e->job_of, &e->job_of_count, sim->work.capacity, sizeof *e->job_of);
    return &e->job_of[job->core.i];
}

static void list_pending(struct explore *e, uint32_t id)
{
    if (e->jobs[id].listed)
        return;
    e->jobs[id].listed = true;
    e->pending =
        mem_grow(e->pending, &e->pending_capacity, e->pending_count + 1, sizeof *e->pending);
    e->pending[e->pending_count++] = id;
}

static void submitted(void *self, const struct sim *sim, const struct work_job *job)
{
    struct explore *e = self;
    look(e, sim);
    uint32_t id = (uint32_t)e->job_count;
    e->jobs = mem_grow(e->jobs, &e->job_capacity, e->job_count + 1, sizeof *e->jobs);
    e->jobs[e->job_count++] = (struct explore_job){.id = mem_text(work_id(job)),
                                                   .core = job->core,
                                                   .queue = job->queue,
                                                   .user = job->user,
                                                   .submit_ms = job->submit_ms,
                                                   .eligible_ms = job->eligible_ms,
                                                   .first_start_ms = job->first_start_ms,
                                                   .end_ms = WORK_NEVER,
                                                   .gpu_milli = job->gpu_milli,
                                                   .tasks = (uint32_t)job->most_tasks,
                                                   .class = job->class,
                                                   .counted = job->counted,
                                                   .reason = POLICY_REASON_NONE};
    *slot_of(e, sim, job) = id;
    list_pending(e, id);
}

static void started(void *self, const struct sim *sim, const struct work_job *job)
{
    struct explore *e = self;
    struct explore_job *of = &e->jobs[*slot_of(e, sim, job)];
    if (of->first_start_ms == WORK_NEVER)
        of->first_start_ms = job->first_start_ms;
    of->status = EXPLORE_RUNNING;
}

static void ended(void *self, const struct sim *sim, const struct work_job *job)
{
    static const uint8_t status_of[TRACE_STATUSES] = {
        [TRACE_COMPLETED] = EXPLORE_COMPLETED,
        [TRACE_FAILED] = EXPLORE_FAILED,
        [TRACE_CANCELLED] = EXPLORE_CANCELLED,
    };
    struct explore *e = self;
    struct explore_job *of = &e->jobs[*slot_of(e, sim, job)];
    of->end_ms = sim->now_ms;
    of->status = status_of[job->status];
}

static void note(struct explore *e, int64_t at_ms, uint32_t job, enum explore_kind kind,
                 uint32_t what)
{
    e->events = mem_grow(e->events, &e->event_capacity, e->event_count + 1, sizeof *e->events);
    e->events[e->event_count++] = (struct explore_event){
        .at_ms = at_ms, .job = job, .kind = (uint8_t)kind, .what = (uint8_t)what};
}

static void stopped(struct explore *e, uint32_t id)
{
    e->jobs[id].status = EXPLORE_PENDING;
    e->jobs[id].reason = POLICY_REASON_NONE;
    list_pending(e, id);
}

static void evicted(void *self, const struct sim *sim, const struct work_job *job,
                    const struct sim_eviction *how)
{
    struct explore *e = self;
    uint32_t id = *slot_of(e, sim, job);
    note(e, sim->now_ms, id, EXPLORE_EVICTED, (uint32_t)how->action);
    if (!how->whole)
        return;
    e->jobs[id].preemptions++;
    stopped(e, id);
}

/* A class of faults, or what script/life.js knows. */
static uint8_t cause_of(const struct sim_interruption *how)
{
    return how->class == SIM_CAUSE_PLANNED ? EXPLORE_PLANNED
           : how->class < EXPLORE_PLANNED  ? (uint8_t)how->class
                                           : UINT8_MAX;
}

static void interrupted(void *self, const struct sim *sim, const struct work_job *job,
                        const struct sim_interruption *how)
{
    struct explore *e = self;
    uint32_t id = *slot_of(e, sim, job);
    note(e, sim->now_ms, id, EXPLORE_INTERRUPTED, cause_of(how));
    e->jobs[id].failures++;
    if (!how->goes_on)
        stopped(e, id);
}

static void held(void *self, const struct sim *sim, const struct work_job *job,
                 const struct work_task *task, int sign)
{
    struct explore *e = self;
    look(e, sim);
    explore_rows_held(&e->rows, sim, *slot_of(e, sim, job), task, sign);
}

/* ---- pending reasons ---- */

/* Returns false if the job is no longer pending. */
static bool ask(struct explore *e, const struct sim *sim, uint32_t id)
{
    struct explore_job *of = &e->jobs[id];
    const struct work_job *job = &sim->work.jobs[of->core.i];
    struct policy_explanation why = {.size = sizeof why};
    if (of->end_ms != WORK_NEVER || job->state != WORK_PENDING || job->core.gen != of->core.gen)
        return false;
    e->questions++;
    if (sim_explain(sim, job, &why) != POLICY_OK || why.reason == of->reason)
        return true;
    of->reason = (uint8_t)why.reason;
    note(e, sim->now_ms, id, EXPLORE_REASON, (uint32_t)why.reason);
    return true;
}

/* Queries the pending jobs from `first` on. */
static void ask_from(struct explore *e, const struct sim *sim, size_t first)
{
    size_t kept = first;
    for (size_t i = first; i < e->pending_count; i++) {
        uint32_t id = e->pending[i];
        e->jobs[id].listed = ask(e, sim, id);
        if (e->jobs[id].listed)
            e->pending[kept++] = id;
    }
    e->pending_count = e->fresh = kept;
}

static void cycled(void *self, const struct sim *sim, bool asked)
{
    struct explore *e = self;
    (void)asked;
    look(e, sim);
    bool all = e->asked_ms == INT64_MIN || sim->now_ms - e->asked_ms >= e->step_ms;
    if (all || e->step_ms < LONG_STEP_MS)
        ask_from(e, sim, all ? 0 : e->fresh);
    if (!all)
        return;
    e->asked_ms = sim->now_ms;
    if (e->questions < QUESTIONS)
        return;
    e->questions = 0;
    e->step_ms *= 2;
}

/* ---- nodes ---- */

static void end_state(struct explore *e, uint32_t node, int64_t now_ms)
{
    if (e->state_of[node] == NODE_UP || e->state_since_ms[node] >= now_ms)
        return;
    e->states = mem_grow(e->states, &e->state_capacity, e->state_count + 1, sizeof *e->states);
    e->states[e->state_count++] = (struct explore_state){.from_ms = e->state_since_ms[node],
                                                         .to_ms = now_ms,
                                                         .node = node,
                                                         .state = e->state_of[node]};
}

static void turned(void *self, const struct sim *sim, uint32_t node)
{
    struct explore *e = self;
    look(e, sim);
    uint8_t state = (uint8_t)node_state_of(&sim->fleet->nodes[node]);
    if (state == e->state_of[node])
        return;
    end_state(e, node, sim->now_ms);
    e->state_of[node] = state;
    e->state_since_ms[node] = sim->now_ms;
}

static void broke(void *self, const struct sim *sim, const struct sim_fault *fault)
{
    struct explore *e = self;
    look(e, sim);
    for (uint32_t i = 0; i < fault->node_count || i == 0; i++) {
        e->faults = mem_grow(e->faults, &e->fault_capacity, e->fault_count + 1, sizeof *e->faults);
        e->faults[e->fault_count++] =
            (struct explore_fault){.at_ms = sim->now_ms,
                                   .node = fault->node_count > 0 ? fault->nodes[i] : WORK_NONE,
                                   .class = fault->class};
    }
}

static void interval(void *self, const struct sim *sim, uint32_t site, int64_t from_ms,
                     int64_t to_ms)
{
    struct explore *e = self;
    look(e, sim);
    if (e->bins.bins == NULL)
        explore_bins_open(&e->bins, from_ms);
    explore_bins_interval(&e->bins, sim, site, from_ms, to_ms);
}

struct sim_observer explore_observer(struct explore *e)
{
    return (struct sim_observer){.self = e,
                                 .interval = interval,
                                 .submitted = submitted,
                                 .started = started,
                                 .ended = ended,
                                 .evicted = evicted,
                                 .interrupted = interrupted,
                                 .held = held,
                                 .turned = turned,
                                 .broke = broke,
                                 .cycled = cycled};
}

void explore_finish(struct explore *e, const struct sim *sim)
{
    look(e, sim);
    if (e->bins.bins == NULL)
        explore_bins_open(&e->bins, sim->now_ms);
    e->end_ms = sim->now_ms;
    e->window_start_ms = sim->window_start_ms;
    e->window_end_ms = sim->window_end_ms < sim->now_ms ? sim->window_end_ms : sim->now_ms;
    explore_rows_finish(&e->rows, sim->now_ms);
    for (size_t i = 0; i < e->rows.bar_count; i++)
        if (e->rows.bars[i].from_ms < e->begin_ms) /* devices of the initial state */
            e->rows.bars[i].from_ms = e->begin_ms;
    for (uint32_t i = 0; i < sim->fleet->node_count; i++)
        end_state(e, i, sim->now_ms);
}
