/* SPDX-License-Identifier: MIT */
/* Queue walks; see queue_walk.h. A heap of jobs per leaf, and the best child per inner queue. */
#include "order/queue_walk.h"

#include "state/evictable.h"
#include "state/gangs.h"
#include "state/tasks.h"

#include <string.h>

/* Flag of an entry: a victim that has given some tasks and has more. */
#define REST UINT32_C(0x80000000)

static uint32_t job_of(uint32_t entry)
{
    return entry & ~REST;
}

/* ---- building ---- */

bool pc_walk_begin(struct policy *p, struct pc_queue_walk *line)
{
    const struct pc_cluster *c = p->cluster;
    uint32_t known = line->slot_capacity;
    bool grown = PC_GROW(&p->memory, line->slots, line->slot_capacity, c->queue_count);
    if (line->slot_capacity > known) /* empty even if a later step fails */
        memset(line->slots + known, 0, (line->slot_capacity - known) * sizeof *line->slots);
    if (!grown || !PC_GROW(&p->memory, line->queues, line->queue_capacity, c->queue_count)) {
        p->cluster->out_of_memory = true;
        return false;
    }
    for (uint32_t i = 0; i < line->queue_count; i++) {
        struct pc_walk_slot *s = &line->slots[line->queues[i]];
        s->count = s->leaves = 0;
        s->listed = s->gives = s->known = false;
        s->taken = (struct pc_amounts){{0, 0, 0}};
    }
    line->queue_count = 0;
    line->changed = PC_NONE;
    line->fresh = false;
    line->victims = false;
    return true;
}

void pc_walk_free(struct policy *p, struct pc_queue_walk *line)
{
    for (uint32_t i = 0; i < line->slot_capacity; i++)
        pc_release(&p->memory, line->slots[i].jobs, line->slots[i].capacity, sizeof(uint32_t));
    pc_release(&p->memory, line->slots, line->slot_capacity, sizeof *line->slots);
    pc_release(&p->memory, line->queues, line->queue_capacity, sizeof *line->queues);
}

/* ---- the heap of a leaf ---- */

/* A victim of which nothing was taken has the state under which its queue lists it. */
static int elastic_state(const struct policy *p, const struct pc_queue_walk *line, uint32_t entry)
{
    return line->victims && (entry & REST) == 0
               ? p->cluster->jobs[entry].detail->gives_as
               : pc_elastic_state(p->cluster, job_of(entry), line->victims);
}

static bool before(const struct policy *p, const struct pc_queue_walk *line, uint32_t a, uint32_t b)
{
    int order = pc_compare_jobs_as(p, job_of(a), elastic_state(p, line, a), job_of(b),
                                   elastic_state(p, line, b));
    return line->victims ? order > 0 : order < 0;
}

/* Updates the leaf counts of the ancestors when a leaf gets its first job or loses its last. */
static void count_leaf(const struct pc_cluster *c, struct pc_queue_walk *line, uint32_t leaf,
                       bool has)
{
    for (uint32_t q = leaf; q != POLICY_NO_ID; q = pc_above(c, q)) {
        struct pc_walk_slot *s = &line->slots[q];
        s->leaves += has ? 1 : UINT32_MAX;
        if (!s->listed)
            line->queues[line->queue_count++] = q;
        s->listed = true;
    }
}

static bool push(struct policy *p, struct pc_queue_walk *line, uint32_t leaf, uint32_t entry)
{
    struct pc_walk_slot *s = &line->slots[leaf];
    if (!PC_GROW(&p->memory, s->jobs, s->capacity, s->count + 1)) {
        p->cluster->out_of_memory = true;
        return false;
    }
    uint32_t at = s->count++;
    for (; at > 0 && before(p, line, entry, s->jobs[(at - 1) / 2]); at = (at - 1) / 2)
        s->jobs[at] = s->jobs[(at - 1) / 2];
    s->jobs[at] = entry;
    return true;
}

