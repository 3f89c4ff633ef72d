/* SPDX-License-Identifier: MIT */
/* The tracker's lifecycle, and the core's decisions; see tracker.h. */
#include "policies/adapters/slurm/tracker_internal.h"

#include "policies/adapters/slurm/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- life ---- */

struct tracker *tracker_create(const struct tracker_options *options,
                               const struct tracker_world *at, policy_time now,
                               char error[CONFIG_ERROR])
{
    struct policy_error e = {0};
    struct policy *policy = policy_create(at->core, &e);
    if (policy == NULL) {
        (void)snprintf(error, CONFIG_ERROR, "%s", e.message);
        return NULL;
    }
    struct tracker *t = memory_get(1, sizeof *t);
    *t = (struct tracker){.options = *options, .at = *at, .policy = policy, .now = now};
    facts_begin(at->facts, policy, now, at->config);
    return t;
}

static void free_jobs(struct tracker *t)
{
    struct track_job *job, *next;
    struct track_note *note, *next_note;
    for (job = t->jobs; job != NULL; job = next) {
        next = job->hh.next;
        track_forget(t, job);
    }
    for (note = t->notes; note != NULL; note = next_note) {
        next_note = note->hh.next;
        HASH_DEL(t->notes, note);
        free(note);
    }
}

void tracker_destroy(struct tracker *t)
{
    if (t == NULL)
        return;
    free_jobs(t);
    for (uint32_t i = 0; i < t->node_count; i++) {
        free(t->nodes[i].name);
        free(t->nodes[i].labels);
    }
    for (size_t i = 0; i < t->queue_count; i++) {
        free(t->queues[i].name);
        free(t->queues[i].pools);
    }
    free(t->nodes);
    free(t->from_view);
    free(t->queues);
    free(t->by_core);
    names_fini(&t->pools);
    names_fini(&t->world.types);
    names_fini(&t->world.labels);
    policy_destroy(t->policy);
    free(t);
}

/* ---- names ---- */

static struct track_job *job_of(const struct tracker *t, policy_job core)
{
    struct track_job *job = core.i < t->by_core_room ? t->by_core[core.i] : NULL;
    return job != NULL && job->core.gen == core.gen ? job : NULL;
}

static const char *job_name(const void *of, policy_job core)
{
    const struct track_job *job = job_of(of, core);
    return job != NULL ? job->id : "";
}

static uint32_t node_of(const struct tracker *t, policy_node core)
{
    for (uint32_t i = core.i; i < t->node_count; i++) /* usually the first */
        if (t->nodes[i].core.i == core.i)
            return i;
    for (uint32_t i = 0; i < t->node_count && i < core.i; i++)
        if (t->nodes[i].core.i == core.i)
            return i;
    return UINT32_MAX;
}

static const char *node_name(const void *of, policy_node core)
{
    const struct tracker *t = of;
    uint32_t node = node_of(t, core);
    return node != UINT32_MAX ? t->nodes[node].name : "";
}

/* ---- decisions ---- */

/* "dgx01,dgx04", to be freed. */
static char *nodes_of(const struct tracker *t, const struct track_job *job)
{
    char *text = memory_text("");
    for (uint32_t i = 0; i < job->request.nodes; i++) {
        char *longer =
            memory_format("%s%s%s", text, i > 0 ? "," : "", t->nodes[job->places[i].node].name);
        free(text);
        text = longer;
    }
    return text;
}

static bool one_a_node(const struct track_job *job)
{
    for (uint32_t i = 0; i < job->request.nodes; i++)
        for (uint32_t k = 0; k < i; k++)
            if (job->places[i].node == job->places[k].node)
                return false;
    return true;
}

static void note(struct tracker *t, const struct policy_decision *d, struct track_job *job)
{
    uint32_t node = d->kind == POLICY_START ? node_of(t, d->node) : UINT32_MAX;
    switch (d->kind) {
    case POLICY_START:
        job->started = true;
        if (job->state <= TRACK_STARTING && node != UINT32_MAX && d->task < job->request.nodes)
            track_place(t, job, d->task, node, d->devices);
        break;
    case POLICY_EVICT:
        job->evicted = true;
        job->cancel = d->action == POLICY_LIMITS;
        job->reason = policy_reason_name(d->reason);
        break;
    default: /* a nomination: reported again once it can be kept */
        break;
    }
}

