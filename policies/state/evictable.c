/* SPDX-License-Identifier: MIT */
/* Evictable jobs of a leaf, in order; see evictable.h. */
#include "state/evictable.h"

#include "state/compare.h"

#include <string.h>

bool pc_evictable_reserve(struct policy *p, struct pc_evictable *list, uint32_t jobs)
{
    uint32_t blocks = 2 * (jobs / PC_BLOCK) + 2; /* a split needs one more temporarily */
    return PC_GROW(&p->memory, list->blocks, list->block_capacity, blocks) &&
           PC_GROW(&p->memory, list->order, list->order_capacity, blocks);
}

void pc_evictable_free(struct policy *p, struct pc_evictable *list)
{
    pc_release(&p->memory, list->blocks, list->block_capacity, sizeof *list->blocks);
    pc_release(&p->memory, list->order, list->order_capacity, sizeof *list->order);
    *list = (struct pc_evictable){0};
}

/* ---- finding ---- */

/* Returns true if the listed job precedes another one of this elastic state. */
static bool gives_before(const struct policy *p, uint32_t listed, uint32_t job, int as)
{
    return pc_compare_jobs_as(p, listed, p->cluster->jobs[listed].detail->gives_as, job, as) > 0;
}

/* Number of jobs in the block that precede the job. */
static uint32_t before_in(const struct policy *p, const struct pc_block *block, uint32_t job,
                          int as)
{
    uint32_t low = 0;
    for (uint32_t high = block->count; low < high;) {
        uint32_t middle = (low + high) / 2;
        if (gives_before(p, block->of[middle].job, job, as))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The position of the first job that does not precede the job; past the end: in the last block. */
static struct pc_evictable_place find(const struct policy *p, const struct pc_evictable *list,
                                      uint32_t job, int as)
{
    uint32_t low = 0;
    for (uint32_t high = list->block_count - 1; low < high;) {
        uint32_t middle = (low + high) / 2;
        const struct pc_block *block = &list->blocks[list->order[middle]];
        if (gives_before(p, block->of[block->count - 1].job, job, as))
            low = middle + 1;
        else
            high = middle;
    }
    return (struct pc_evictable_place){low, before_in(p, &list->blocks[list->order[low]], job, as)};
}

static struct pc_evictable_place find_listed(const struct policy *p,
                                             const struct pc_evictable *list, uint32_t job)
{
    return find(p, list, job, p->cluster->jobs[job].detail->gives_as);
}

struct pc_evictable_place pc_evictable_find(const struct policy *p, const struct pc_evictable *list,
                                            uint32_t job)
{
    return find_listed(p, list, job);
}

static void add_up(const struct policy *p, struct pc_amounts *sum, const struct pc_giver *givers,
                   uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        pc_add(sum, pc_evictable_amounts(p->cluster, &givers[i]), 1);
}

/* The sum of all blocks before this one and of its first jobs. */
static struct pc_amounts sum_up(const struct policy *p, const struct pc_evictable *list,
                                uint32_t block, uint32_t jobs)
{
    struct pc_amounts sum = {{0, 0, 0}};
    for (uint32_t i = 0; i < block; i++)
        pc_add(&sum, &list->blocks[list->order[i]].sum, 1);
    add_up(p, &sum, list->blocks[list->order[block]].of, jobs);
    return sum;
}

struct pc_amounts pc_evictable_sum(const struct policy *p, const struct pc_evictable *list,
                                   struct pc_evictable_place at)
{
    return sum_up(p, list, at.block, at.place + 1);
}

struct pc_amounts pc_evictable_sum_before(const struct policy *p, const struct pc_evictable *list,
                                          uint32_t job, int as)
{
    if (list->count == 0)
        return (struct pc_amounts){{0, 0, 0}};
    struct pc_evictable_place at = find(p, list, job, as);
    return sum_up(p, list, at.block, at.place);
}

bool pc_evictable_has(const struct policy *p, const struct pc_evictable *list, uint32_t job)
{
    if (list->count == 0)
        return false;
    struct pc_evictable_place at = find_listed(p, list, job);
    return at.place < list->blocks[list->order[at.block]].count && pc_evictable_at(list, at) == job;
}

/* ---- blocks ---- */

/* Determines the lowest priority, which is at least `known`. */
static void find_lowest(const struct policy *p, struct pc_block *block, int32_t known)
{
    block->lowest = INT32_MAX;
    for (uint32_t i = 0; i < block->count && block->lowest > known; i++)
        if (p->cluster->jobs[block->of[i].job].priority < block->lowest)
            block->lowest = p->cluster->jobs[block->of[i].job].priority;
}

/* The same for a block and its list after a job of the block's lowest priority was removed. */
static void lose_lowest(const struct policy *p, struct pc_evictable *list, struct pc_block *block)
{
    int32_t lost = block->lowest;
    find_lowest(p, block, lost);
    if (block->lowest == lost || lost > list->lowest)
        return;
    list->lowest = INT32_MAX;
    for (uint32_t i = 0; i < list->block_count; i++)
        if (list->blocks[list->order[i]].lowest < list->lowest)
            list->lowest = list->blocks[list->order[i]].lowest;
}

/* Inserts an empty block at this position of the order. Free blocks are kept in the order past
 * `block_count`. */
static struct pc_block *insert_block(struct pc_evictable *list, uint32_t place)
{
    uint32_t id = list->block_count < list->blocks_used ? list->order[list->block_count]
                                                        : list->blocks_used++;
    memmove(list->order + place + 1, list->order + place,
            (list->block_count - place) * sizeof *list->order);
    list->order[place] = id;
    list->block_count++;
    list->blocks[id].count = 0;
    list->blocks[id].sum = (struct pc_amounts){{0, 0, 0}};
    list->blocks[id].lowest = INT32_MAX;
    return &list->blocks[id];
}

static void drop_block(struct pc_evictable *list, uint32_t place)
{
    uint32_t id = list->order[place];
    memmove(list->order + place, list->order + place + 1,
            (list->block_count - place - 1) * sizeof *list->order);
    list->order[--list->block_count] = id;
}

/* Merges the block with the next one if they fit with room for one more job. */
static void join(struct pc_evictable *list, uint32_t place)
{
    if (place + 1 >= list->block_count)
        return;
    struct pc_block *block = &list->blocks[list->order[place]];
    const struct pc_block *next = &list->blocks[list->order[place + 1]];
    if (block->count + next->count >= PC_BLOCK)
        return;
    memcpy(block->of + block->count, next->of, next->count * sizeof *next->of);
    block->count += next->count;
    pc_add(&block->sum, &next->sum, 1);
    block->lowest = next->lowest < block->lowest ? next->lowest : block->lowest;
    drop_block(list, place + 1);
}

/* Splits a full block in half; each half is then merged with a neighbour if possible. */
static void split(const struct policy *p, struct pc_evictable *list, uint32_t place)
{
    struct pc_block *behind = insert_block(list, place + 1);
    struct pc_block *block = &list->blocks[list->order[place]];
    behind->count = block->count / 2;
    block->count -= behind->count;
    memcpy(behind->of, block->of + block->count, behind->count * sizeof *behind->of);
    add_up(p, &behind->sum, behind->of, behind->count);
    pc_add(&block->sum, &behind->sum, -1);
    find_lowest(p, behind, block->lowest);
    find_lowest(p, block, block->lowest);
    join(list, place + 1);
    if (place > 0)
        join(list, place - 1);
}

static struct pc_giver describe(const struct pc_cluster *c, uint32_t job)
{
    const struct pc_detail *detail = c->jobs[job].detail;
    uint32_t shape = c->jobs[job].shape;
    bool in_full = pc_equal_amounts(&detail->active_amounts, &c->shapes[shape].total);
    return (struct pc_giver){job, detail->active_on, in_full ? shape : PC_NONE};
}

void pc_evictable_add(const struct policy *p, struct pc_evictable *list, uint32_t job)
{
    if (list->block_count == 0)
        (void)insert_block(list, 0);
    struct pc_evictable_place at = find_listed(p, list, job);
    if (list->blocks[list->order[at.block]].count == PC_BLOCK) {
        split(p, list, at.block);
        at = find_listed(p, list, job);
    }
    struct pc_block *block = &list->blocks[list->order[at.block]];
    memmove(block->of + at.place + 1, block->of + at.place,
            (block->count - at.place) * sizeof *block->of);
    block->of[at.place] = describe(p->cluster, job);
    block->count++;
    pc_add(&block->sum, &p->cluster->jobs[job].detail->active_amounts, 1);
    int32_t priority = p->cluster->jobs[job].priority;
    block->lowest = priority < block->lowest ? priority : block->lowest;
    list->lowest = list->count == 0 || priority < list->lowest ? priority : list->lowest;
    list->count++;
    list->parts += p->cluster->jobs[job].detail->gives_as != 0;
}

void pc_evictable_remove(const struct policy *p, struct pc_evictable *list, uint32_t job)
{
    struct pc_evictable_place at = find_listed(p, list, job);
    struct pc_block *block = &list->blocks[list->order[at.block]];
    block->count--;
    pc_add(&block->sum, &p->cluster->jobs[job].detail->active_amounts, -1);
    list->count--;
    list->parts -= p->cluster->jobs[job].detail->gives_as != 0;
    memmove(block->of + at.place, block->of + at.place + 1,
            (block->count - at.place) * sizeof *block->of);
    if (p->cluster->jobs[job].priority == block->lowest)
        lose_lowest(p, list, block);
    if (block->count == 0)
        drop_block(list, at.block);
    else
        join(list, at.block);
    if (at.block > 0)
        join(list, at.block - 1);
}

void pc_evictable_move(const struct policy *p, struct pc_evictable *list, uint32_t job,
                       uint32_t node)
{
    struct pc_evictable_place at = find_listed(p, list, job);
    list->blocks[list->order[at.block]].of[at.place].node = node;
    p->cluster->jobs[job].detail->active_on = node;
}