static uint32_t pop(const struct policy *p, const struct pc_queue_walk *line,
                    struct pc_walk_slot *s)
{
    uint32_t first = s->jobs[0];
    uint32_t entry = s->jobs[--s->count];
    uint32_t at = 0;
    for (uint32_t child = 1; child < s->count; child = 2 * at + 1) {
        if (child + 1 < s->count && before(p, line, s->jobs[child + 1], s->jobs[child]))
            child++;
        if (!before(p, line, s->jobs[child], entry))
            break;
        s->jobs[at] = s->jobs[child];
        at = child;
    }
    if (s->count > 0)
        s->jobs[at] = entry;
    return first;
}

/* ---- a leaf ---- */

static bool is_empty(const struct pc_walk_slot *s)
{
    return s->count == 0 && !s->gives;
}

/* The first job of a non-empty leaf: from its heap, or from the victims that had no turn. */
static uint32_t first_of(const struct policy *p, const struct pc_queue_walk *line, uint32_t leaf)
{
    const struct pc_walk_slot *s = &line->slots[leaf];
    if (!s->gives)
        return s->jobs[0];
    uint32_t victim = pc_evictable_at(&p->cluster->queues[leaf].active, s->next_victim);
    return s->count > 0 && before(p, line, s->jobs[0], victim) ? s->jobs[0] : victim;
}

/* The entry of the first of the victims that had no turn; if any is left. */
static const struct pc_giver *next_giver(const struct pc_cluster *c,
                                         const struct pc_queue_walk *line, uint32_t leaf)
{
    return pc_evictable_entry(&c->queues[leaf].active, line->slots[leaf].next_victim);
}

/* Removes the first job. */
static void leave(const struct policy *p, struct pc_queue_walk *line, uint32_t leaf, uint32_t first)
{
    struct pc_walk_slot *s = &line->slots[leaf];
    const struct pc_evictable *active = &p->cluster->queues[leaf].active;
    if (!line->victims || (first & REST) != 0) {
        (void)pop(p, line, s);
        return;
    }
    pc_evictable_next(active, &s->next_victim);
    s->gives = pc_evictable_at(active, s->next_victim) != PC_NONE;
}

static bool is_fit(const struct pc_cluster *c, const struct pc_queue_walk *line,
                   const struct pc_walk_slot *s, uint32_t job)
{
    return !(s->some_kept && c->job_kept_in[job] == c->decision_number) &&
           (s->all || line->filter(line->filter_context, job));
}

/* Skips jobs at the head of the leaf that the filter does not admit, or that keep their places in
 * this decision. */
static void skip_unfit(struct policy *p, struct pc_queue_walk *line, uint32_t leaf)
{
    struct pc_walk_slot *s = &line->slots[leaf];
    while (s->gives && (!s->all || s->some_kept)) {
        uint32_t first = first_of(p, line, leaf);
        if ((first & REST) != 0 || is_fit(p->cluster, line, s, first))
            return;
        leave(p, line, leaf, first);
        if (line->is_past != NULL && line->is_past(line->filter_context, first))
            s->gives = false;
    }
    if (is_empty(s) && s->leaves > 0)
        count_leaf(p->cluster, line, leaf, false);
}

/* ---- the tree ---- */

/* Updates the queue's standing among its siblings. */
static void stand(const struct policy *p, struct pc_queue_walk *line, uint32_t queue)
{
    static const struct pc_amounts nothing = {{0, 0, 0}};
    struct pc_walk_slot *s = &line->slots[queue];
    struct pc_amounts gives = pc_sum(&s->taken, &s->next);
    if (line->victims && s->known) { /* its allocation does not change during a victim walk */
        s->standing.then = pc_share_without(p, &p->cluster->queues[queue], &gives);
        return;
    }
    s->known = true;
    s->standing = pc_stand(p, &p->cluster->queues[queue], line->victims ? &nothing : &s->next,
                           line->victims ? &gives : &nothing);
}

/* The best sibling with jobs at or below it, or PC_NONE. */
static uint32_t best_of(const struct policy *p, const struct pc_queue_walk *line,
                        const uint32_t *queues, uint32_t count)
{
    uint32_t best = PC_NONE;
    for (uint32_t i = 0; i < count; i++) {
        if (line->slots[queues[i]].leaves == 0)
            continue;
        int order = 0;
        if (best != PC_NONE)
            order =
                pc_compare_queues(p, &line->slots[queues[i]].standing, &line->slots[best].standing);
        if (best == PC_NONE || (line->victims ? order > 0 : order < 0))
            best = queues[i];
    }
    return best;
}

