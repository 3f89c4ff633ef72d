/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tracks one job; see life.h. */
#include "report/record/life.h"

#include "sim/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define NODES_NAMED 4 /* nodes named for a start */

/* ---- spans and events ---- */

static struct life_span *last(const struct life *l)
{
    return l->span_count > 0 ? &l->spans[l->span_count - 1] : NULL;
}

/* Begins a span now; replaces the last one if that would be empty. */
static void turn(struct life *l, int64_t at_ms, int32_t state, int32_t reason)
{
    struct life_span *span = last(l);
    if (span != NULL && span->state == state && span->reason == reason)
        return;
    if (span != NULL && span->from_ms == at_ms) {
        l->span_count--;
        turn(l, at_ms, state, reason);
        return;
    }
    if (span != NULL)
        span->to_ms = at_ms;
    l->spans = mem_grow(l->spans, &l->span_capacity, l->span_count + 1, sizeof *l->spans);
    l->spans[l->span_count++] =
        (struct life_span){.from_ms = at_ms, .to_ms = at_ms, .state = state, .reason = reason};
}

static struct life_event *note(struct life *l, int64_t at_ms, enum life_kind kind)
{
    l->events = mem_grow(l->events, &l->event_capacity, l->event_count + 1, sizeof *l->events);
    struct life_event *event = &l->events[l->event_count++];
    *event = (struct life_event){.at_ms = at_ms, .kind = (int32_t)kind};
    return event;
}

static bool is_it(const struct life *l, const struct work_job *job)
{
    return l->seen && !l->ended && job->core.i == l->core.i && job->core.gen == l->core.gen;
}

/* ---- observers ---- */

static void on_submit(void *self, const struct sim *sim, const struct work_job *job)
{
    struct life *l = self;
    l->first_submit_ms = sim->first_submit_ms;
    if (l->seen || strcmp(work_id(job), l->id) != 0)
        return;
    l->seen = true;
    l->core = job->core;
    l->submit_ms = job->submit_ms;
    l->eligible_ms = job->eligible_ms;
    if (job->submit_ms < sim->now_ms) {
        note(l, job->submit_ms, LIFE_ARRIVED);
        turn(l, job->submit_ms, LIFE_HELD, POLICY_REASON_NONE);
    }
    note(l, sim->now_ms, LIFE_SUBMITTED)->other = mem_text(sim->queues[job->queue].name);
    turn(l, sim->now_ms, LIFE_PENDING,
         job->eligible_ms > sim->now_ms ? POLICY_REASON_NOT_ELIGIBLE : POLICY_REASON_WAITING);
}

/* "n0, n1, n2, n3 and 4 more" */
static char *places(const struct sim *sim, const struct work_job *job)
{
    struct out *out = out_memory();
    const char *named[NODES_NAMED];
    size_t count = 0, more = 0;
    for (uint32_t id = job->first_task; id != WORK_NONE; id = sim->work.tasks[id].next) {
        const struct work_task *task = &sim->work.tasks[id];
        const char *name = task->node != WORK_NONE ? sim->fleet->nodes[task->node].name
                                                   : sim->fleet->pools[task->pool].name;
        bool known = task->release_ms !=
                     WORK_NEVER; /* devices it still holds from a previous run do not count */
        for (size_t i = 0; i < count; i++)
            known |= named[i] == name;
        more += !known && count == NODES_NAMED;
        if (known || count == NODES_NAMED)
            continue;
        named[count++] = name;
        out_format(out, "%s%s", count > 1 ? ", " : "", name);
    }
    if (more > 0)
        out_format(out, " and %zu more tasks elsewhere", more);
    return out_memory_take(out);
}

/* Records since when the job waits for the policy, which may have begun between two cycles. */
static void catch_up(struct life *l, const struct sim *sim, const struct work_job *job)
{
    const struct life_span *span = last(l);
    int64_t since_ms = job->waits_since_ms > l->eligible_ms ? job->waits_since_ms : l->eligible_ms;
    bool idle = span->state == LIFE_STOPPING || span->reason == POLICY_REASON_NOT_ELIGIBLE;
    if (idle && since_ms > span->from_ms && since_ms < sim->now_ms)
        turn(l, since_ms, LIFE_PENDING, POLICY_REASON_WAITING);
}