static void stop(struct tracker *t, struct track_job *job, const struct policy_decision *d,
                 size_t count, struct orders *orders)
{
    if (job->started) /* it will move: placed anew when pending */
        track_check(t, job, "start_failed", facts_start_failed(t->at.facts, t->now, job->core));
    for (size_t i = 0; i < count; i++)
        if (d[i].kind == POLICY_EVICT && job_of(t, d[i].job) == job)
            track_check(t, job, "task_releasing",
                        facts_releasing(t->at.facts, t->now, job->core, d[i].task));
    track_say(t, "job %s: %s on %s (%s)", job->id, job->cancel ? "end" : "stop",
              t->nodes[job->places[0].node].name, job->reason);
    enum order_kind undo = job->state == TRACK_STARTING ? ORDER_HOLD : ORDER_REQUEUE;
    orders_add(orders, job->cancel ? ORDER_CANCEL : undo, job->id, NULL, 0);
    job->since_ms = job->state == TRACK_STARTING ? t->now - t->options.repeat_ms : t->now;
    job->state = TRACK_STOPPING;
}

static void start(struct tracker *t, struct track_job *job, const char *action)
{
    if (job->state != TRACK_WAITING || job->placed < job->request.nodes)
        return; /* gangs are not enforced; the rest follows later */
    if (!one_a_node(job)) {
        track_say(t, "job %s: the policy put two of its nodes on one", job->id);
        track_start_failed(t, job);
        return;
    }
    char *nodes = nodes_of(t, job);
    track_say(t, "job %s: start on %s (%s)", job->id, nodes, action);
    free(nodes);
    job->state = TRACK_STARTING;
    job->released = false;
    job->since_ms = t->now;
    job->release_at_ms =
        job->stopped_ms > 0 ? job->stopped_ms + t->options.requeue_wait_ms : t->now;
}

static void enact(struct tracker *t, const struct policy_decision *d, size_t count,
                  struct orders *orders)
{
    for (size_t i = 0; i < count; i++) {
        struct track_job *job = job_of(t, d[i].job);
        if (job == NULL)
            continue;
        if (job->evicted && job->state == TRACK_WAITING)
            track_give_back(t, job);
        else if (job->evicted)
            stop(t, job, d, count, orders);
        else if (job->started)
            start(t, job, policy_action_name(d[i].action));
        job = job_of(t, d[i].job); /* it may have been forgotten */
        if (job != NULL)
            job->evicted = job->started = false;
    }
}

static void release_due(struct tracker *t, struct orders *orders)
{
    struct track_job *job, *next;
    for (job = t->jobs; job != NULL; job = next) {
        next = job->hh.next;
        if (job->state != TRACK_STARTING || job->released || job->release_at_ms > t->now)
            continue;
        char *nodes = nodes_of(t, job);
        orders_add(orders, ORDER_RELEASE, job->id, nodes, job->request.nodes);
        free(nodes);
        job->released = true;
        job->since_ms = t->now;
    }
}

bool tracker_decide(struct tracker *t, policy_time now, struct orders *orders,
                    char error[CONFIG_ERROR])
{
    t->now = now > t->now ? now : t->now;
    size_t count;
    const struct facts_names names = {job_name, node_name, t};
    const struct policy_decision *d;
    if (!facts_decide(t->at.facts, t->now, &names, &d, &count)) {
        (void)snprintf(error, CONFIG_ERROR, "the policy cannot decide: %s",
                       policy_last_error(t->policy)->message);
        return false;
    }
    struct policy_decision *decisions = memory_get(count, sizeof *decisions);
    if (count > 0)
        memcpy(decisions, d, count * sizeof *decisions);
    for (size_t i = 0; i < count; i++)
        if (job_of(t, decisions[i].job) != NULL)
            note(t, &decisions[i], job_of(t, decisions[i].job));
    enact(t, decisions, count, orders);
    free(decisions);
    release_due(t, orders);
    return true;
}

/* ---- queries ---- */

void tracker_explain(struct tracker *t)
{
    for (struct track_job *job = t->jobs; job != NULL; job = job->hh.next) {
        struct policy_explanation why = {.size = sizeof why};
        if (job->state == TRACK_WAITING &&
            policy_explain(t->policy, job->core, &why) == POLICY_OK &&
            why.reason != POLICY_REASON_NONE)
            track_say(t, "job %s waits: %s", job->id, policy_reason_name(why.reason));
    }
}

policy_time tracker_wakeup(const struct tracker *t)
{
    policy_time at = policy_next_wakeup(t->policy);
    for (const struct track_job *job = t->jobs; job != NULL; job = job->hh.next)
        if (job->state == TRACK_STARTING && !job->released && job->release_at_ms < at)
            at = job->release_at_ms;
    return at;
}

bool tracker_is_quiet(const struct tracker *t)
{
    for (const struct track_job *job = t->jobs; job != NULL; job = job->hh.next)
        if (job->state == TRACK_STARTING || job->state == TRACK_STOPPING)
            return false;
    return true;
}

void tracker_counts(const struct tracker *t, size_t *waiting, size_t *running)
{
    *waiting = *running = 0;
    for (const struct track_job *job = t->jobs; job != NULL; job = job->hh.next)
        ++*(job->state == TRACK_WAITING ? waiting : running);
}