/* The job's active tasks minus those already taken. */
static struct pc_amounts amounts_left(const struct policy *p, uint32_t job)
{
    const struct pc_cluster *c = p->cluster;
    const struct pc_job *j = &c->jobs[job];
    struct pc_amounts sum = {{0, 0, 0}};
    for (uint32_t i = 0; i < c->shapes[j->shape].tasks; i++) {
        if (!pc_is_active(&pc_task_of(j, i)->place) || pc_task_of(j, i)->popped)
            continue;
        struct pc_amounts weight = pc_weigh_task(c, job, i);
        pc_add(&sum, &weight, 1);
    }
    return sum;
}

static void refresh_leaf(struct policy *p, struct pc_queue_walk *line, uint32_t leaf)
{
    struct pc_walk_slot *s = &line->slots[leaf];
    if (line->victims)
        skip_unfit(p, line, leaf);
    if (is_empty(s))
        return;
    uint32_t first = first_of(p, line, leaf);
    s->best = job_of(first);
    s->best_leaf = leaf;
    if (!line->victims)
        s->next = pc_next_amounts(p, s->best);
    else if ((first & REST) != 0)
        s->next = amounts_left(p, s->best);
    else
        s->next = *pc_evictable_amounts(p->cluster, next_giver(p->cluster, line, leaf));
    stand(p, line, leaf);
}

static void refresh_inner(const struct policy *p, struct pc_queue_walk *line, uint32_t queue)
{
    const struct pc_queue *q = &p->cluster->queues[queue];
    uint32_t best = best_of(p, line, q->children, q->child_count);
    if (best == PC_NONE)
        return;
    line->slots[queue].best = line->slots[best].best;
    line->slots[queue].best_leaf = line->slots[best].best_leaf;
    line->slots[queue].next = line->slots[best].next;
    stand(p, line, queue);
}

/* Updates the ancestors after a change of the leaf's first job or amounts. */
static void refresh(struct policy *p, struct pc_queue_walk *line, uint32_t leaf)
{
    refresh_leaf(p, line, leaf);
    for (uint32_t q = pc_above(p->cluster, leaf); q != POLICY_NO_ID; q = pc_above(p->cluster, q))
        refresh_inner(p, line, q);
}

/* Few leaves are refreshed along their paths, many together from the bottom up. */
static void refresh_all(struct policy *p, struct pc_queue_walk *line)
{
    const struct pc_cluster *c = p->cluster;
    line->fresh = true;
    for (uint32_t i = 0; i < line->queue_count; i++)
        if (!is_empty(&line->slots[line->queues[i]]))
            refresh_leaf(p, line, line->queues[i]);
    for (uint32_t i = c->walk_count; i-- > 0 && !c->flat;)
        if (!c->queues[c->walk[i]].leaf && line->slots[c->walk[i]].leaves > 0)
            refresh_inner(p, line, c->walk[i]);
}

/* ---- interface ---- */

static bool add(struct policy *p, struct pc_queue_walk *line, uint32_t entry)
{
    uint32_t leaf = p->cluster->jobs[job_of(entry)].queue;
    if (line->fresh && line->changed != PC_NONE && line->changed != leaf)
        refresh(p, line, line->changed); /* before this leaf takes part in comparisons */
    line->changed = PC_NONE;
    bool empty = is_empty(&line->slots[leaf]);
    if (!push(p, line, leaf, entry))
        return false;
    if (empty)
        count_leaf(p->cluster, line, leaf, true);
    line->changed = leaf;
    return true;
}

bool pc_walk_add(struct policy *p, struct pc_queue_walk *line, uint32_t job)
{
    return add(p, line, job);
}

bool pc_walk_add_rest(struct policy *p, struct pc_queue_walk *line, uint32_t job)
{
    return add(p, line, job | REST);
}

