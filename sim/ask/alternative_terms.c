/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Changes to where a job may run and to how it stands in the queue; see alternatives.h. */
#include "sim/ask/alternatives.h"
#include "sim/base/escape.h"

#include "sim/base/mem.h"
#include "sim/base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- types of GPUs ---- */

static bool with_type(struct search *s, const char *type)
{
    struct altered a;
    alter(&a, s->job, s->job->task_count);
    for (uint32_t t = 0; t < a.job.task_count; t++)
        a.tasks[t].request.gpu_types = type;
    return search_try(s, &a, 0, TRIAL_STARTS);
}

/* Whole jobs on one type: a gang on several is as slow as the slowest. */
bool alternative_gpu_type(struct search *s, struct out *words)
{
    const struct snapshot *all = s->run->s;
    const char *wanted = "";
    for (uint32_t t = 0; t < s->job->task_count && *wanted == '\0'; t++)
        wanted = s->job->tasks[t].request.gpu_types;
    if (*wanted == '\0')
        return false;
    struct name_set types = {0};
    for (size_t n = 0; n < all->node_count; n++)
        if (all->nodes[n].gpus > 0)
            name_set_add(&types, all->nodes[n].gpu_type);
    name_set_seal(&types);
    bool found = false;
    for (size_t i = 0; i < types.count && !found; i++) {
        found = strcmp(types.names[i], wanted) != 0 && with_type(s, types.names[i]);
        if (found)
            escape_format(words, "with GPU type %s instead of %s", types.names[i], wanted);
    }
    name_set_fini(&types);
    return found;
}

/* ---- labels of nodes ---- */

bool alternative_node(struct search *s, struct out *words)
{
    struct altered a;
    bool asks = false;
    alter(&a, s->job, s->job->task_count);
    for (uint32_t t = 0; t < a.job.task_count; t++) {
        asks |= a.tasks[t].request.term_count > 0;
        a.tasks[t].request.term_count = 0;
    }
    if (!asks)
        altered_fini(&a);
    if (!asks || !search_try(s, &a, 0, TRIAL_STARTS))
        return false;
    out_text(words, "without its conditions on labels of nodes");
    return true;
}

/* ---- topology ---- */

static int32_t lower(int32_t level, const struct policy_constraint *at)
{
    return at->required > level ? at->required : level;
}

/* The lowest level that it requires anywhere; 0 none. */
static int32_t lowest_level(const struct snap_job *job)
{
    int32_t level = lower(0, &job->topology.at);
    for (uint32_t i = 0; i < job->group_count; i++)
        level = lower(level, &job->groups[i].topology.at);
    for (uint32_t i = 0; i < job->role_count; i++)
        level = lower(level, &job->roles[i].topology.at);
    return level;
}

static bool names_what_is_not_there(const struct snap_constraint *c)
{
    return c->at.topology < 0 || c->at.required < 0 || c->at.preferred < 0;
}

/* Requires no level below this one; drops unknown constraints altogether. */
static bool raise_to(struct snap_constraint *c, int32_t level)
{
    if (names_what_is_not_there(c)) {
        c->at = (struct policy_constraint){0, 0, 0};
        return true;
    }
    if (c->at.required <= level)
        return false;
    c->at.preferred = c->at.preferred > 0 ? c->at.preferred : c->at.required;
    c->at.required = level;
    return true;
}

/* No constraint of the job requires a level below this one; false: none did. */
static bool raise_all(const struct search *s, int32_t level, struct altered *a)
{
    alter(a, s->job, s->job->task_count);
    bool raised = raise_to(&a->job.topology, level);
    for (uint32_t i = 0; i < a->job.group_count; i++)
        raised |= raise_to(&a->groups[i].topology, level);
    for (uint32_t i = 0; i < a->job.role_count; i++)
        raised |= raise_to(&a->roles[i].topology, level);
    if (!raised)
        altered_fini(a);
    return raised;
}

static const struct snap_constraint *constraint_at(const struct snap_job *job, int32_t level)
{
    if (job->topology.at.required == level)
        return &job->topology;
    for (uint32_t i = 0; i < job->group_count; i++)
        if (job->groups[i].topology.at.required == level)
            return &job->groups[i].topology;
    for (uint32_t i = 0; i < job->role_count; i++)
        if (job->roles[i].topology.at.required == level)
            return &job->roles[i].topology;
    return NULL;
}

static const char *level_name(const struct search *s, const struct snap_constraint *c,
                              int32_t level)
{
    for (size_t i = 0; i < s->run->s->topology_count; i++)
        if (strcmp(s->run->s->topologies[i].name, c->topology) == 0 &&
            level <= (int32_t)s->run->s->topologies[i].level_count)
            return s->run->s->topologies[i].levels[level - 1];
    return "";
}

bool alternative_topology(struct search *s, struct out *words)
{
    const int32_t lowest = lowest_level(s->job);
    struct altered a;
    bool found = false;
    int32_t level = lowest > 0 ? lowest - 1 : 0;
    for (; level >= 0 && !found; level--)
        found = raise_all(s, level, &a) && search_try(s, &a, level, TRIAL_STARTS);
    if (!found)
        return false;
    const struct snap_constraint *c = lowest > 0 ? constraint_at(s->job, lowest) : NULL;
    if (c == NULL)
        out_text(words, "without the topology that is not there");
    else if (s->value == 0)
        escape_format(words, "with level '%s' preferred instead of required", c->required);
    else
        escape_format(words, "with level '%s' required instead of '%s'",
                      level_name(s, c, (int32_t)s->value), c->required);
    return true;
}