static int32_t state_of(const struct work_job *job)
{
    return work_waits_for_rest(job) ? LIFE_PARTLY : job->launches ? LIFE_STARTING : LIFE_RUNNING;
}

static void on_start(void *self, const struct sim *sim, const struct work_job *job)
{
    struct life *l = self;
    if (!is_it(l, job))
        return;
    catch_up(l, sim, job);
    if (!l->started)
        l->start_ms = sim->now_ms;
    l->started = true;
    struct life_event *event = note(l, sim->now_ms, LIFE_STARTED);
    event->tasks = job->running;
    event->other = places(sim, job);
    turn(l, sim->now_ms, state_of(job), POLICY_REASON_NONE);
}

static void on_launch(void *self, const struct sim *sim, const struct work_job *job)
{
    struct life *l = self;
    if (!is_it(l, job))
        return;
    note(l, sim->now_ms, LIFE_LAUNCHED);
    turn(l, sim->now_ms, state_of(job), POLICY_REASON_NONE);
}

/* The beneficiary of an eviction is known when it is decided. */
static void on_decision(void *self, const struct sim *sim, const struct policy_decision *d,
                        const struct work_job *job)
{
    struct life *l = self;
    if (d->kind == POLICY_START && is_it(l, job) && job->ran > 0) {
        struct life_event *event = l->event_count > 0 ? &l->events[l->event_count - 1] : NULL;
        bool same = event != NULL && event->kind == LIFE_GROWN && event->at_ms == sim->now_ms;
        (same ? event : note(l, sim->now_ms, LIFE_GROWN))->tasks++;
    }
    if (d->kind != POLICY_EVICT || d->for_job.i == POLICY_NO_ID)
        return;
    const struct work_job *served = &sim->work.jobs[d->for_job.i];
    if (is_it(l, job) && l->victor == NULL)
        l->victor = mem_text(work_id(served));
    if (!is_it(l, served) || is_it(l, job))
        return;
    for (size_t i = l->event_count; i-- > 0 && l->events[i].at_ms == sim->now_ms;)
        if (l->events[i].kind == LIFE_TOOK && strcmp(l->events[i].other, work_id(job)) == 0) {
            l->events[i].tasks++;
            return;
        }
    struct life_event *event = note(l, sim->now_ms, LIFE_TOOK);
    event->action = d->action;
    event->reason = d->reason;
    event->tasks = 1;
    event->other = mem_text(work_id(job));
}

static void on_eviction(void *self, const struct sim *sim, const struct work_job *job,
                        const struct sim_eviction *how)
{
    struct life *l = self;
    if (!is_it(l, job))
        return;
    struct life_event *event = note(l, sim->now_ms, how->whole ? LIFE_EVICTED : LIFE_SHRUNK);
    event->action = how->action;
    event->reason = how->reason;
    event->tasks = how->tasks;
    event->other = l->victor;
    l->victor = NULL;
    if (job->state == WORK_PENDING)
        turn(l, sim->now_ms, job->waits_since_ms > sim->now_ms ? LIFE_STOPPING : LIFE_PENDING,
             job->waits_since_ms > sim->now_ms ? POLICY_REASON_NONE : POLICY_REASON_WAITING);
}

static void on_interruption(void *self, const struct sim *sim, const struct work_job *job,
                            const struct sim_interruption *how)
{
    struct life *l = self;
    if (!is_it(l, job))
        return;
    note(l, sim->now_ms, LIFE_INTERRUPTED)->other =
        mem_text(how->class == SIM_CAUSE_MEMORY    ? "device memory"
                 : how->class == SIM_CAUSE_PLANNED ? "planned removal"
                                                   : sim->config.faults.classes[how->class]);
    if (!how->own && !how->goes_on)
        turn(l, sim->now_ms, LIFE_PENDING, POLICY_REASON_WAITING);
}

static void on_end(void *self, const struct sim *sim, const struct work_job *job)
{
    struct life *l = self;
    if (!is_it(l, job))
        return;
    note(l, sim->now_ms, LIFE_ENDED)->other = mem_text(trace_status_names[job->status]);
    life_close(l, sim->now_ms);
    l->ended = true;
    l->end_ms = sim->now_ms;
}

