/* SPDX-License-Identifier: MIT */
/* Lines of jobs; see line.h. A heap of jobs in each leaf, and in each inner queue its best child. */
#include "order/line.h"

#include "cluster/chunk.h"
#include "cluster/tasks.h"

#include <string.h>

/* ---- building ---- */

bool pq_line_begin(struct policy *p, struct pq_line *line, bool victims)
{
    const struct cluster *c = p->cluster;
    uint32_t known = line->slot_capacity;
    if (!PC_GROW(&p->memory, line->slots, line->slot_capacity, c->queue_count) ||
        !PC_GROW(&p->memory, line->queues, line->queue_capacity, c->queue_count)) {
        p->cluster->out_of_memory = true;
        return false;
    }
    if (line->slot_capacity > known)
        memset(line->slots + known, 0, (line->slot_capacity - known) * sizeof *line->slots);
    for (uint32_t i = 0; i < line->queue_count; i++) {
        struct pq_line_slot *s = &line->slots[line->queues[i]];
        s->count = s->below = 0;
        s->listed = false;
        s->taken = (struct pq_amounts){
            {0, 0, 0}
        };
    }
    line->queue_count = 0;
    line->changed = PC_NONE;
    line->fresh = false;
    line->victims = victims;
    return true;
}

void pq_line_free(struct policy *p, struct pq_line *line)
{
    for (uint32_t i = 0; i < line->slot_capacity; i++)
        pc_release(&p->memory, line->slots[i].jobs, line->slots[i].capacity, sizeof(uint32_t));
    pc_release(&p->memory, line->slots, line->slot_capacity, sizeof *line->slots);
    pc_release(&p->memory, line->queues, line->queue_capacity, sizeof *line->queues);
}

/* ---- the heap of a leaf ---- */

static bool before(const struct policy *p, const struct pq_line *line, uint32_t a, uint32_t b)
{
    int order = pq_compare_jobs(p, a, b, line->victims);
    return line->victims ? order > 0 : order < 0;
}

static void sift_up(const struct policy *p, const struct pq_line *line, uint32_t *jobs, uint32_t at)
{
    uint32_t job = jobs[at];
    for (; at > 0 && before(p, line, job, jobs[(at - 1) / 2]); at = (at - 1) / 2)
        jobs[at] = jobs[(at - 1) / 2];
    jobs[at] = job;
}

static void sift_down(const struct policy *p, const struct pq_line *line, uint32_t *jobs, uint32_t count)
{
    uint32_t job = jobs[0];
    uint32_t at = 0;
    for (uint32_t child = 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && before(p, line, jobs[child + 1], jobs[child]))
            child++;
        if (!before(p, line, jobs[child], job))
            break;
        jobs[at] = jobs[child];
        at = child;
    }
    jobs[at] = job;
}

/* ---- the tree ---- */

static struct pq_side side_of(const struct policy *p, const struct pq_line *line, uint32_t queue)
{
    const struct pq_line_slot *s = &line->slots[queue];
    struct pq_side side = {.queue = &p->cluster->queues[queue]};
    if (line->victims)
        side.gives = pq_sum(&s->taken, &s->next);
    else
        side.asks = s->next;
    return side;
}

/* The best of the siblings that have jobs at or below them, or PC_NONE. */
static uint32_t best_of(const struct policy *p, const struct pq_line *line, const uint32_t *queues,
                        uint32_t count)
{
    uint32_t best = PC_NONE;
    struct pq_side best_side = {0};
    for (uint32_t i = 0; i < count; i++) {
        if (line->slots[queues[i]].below == 0)
            continue;
        struct pq_side side = side_of(p, line, queues[i]);
        int order = best == PC_NONE ? 0 : pq_compare_queues(p, &side, &best_side);
        if (best == PC_NONE || (line->victims ? order > 0 : order < 0)) {
            best = queues[i];
            best_side = side;
        }
    }
    return best;
}

