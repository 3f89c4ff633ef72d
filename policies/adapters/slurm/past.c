/* SPDX-License-Identifier: MIT */
/* The core's history as lines; see past.h. */
#include "policies/adapters/slurm/past.h"

#include "policies/adapters/slurm/tracker_internal.h"
#include "policies/facts/read.h"
#include "policies/facts/write.h"

#include <string.h>

/* ---- names ---- */

static const char *job_name(const void *of, policy_job core)
{
    const struct tracker *t = of;
    const struct track_job *job = core.i < t->by_core_room ? t->by_core[core.i] : NULL;
    return job != NULL && job->core.gen == core.gen ? job->id : NULL;
}

static const char *queue_name(const void *of, policy_queue core)
{
    const struct tracker *t = of;
    for (size_t i = 0; i < t->queue_count; i++)
        if (t->queues[i].core.i == core.i)
            return t->queues[i].name;
    return NULL;
}

static const char *node_name(const void *of, policy_node core)
{
    const struct tracker *t = of;
    for (uint32_t i = 0; i < t->node_count; i++)
        if (t->nodes[i].core.i == core.i)
            return t->nodes[i].name;
    return NULL;
}

/* ---- writing ---- */

static void put_record(struct past *past, const struct policy_history *h, policy_time now,
                       const struct past_names *names)
{
    const char *job = h->job.i != POLICY_NO_ID ? names->job(names->of, h->job) : "";
    const char *other = h->other.i != POLICY_NO_ID ? names->job(names->of, h->other) : "";
    const char *queue = h->queue.i != POLICY_NO_ID ? names->queue(names->of, h->queue) : "";
    const char *node = h->node.i != POLICY_NO_ID ? names->node(names->of, h->node) : "";
    if (job == NULL || other == NULL || queue == NULL || node == NULL ||
        policy_history_is_of_then(h->kind)) /* no longer true in another run */
        return;
    struct text *lines = &past->lines;
    fact_write(lines, &(struct fact){.kind = FACT_HISTORY, .at = now, .spec = h});
    text_put(lines, ", \"id\": {\"job\": ");
    text_quoted(lines, job);
    text_put(lines, ", \"other\": ");
    text_quoted(lines, other);
    text_put(lines, ", \"queue\": ");
    text_quoted(lines, queue);
    text_put(lines, ", \"node\": ");
    text_quoted(lines, node);
    text_put(lines, "}}\n");
}

void past_take(struct past *past, const struct policy *policy, policy_time now,
               const struct past_names *names)
{
    struct policy_history h = {.size = sizeof h};
    past_fini(past);
    for (uint64_t next = 0; policy_history(policy, &next, &h);)
        put_record(past, &h, now, names);
    if (past->lines.failed)
        memory_ran_out();
}

void past_of(struct past *past, const struct tracker *t)
{
    past_take(past, t->policy, t->now, &(struct past_names){job_name, queue_name, node_name, t});
}

/* ---- restoring ---- */

static const char *id_of(const struct fact_line *line, const char *key)
{
    const cJSON *id = cJSON_GetObjectItemCaseSensitive(line->tree, "id");
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(id, key);
    return cJSON_IsString(name) ? name->valuestring : "";
}

static policy_job job_of(const struct tracker *t, const char *id)
{
    for (const struct track_job *job = t->jobs; job != NULL; job = job->hh.next)
        if (strcmp(job->id, id) == 0)
            return job->core;
    return (policy_job){POLICY_NO_ID, 0};
}

static policy_node node_of(const struct tracker *t, const char *name)
{
    for (uint32_t i = 0; i < t->node_count; i++)
        if (strcmp(t->nodes[i].name, name) == 0)
            return t->nodes[i].core;
    return (policy_node){POLICY_NO_ID};
}

/* Translates names to our numbers. Returns false if something named no longer exists. */
static bool number(struct tracker *t, const struct view *view, const struct fact_line *line,
                   struct policy_history *h)
{
    const char *job = id_of(line, "job");
    const char *other = id_of(line, "other");
    const char *queue = id_of(line, "queue");
    const char *node = id_of(line, "node");
    h->job = job_of(t, job);
    h->other = job_of(t, other);
    h->queue = *queue != '\0' ? track_named_queue(t, view, queue) : (policy_queue){POLICY_NO_ID};
    h->node = *node != '\0' ? node_of(t, node) : (policy_node){POLICY_NO_ID};
    return (*job == '\0' || h->job.i != POLICY_NO_ID) &&
           (*other == '\0' || h->other.i != POLICY_NO_ID) &&
           (*queue == '\0' || h->queue.i != POLICY_NO_ID) &&
           (*node == '\0' || h->node.i != POLICY_NO_ID);
}

/* Restores what the core accepts, which may run another policy; records that contradict Slurm's
 * current state are dropped. */
static void tell(struct tracker *t, const struct view *view, const struct fact_line *line)
{
    struct policy_history h;
    memcpy(&h, line->fact.spec, sizeof h);
    if (!policy_history_is_of_then(h.kind) && number(t, view, line, &h) &&
        facts_history(t->at.facts, t->now, &h) == POLICY_INVALID)
        track_say(t, "the history of %s%s is not used: %s", id_of(line, "job"),
                  id_of(line, "queue"), policy_last_error(t->policy)->message);
}

void past_tell(const struct past *past, struct tracker *t, const struct view *view)
{
    struct fact_line line = {.kind = LINE_FACT};
    const char *at = past->lines.bytes,
               *end = past->lines.length > 0 ? at + past->lines.length : at;
    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t n = stop != NULL ? (size_t)(stop - at) : (size_t)(end - at);
        if (fact_line_read(&line, at, n) && line.kind == LINE_FACT &&
            line.fact.kind == FACT_HISTORY)
            tell(t, view, &line);
        at += n + (stop != NULL);
    }
    fact_line_fini(&line);
}

void past_fini(struct past *past)
{
    text_fini(&past->lines);
    *past = (struct past){.lines = {.length = 0}};
}