static void ask(struct life *l, const struct sim *sim, const struct work_job *job)
{
    struct policy_explanation why = {.size = sizeof why};
    if (job->waits_since_ms > sim->now_ms || sim_explain(sim, job, &why) != POLICY_OK)
        return;
    catch_up(l, sim, job);
    turn(l, sim->now_ms, LIFE_PENDING, why.reason);
}

/* If nothing was decided, the reason is already known, except for a new job. */
static void on_cycle(void *self, const struct sim *sim, bool asked)
{
    struct life *l = self;
    if (!l->seen || l->ended)
        return;
    const struct work_job *job = &sim->work.jobs[l->core.i];
    if (job->state == WORK_PENDING && (asked || last(l)->reason == POLICY_REASON_WAITING))
        ask(l, sim, job);
    else if (job->state == WORK_RUNNING && job->running > 0)
        turn(l, sim->now_ms, state_of(job), POLICY_REASON_NONE);
}

/* ---- public functions ---- */

void life_init(struct life *l, const char *id)
{
    *l = (struct life){.id = id};
}

struct sim_observer life_observer(struct life *l)
{
    return (struct sim_observer){.self = l,
                                 .submitted = on_submit,
                                 .started = on_start,
                                 .launched = on_launch,
                                 .ended = on_end,
                                 .decided = on_decision,
                                 .evicted = on_eviction,
                                 .interrupted = on_interruption,
                                 .cycled = on_cycle};
}

void life_close(struct life *l, int64_t end_ms)
{
    struct life_span *span = last(l);
    if (span == NULL || l->ended)
        return;
    span->to_ms = end_ms;
    l->span_count -= span->from_ms == end_ms;
}

void life_fini(struct life *l)
{
    for (size_t i = 0; i < l->event_count; i++)
        free(l->events[i].other);
    free(l->events);
    free(l->spans);
    free(l->victor);
    life_init(l, l->id);
}

static bool is_wait(const struct life_span *span)
{
    return span->state == LIFE_PENDING && span->reason != POLICY_REASON_NOT_ELIGIBLE;
}

/* Finds the wait that begins at or after span *i, and moves *i past it. */
static bool next_wait(const struct life *l, size_t *i, struct life_wait *wait)
{
    while (*i < l->span_count && !is_wait(&l->spans[*i]))
        ++*i;
    if (*i == l->span_count)
        return false;
    wait->from_ms = l->spans[*i].from_ms;
    while (*i < l->span_count && is_wait(&l->spans[*i]))
        wait->to_ms = l->spans[(*i)++].to_ms;
    wait->over = *i < l->span_count;
    return true;
}

bool life_wait_at(const struct life *l, int64_t at_ms, struct life_wait *wait)
{
    size_t i = 0;
    while (next_wait(l, &i, wait))
        if (wait->from_ms <= at_ms &&
            (at_ms < wait->to_ms || (at_ms == wait->to_ms && !wait->over)))
            return true;
    return false;
}

const struct life_span *life_longest_span(const struct life *l, int32_t reason)
{
    const struct life_span *longest = NULL;
    for (size_t i = 0; i < l->span_count; i++) {
        const struct life_span *span = &l->spans[i];
        if (is_wait(span) && span->reason == reason &&
            (longest == NULL || span->to_ms - span->from_ms > longest->to_ms - longest->from_ms))
            longest = span;
    }
    return longest;
}

size_t life_shares(const struct life *l, struct life_share shares[POLICY_REASONS],
                   int64_t *total_ms)
{
    int64_t ms[POLICY_REASONS] = {0};
    size_t count = 0;
    *total_ms = 0;
    for (size_t i = 0; i < l->span_count; i++)
        if (is_wait(&l->spans[i]))
            ms[l->spans[i].reason] += l->spans[i].to_ms - l->spans[i].from_ms;
    for (int32_t reason = 0; reason < POLICY_REASONS; reason++) {
        if (ms[reason] == 0)
            continue;
        size_t at = count++;
        for (; at > 0 && shares[at - 1].ms < ms[reason]; at--)
            shares[at] = shares[at - 1];
        shares[at] = (struct life_share){reason, ms[reason]};
        *total_ms += ms[reason];
    }
    return count;
}