/* What the job's active tasks amount to, without those that were taken already. */
static struct pq_amounts amounts_left(const struct policy *p, uint32_t job)
{
    const struct cluster *c = p->cluster;
    const struct pq_job *j = &c->jobs[job];
    struct pq_amounts sum = {
        {0, 0, 0}
    };
    for (uint32_t i = 0; i < c->shapes[j->shape].tasks; i++) {
        if (!pq_is_active(&j->tasks[i].place) || j->tasks[i].popped)
            continue;
        struct pq_amounts weight = pq_weigh_task(c, job, i);
        pq_add(&sum, &weight, 1);
    }
    return sum;
}

/* The leaf has a new first job, or its amounts have changed: the queues above it take note. */
static void refresh(struct policy *p, struct pq_line *line, uint32_t leaf)
{
    const struct cluster *c = p->cluster;
    struct pq_line_slot *s = &line->slots[leaf];
    if (s->count > 0) {
        s->best = s->jobs[0];
        s->next = line->victims ? amounts_left(p, s->best) : pq_next_amounts(p, s->best);
    }
    for (uint32_t q = pq_above(c, leaf); q != POLICY_NO_ID; q = pq_above(c, q)) {
        uint32_t best = best_of(p, line, c->queues[q].children, c->queues[q].child_count);
        if (best == PC_NONE)
            continue;
        line->slots[q].best = line->slots[best].best;
        line->slots[q].next = line->slots[best].next;
    }
}

static void refresh_all(struct policy *p, struct pq_line *line)
{
    for (uint32_t i = 0; i < line->queue_count; i++)
        if (line->slots[line->queues[i]].count > 0)
            refresh(p, line, line->queues[i]);
    line->fresh = true;
}

/* ---- the calls ---- */

bool pq_line_add(struct policy *p, struct pq_line *line, uint32_t job)
{
    const struct cluster *c = p->cluster;
    uint32_t leaf = c->jobs[job].queue;
    struct pq_line_slot *s = &line->slots[leaf];
    if (!PC_GROW(&p->memory, s->jobs, s->capacity, s->count + 1)) {
        p->cluster->out_of_memory = true;
        return false;
    }
    s->jobs[s->count++] = job;
    sift_up(p, line, s->jobs, s->count - 1);
    for (uint32_t q = leaf; q != POLICY_NO_ID; q = pq_above(c, q)) {
        if (line->slots[q].below++ == 0 && !line->slots[q].listed) {
            line->slots[q].listed = true;
            line->queues[line->queue_count++] = q;
        }
    }
    if (line->fresh && line->changed != PC_NONE && line->changed != leaf)
        refresh(p, line, line->changed);
    line->changed = leaf;
    return true;
}

uint32_t pq_line_pop(struct policy *p, struct pq_line *line)
{
    const struct cluster *c = p->cluster;
    if (!line->fresh)
        refresh_all(p, line);
    else if (line->changed != PC_NONE)
        refresh(p, line, line->changed);
    line->changed = PC_NONE;
    uint32_t root = c->flat ? best_of(p, line, line->queues, line->queue_count)
                            : best_of(p, line, c->roots, c->root_count);
    if (root == PC_NONE)
        return PC_NONE;
    uint32_t job = line->slots[root].best;
    uint32_t leaf = c->jobs[job].queue;
    struct pq_line_slot *s = &line->slots[leaf];
    s->jobs[0] = s->jobs[--s->count];
    if (s->count > 0)
        sift_down(p, line, s->jobs, s->count);
    for (uint32_t q = leaf; q != POLICY_NO_ID; q = pq_above(c, q))
        line->slots[q].below--;
    line->changed = leaf;
    return job;
}

void pq_line_taken(struct policy *p, struct pq_line *line, uint32_t job, const struct pq_amounts *amounts)
{
    const struct cluster *c = p->cluster;
    for (uint32_t q = c->jobs[job].queue; q != POLICY_NO_ID; q = pq_above(c, q))
        pq_add(&line->slots[q].taken, amounts, 1);
}
