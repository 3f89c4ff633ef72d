/* SPDX-License-Identifier: MIT */
/* Translation between the numbers of a writer and of a core; see map.h. */
#include "policies/facts/map.h"
#include "policies/facts/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct map_entry {
    uint64_t key; /* of theirs */
    uint32_t theirs, their_gen;
    uint32_t ours, our_gen;
    char *name;
    UT_hash_handle hh;
};

/* ---- one side ---- */

static struct map_entry *find(const struct map_side *side, uint32_t theirs, uint32_t gen)
{
    struct map_entry *entry = NULL;
    uint64_t key = hash_key(theirs, gen);
    HASH_FIND(hh, side->by_theirs, &key, sizeof key, entry);
    return entry;
}

static void drop(struct map_side *side, struct map_entry *entry)
{
    if (entry == NULL)
        return;
    HASH_DEL(side->by_theirs, entry);
    if (side->by_ours[entry->ours] == entry)
        side->by_ours[entry->ours] = NULL;
    free(entry->name);
    free(entry);
}

static bool make_room(struct map_side *side, uint32_t ours)
{
    if (ours < side->room)
        return true;
    size_t room = ((size_t)ours + 1) * 2;
    struct map_entry **more = realloc(side->by_ours, room * sizeof(struct map_entry *));
    if (more == NULL)
        return false;
    memset(more + side->room, 0, (room - side->room) * sizeof(struct map_entry *));
    side->by_ours = more;
    side->room = room;
    return true;
}

/* The number must be free. */
static int add(struct map_side *side, const struct map_entry *numbers, const char *name)
{
    struct map_entry *entry = calloc(1, sizeof *entry);
    char *copy = name != NULL ? strdup(name) : NULL;
    if (entry == NULL || (name != NULL && copy == NULL) || !make_room(side, numbers->ours)) {
        free(entry);
        free(copy);
        return POLICY_NO_MEMORY;
    }
    drop(side, side->by_ours[numbers->ours]);
    *entry = *numbers;
    entry->key = hash_key(numbers->theirs, numbers->their_gen);
    entry->name = copy;
    HASH_ADD(hh, side->by_theirs, key, sizeof entry->key, entry);
    side->by_ours[numbers->ours] = entry;
    return POLICY_OK;
}

static void side_fini(struct map_side *side)
{
    while (side->by_theirs != NULL)
        drop(side, side->by_theirs);
    free(side->by_ours);
    *side = (struct map_side){0};
}

void fact_map_fini(struct fact_map *map)
{
    side_fini(&map->nodes);
    side_fini(&map->queues);
    side_fini(&map->jobs);
}

/* ---- facts ---- */

static int unknown(struct fact_map *map, const char *what, uint32_t number)
{
    (void)snprintf(map->error, sizeof map->error, "there is no %s %u", what, (unsigned)number);
    return POLICY_UNKNOWN;
}

static int in_use(struct fact_map *map, const char *what, uint32_t number)
{
    (void)snprintf(map->error, sizeof map->error, "there is a %s %u already", what,
                   (unsigned)number);
    return POLICY_CONFLICT;
}

static bool names_node(int32_t kind)
{
    return kind == FACT_NODE_REMOVE || kind == FACT_NODE_STATE || kind == FACT_DEVICE_HEALTH ||
           kind == FACT_TASK_RUNNING;
}

static bool names_job(int32_t kind)
{
    return (kind >= FACT_JOB_CANCEL && kind <= FACT_TASK_ENDED);
}

static bool names_queue(int32_t kind)
{
    return kind == FACT_QUEUE_SET || kind == FACT_QUEUE_REMOVE || kind == FACT_USAGE;
}

/* Translates the numbers in a history record to ours. */
static int translate_history(struct fact_map *map, struct policy_history *h)
{
    const struct map_entry *entry;
    if (h->job.i != POLICY_NO_ID) {
        if ((entry = find(&map->jobs, h->job.i, h->job.gen)) == NULL)
            return unknown(map, "job", h->job.i);
        h->job = (policy_job){entry->ours, entry->our_gen};
    }
    if (h->kind == POLICY_HISTORY_DISPLACED) {
        if ((entry = find(&map->jobs, h->other.i, h->other.gen)) == NULL)
            return unknown(map, "job", h->other.i);
        h->other = (policy_job){entry->ours, entry->our_gen};
    }
    if (h->queue.i != POLICY_NO_ID) {
        if ((entry = find(&map->queues, h->queue.i, 0)) == NULL)
            return unknown(map, "queue", h->queue.i);
        h->queue.i = entry->ours;
    }
    if (h->node.i != POLICY_NO_ID) {
        if ((entry = find(&map->nodes, h->node.i, 0)) == NULL)
            return unknown(map, "node", h->node.i);
        h->node.i = entry->ours;
    }
    return POLICY_OK;
}