bool pc_walk_begin_victims(struct policy *p, struct pc_queue_walk *line, uint32_t leaf,
                           enum pc_reach reach, struct pc_filter filter)
{
    const struct pc_cluster *c = p->cluster;
    if (!pc_walk_begin(p, line))
        return false;
    line->victims = true;
    line->filter = filter.admits;
    line->is_past = filter.is_past;
    line->filter_context = filter.context;
    uint32_t first = reach == PC_OWN ? leaf : 0;
    uint32_t behind = reach == PC_OWN ? leaf + 1 : c->queue_count;
    for (uint32_t q = first; q < behind; q++) {
        if ((reach == PC_OTHERS && q == leaf) || c->queues[q].active.count == 0)
            continue;
        line->slots[q].gives = true;
        line->slots[q].some_kept = c->queues[q].kept_in == c->decision_number;
        line->slots[q].all = filter.admits_leaf != NULL && filter.admits_leaf(filter.context, q);
        line->slots[q].next_victim = (struct pc_evictable_place){0, 0};
        count_leaf(c, line, q, true);
    }
    return true;
}

/* Returns the leaf that is next, or PC_NONE. */
static uint32_t next_leaf(struct policy *p, struct pc_queue_walk *line)
{
    const struct pc_cluster *c = p->cluster;
    if (!line->fresh)
        refresh_all(p, line);
    else if (line->changed != PC_NONE)
        refresh(p, line, line->changed);
    line->changed = PC_NONE;
    uint32_t root = c->flat ? best_of(p, line, line->queues, line->queue_count)
                            : best_of(p, line, c->roots, c->root_count);
    return root == PC_NONE || c->out_of_memory ? PC_NONE : line->slots[root].best_leaf;
}

static void take(const struct policy *p, struct pc_queue_walk *line, uint32_t leaf, uint32_t first)
{
    leave(p, line, leaf, first);
    if (is_empty(&line->slots[leaf]))
        count_leaf(p->cluster, line, leaf, false);
    line->changed = leaf;
}

static void add_taken(const struct pc_cluster *c, struct pc_queue_walk *line, uint32_t leaf,
                      const struct pc_amounts *amounts)
{
    for (uint32_t q = leaf; q != POLICY_NO_ID; q = pc_above(c, q))
        pc_add(&line->slots[q].taken, amounts, 1);
}

uint32_t pc_walk_pop(struct policy *p, struct pc_queue_walk *line)
{
    uint32_t leaf = next_leaf(p, line);
    if (leaf == PC_NONE)
        return PC_NONE;
    uint32_t first = first_of(p, line, leaf);
    take(p, line, leaf, first);
    return job_of(first);
}

uint32_t pc_walk_pop_if(struct policy *p, struct pc_queue_walk *line,
                        bool (*matters)(const void *context, uint32_t job, uint32_t node),
                        const void *context, uint32_t *left_out)
{
    const struct pc_cluster *c = p->cluster;
    uint32_t most = *left_out;
    for (*left_out = 0;; ++*left_out) {
        uint32_t leaf = next_leaf(p, line);
        if (leaf == PC_NONE)
            return PC_NONE;
        uint32_t first = first_of(p, line, leaf);
        bool whole = (first & REST) == 0;
        const struct pc_giver *giver = whole ? next_giver(c, line, leaf) : NULL;
        take(p, line, leaf, first);
        if (!whole || *left_out == most || matters(context, first, giver->node) ||
            (giver->node == PC_NONE && c->jobs[first].detail->gives_as != 0))
            return job_of(first);
        add_taken(c, line, leaf, pc_evictable_amounts(c, giver));
    }
}

void pc_walk_look_again(struct policy *p, struct pc_queue_walk *line)
{
    for (uint32_t i = 0; i < line->queue_count; i++)
        if (line->slots[line->queues[i]].leaves > 0)
            stand(p, line, line->queues[i]);
}

void pc_walk_taken(struct policy *p, struct pc_queue_walk *line, uint32_t job,
                   const struct pc_amounts *amounts)
{
    add_taken(p->cluster, line, p->cluster->jobs[job].queue, amounts);
}