/* ---- queues ---- */

static bool holds_jobs(const struct snap_queue *queue)
{
    return !queue->inner && queue->lost == NULL;
}

static bool beside(const struct search *s, const struct snap_queue *queue)
{
    const struct snap_queue *mine =
        s->job->queue != SNAP_NONE ? &s->run->s->queues[s->job->queue] : NULL;
    return mine != NULL && queue->parent_index == mine->parent_index;
}

static bool in_queue(struct search *s, size_t index)
{
    struct altered a;
    alter(&a, s->job, s->job->task_count);
    a.job.queue = index;
    a.job.queue_name = s->run->s->queues[index].name;
    a.job.stray = SNAP_IN_QUEUE;
    return search_try(s, &a, (int64_t)index, TRIAL_STARTS);
}

/* For a nonexistent queue, the one that was probably meant. */
static bool in_meant_queue(struct search *s)
{
    const struct snapshot *all = s->run->s;
    const char *name = s->job->stray == SNAP_QUEUE_UNKNOWN
                           ? text_nearest(s->job->queue_name, all->queue_names.names,
                                          all->queue_names.count, sizeof *all->queue_names.names)
                           : NULL;
    size_t index =
        name != NULL ? all->queue_of_name[name_set_find(&all->queue_names, name)] : SNAP_NONE;
    return index != SNAP_NONE && holds_jobs(&all->queues[index]) && in_queue(s, index);
}

/* Parents and siblings by name: queue_order has them so. */
bool alternative_queue(struct search *s, struct out *words)
{
    const struct snapshot *all = s->run->s;
    bool found = in_meant_queue(s);
    int tried = 0;
    for (int siblings = 1; siblings >= 0 && !found; siblings--)
        for (size_t i = 0; i < all->queue_count && !found && tried < ALTERNATIVES_QUEUES; i++) {
            size_t index = all->queue_order[i];
            const struct snap_queue *queue = &all->queues[index];
            if (index == s->job->queue || !holds_jobs(queue) || beside(s, queue) != (siblings == 1))
                continue;
            tried++;
            found = in_queue(s, index);
        }
    if (found)
        escape_format(words, "in queue '%s'", s->best.job.queue_name);
    return found;
}

/* ---- priority ---- */

static int rising(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* Priorities just above those of jobs that are not below this one, ascending without duplicates. To
 * be freed. */
static int32_t *priorities_above(const struct search *s, size_t *count)
{
    const struct snapshot *all = s->run->s;
    int32_t *above = mem_alloc(all->job_count + 1, sizeof *above);
    size_t n = 0;
    for (size_t i = 0; i < all->job_count; i++)
        if (&all->jobs[i] != s->job && all->jobs[i].priority >= s->job->priority &&
            all->jobs[i].priority < INT32_MAX)
            above[n++] = all->jobs[i].priority + 1;
    qsort(above, n, sizeof *above, rising);
    *count = 0;
    for (size_t i = 0; i < n; i++)
        if (i == 0 || above[i] != above[i - 1])
            above[(*count)++] = above[i];
    return above;
}

static bool with_priority(struct search *s, int32_t priority, enum trial_outcome enough)
{
    struct altered a;
    alter(&a, s->job, s->job->task_count);
    a.job.priority = priority;
    return search_try(s, &a, priority, enough);
}

/* The lowest, by bisection: when the highest of all does not start it none does. */
bool alternative_priority(struct search *s, struct out *words)
{
    size_t count;
    int32_t *above = priorities_above(s, &count);
    bool found = count > 0 && with_priority(s, above[count - 1], TRIAL_EVICTS);
    if (found) {
        enum trial_outcome enough = s->trial.outcome;
        size_t fails = 0, starts = count - 1; /* above[fails - 1] does not start it */
        while (fails < starts) {
            size_t middle = fails + (starts - fails) / 2;
            if (with_priority(s, above[middle], enough))
                starts = middle;
            else
                fails = middle + 1;
        }
        escape_format(words, "with priority %" PRId64 " instead of %d", s->value, s->job->priority);
    }
    free(above);
    return found;
}

bool alternative_preemptible(struct search *s, struct out *words)
{
    struct altered a;
    if (s->job->preemptible)
        return false;
    alter(&a, s->job, s->job->task_count);
    a.job.preemptible = true;
    if (!search_try(s, &a, 0, TRIAL_EVICTS))
        return false;
    out_text(words, "as a preemptible job");
    return true;
}

/* ---- time limit ---- */

static bool with_minutes(const struct search *s, int64_t minutes, struct altered *a)
{
    alter(a, s->job, s->job->task_count);
    a->job.limit_ms = minutes * 60000;
    if (a->job.run_ms > a->job.limit_ms)
        a->job.run_ms = a->job.limit_ms;
    return true;
}

/* Matters where jobs go ahead of a reservation when they end before it. */
bool alternative_time_limit(struct search *s, struct out *words)
{
    static const int64_t week_min = 7 * 24 * 60;
    if (s->reason != POLICY_REASON_RESERVED)
        return false;
    int64_t limit_ms = s->job->limit_ms >= 0 ? s->job->limit_ms : s->job->run_ms;
    int64_t most = limit_ms < 0 ? week_min : (limit_ms - 1) / 60000;
    if (!search_largest(s, with_minutes, 1, most))
        return false;
    escape_format(words, "with a time limit of %" PRId64 " min", s->value);
    return true;
}