/* Copies of specs with references. */
struct specs {
    struct policy_queue_spec queue;
    struct policy_job_spec job;
    struct policy_history history;
};

/* Translates the parent of a queue, the queue of a job, and all numbers of a history record to
 * ours, in a copy of the spec. */
static int translate_specs(struct fact_map *map, struct fact *fact, struct specs *copies)
{
    struct policy_queue_spec *queue = &copies->queue;
    struct policy_job_spec *job = &copies->job;
    uint32_t *number = NULL;
    if (fact->kind == FACT_HISTORY) {
        memcpy(&copies->history, fact->spec, sizeof copies->history);
        fact->spec = &copies->history;
        return translate_history(map, &copies->history);
    }
    const bool of_queue = fact->kind == FACT_QUEUE_ADD || fact->kind == FACT_QUEUE_SET;
    if (of_queue) {
        memcpy(queue, fact->spec, sizeof *queue);
        fact->spec = queue;
        number = &queue->parent.i;
    } else if (fact->kind == FACT_JOB_ADD) {
        memcpy(job, fact->spec, sizeof *job);
        fact->spec = job;
        number = &job->queue.i;
    }
    if (number == NULL || (of_queue && *number == POLICY_NO_ID))
        return POLICY_OK;
    const struct map_entry *entry = find(&map->queues, *number, 0);
    if (entry == NULL)
        return unknown(map, "queue", *number);
    *number = entry->ours;
    return POLICY_OK;
}

static int translate(struct fact_map *map, struct fact *fact)
{
    const struct map_entry *entry;
    if (names_node(fact->kind)) {
        if ((entry = find(&map->nodes, fact->node.i, 0)) == NULL)
            return unknown(map, "node", fact->node.i);
        fact->node.i = entry->ours;
    }
    if (names_queue(fact->kind)) {
        if ((entry = find(&map->queues, fact->queue.i, 0)) == NULL)
            return unknown(map, "queue", fact->queue.i);
        fact->queue.i = entry->ours;
    }
    if (names_job(fact->kind)) {
        if ((entry = find(&map->jobs, fact->job.i, fact->job.gen)) == NULL)
            return unknown(map, "job", fact->job.i);
        fact->job = (policy_job){entry->ours, entry->our_gen};
    }
    return POLICY_OK;
}

static int check_new(struct fact_map *map, const struct fact *fact)
{
    if (fact->kind == FACT_NODE_ADD && find(&map->nodes, fact->node.i, 0) != NULL)
        return in_use(map, "node", fact->node.i);
    if (fact->kind == FACT_QUEUE_ADD && find(&map->queues, fact->queue.i, 0) != NULL)
        return in_use(map, "queue", fact->queue.i);
    if (fact->kind == FACT_JOB_ADD && find(&map->jobs, fact->job.i, fact->job.gen) != NULL)
        return in_use(map, "job", fact->job.i);
    return POLICY_OK;
}

static int note(struct fact_map *map, const struct fact *theirs, const struct fact *ours)
{
    if (theirs->kind == FACT_NODE_ADD)
        return add(&map->nodes, &(struct map_entry){.theirs = theirs->node.i, .ours = ours->node.i},
                   theirs->name);
    if (theirs->kind == FACT_QUEUE_ADD)
        return add(&map->queues,
                   &(struct map_entry){.theirs = theirs->queue.i, .ours = ours->queue.i},
                   theirs->name);
    if (theirs->kind == FACT_JOB_ADD)
        return add(&map->jobs,
                   &(struct map_entry){.theirs = theirs->job.i,
                                       .their_gen = theirs->job.gen,
                                       .ours = ours->job.i,
                                       .our_gen = ours->job.gen},
                   theirs->name);
    if (theirs->kind == FACT_NODE_REMOVE)
        drop(&map->nodes, find(&map->nodes, theirs->node.i, 0));
    if (theirs->kind == FACT_QUEUE_REMOVE)
        drop(&map->queues, find(&map->queues, theirs->queue.i, 0));
    if (theirs->kind == FACT_JOB_CANCEL)
        drop(&map->jobs, find(&map->jobs, theirs->job.i, theirs->job.gen));
    return POLICY_OK;
}

/* The objects named by a fact: POLICY_NO_ID for none. */
struct named {
    uint32_t node, queue, job;
};

static struct named named_by(const struct fact *fact)
{
    struct named named = {names_node(fact->kind) ? fact->node.i : POLICY_NO_ID,
                          names_queue(fact->kind) ? fact->queue.i : POLICY_NO_ID,
                          names_job(fact->kind) ? fact->job.i : POLICY_NO_ID};
    if (fact->kind == FACT_JOB_ADD)
        named.queue = ((const struct policy_job_spec *)fact->spec)->queue.i;
    if (fact->kind == FACT_QUEUE_ADD)
        named.queue = ((const struct policy_queue_spec *)fact->spec)->parent.i;
    return named;
}

/* Replaces our number in the core's message "job 3: ..." by the writer's, 17. */
static bool say_renumbered(struct fact_map *map, const char *message, const char *what,
                           uint32_t theirs, uint32_t ours)
{
    char begin[32];
    int n = snprintf(begin, sizeof begin, "%s %u: ", what, (unsigned)ours);
    if (ours == POLICY_NO_ID || n < 0 || strncmp(message, begin, (size_t)n) != 0)
        return false;
    (void)snprintf(map->error, sizeof map->error, "%s %u: %s", what, (unsigned)theirs, message + n);
    return true;
}

static void say_refused(struct fact_map *map, const char *message, const struct fact *theirs,
                        const struct fact *ours)
{
    const struct named a = named_by(theirs), b = named_by(ours);
    if (!say_renumbered(map, message, "job", a.job, b.job) &&
        !say_renumbered(map, message, "node", a.node, b.node) &&
        !say_renumbered(map, message, "queue", a.queue, b.queue) &&
        !say_renumbered(map, message, "parent queue", a.queue, b.queue))
        (void)snprintf(map->error, sizeof map->error, "%s", message);
}

int fact_map_tell(struct fact_map *map, struct policy *policy, const struct fact *theirs)
{
    struct fact ours = *theirs;
    struct specs copies;
    int status = check_new(map, theirs);
    if (status == POLICY_OK)
        status = translate(map, &ours);
    if (status == POLICY_OK)
        status = translate_specs(map, &ours, &copies);
    if (status != POLICY_OK)
        return status;
    status = fact_tell(policy, &ours);
    if (status != POLICY_OK) {
        say_refused(map, policy_last_error(policy)->message, theirs, &ours);
        return status;
    }
    status = note(map, theirs, &ours);
    if (status != POLICY_OK)
        (void)snprintf(map->error, sizeof map->error, "out of memory");
    return status;
}

/* ---- queries ---- */

policy_job fact_map_job(const struct fact_map *map, policy_job theirs)
{
    const struct map_entry *entry = find(&map->jobs, theirs.i, theirs.gen);
    return entry != NULL ? (policy_job){entry->ours, entry->our_gen}
                         : (policy_job){POLICY_NO_ID, 0};
}

policy_queue fact_map_queue(const struct fact_map *map, policy_queue theirs)
{
    const struct map_entry *entry = find(&map->queues, theirs.i, 0);
    return (policy_queue){entry != NULL ? entry->ours : POLICY_NO_ID};
}

static const struct map_entry *of_ours(const struct map_side *side, uint32_t ours, uint32_t gen)
{
    const struct map_entry *entry = ours < side->room ? side->by_ours[ours] : NULL;
    return entry != NULL && entry->our_gen == gen ? entry : NULL;
}

policy_job fact_map_their_job(const struct fact_map *map, policy_job ours, const char **name)
{
    const struct map_entry *entry = of_ours(&map->jobs, ours.i, ours.gen);
    *name = entry != NULL ? entry->name : NULL;
    return entry != NULL ? (policy_job){entry->theirs, entry->their_gen}
                         : (policy_job){POLICY_NO_ID, 0};
}

const char *fact_map_queue_name(const struct fact_map *map, policy_queue ours)
{
    const struct map_entry *entry = of_ours(&map->queues, ours.i, 0);
    return entry != NULL ? entry->name : NULL;
}

const char *fact_map_node_name(const struct fact_map *map, policy_node ours)
{
    const struct map_entry *entry = of_ours(&map->nodes, ours.i, 0);
    return entry != NULL ? entry->name : NULL;
}

void fact_map_history(const struct fact_map *map, struct policy_history *h)
{
    const char *unused;
    const struct map_entry *queue = of_ours(&map->queues, h->queue.i, 0);
    const struct map_entry *node = of_ours(&map->nodes, h->node.i, 0);
    h->job = fact_map_their_job(map, h->job, &unused);
    if (h->kind == POLICY_HISTORY_DISPLACED)
        h->other = fact_map_their_job(map, h->other, &unused);
    h->queue.i = queue != NULL ? queue->theirs : POLICY_NO_ID;
    h->node.i = node != NULL ? node->theirs : POLICY_NO_ID;
}

struct fact_decision fact_map_decision(const struct fact_map *map, policy_time at,
                                       const struct policy_decision *d)
{
    struct fact_decision theirs = {.at = at, .d = *d};
    const char *unused;
    const struct map_entry *node = of_ours(&map->nodes, d->node.i, 0);
    theirs.d.job = fact_map_their_job(map, d->job, &theirs.name);
    theirs.d.for_job = fact_map_their_job(map, d->for_job, &unused);
    theirs.d.node.i = node != NULL ? node->theirs : POLICY_NO_ID;
    theirs.node_name = node != NULL ? node->name : NULL;
    return theirs;
}
