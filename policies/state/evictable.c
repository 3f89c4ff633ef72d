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

static bool gives_before(const struct policy *p, uint32_t a, uint32_t b)
{
    const struct pc_job *jobs = p->cluster->jobs;
    return pc_compare_jobs_as(p, a, jobs[a].detail->gives_as, b, jobs[b].detail->gives_as) > 0;
}

/* Number of jobs in the block that precede the job. */
static uint32_t before_in(const struct policy *p, const struct pc_block *block, uint32_t job)
{
    uint32_t low = 0;
    for (uint32_t high = block->count; low < high;) {
        uint32_t middle = (low + high) / 2;
        if (gives_before(p, block->ids[middle], job))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The position of the first job that does not precede the job; past the end: in the last block. */
static struct pc_evictable_place find(const struct policy *p, const struct pc_evictable *list,
                                      uint32_t job)
{
    uint32_t low = 0;
    for (uint32_t high = list->block_count - 1; low < high;) {
        uint32_t middle = (low + high) / 2;
        const struct pc_block *block = &list->blocks[list->order[middle]];
        if (gives_before(p, block->ids[block->count - 1], job))
            low = middle + 1;
        else
            high = middle;
    }
    return (struct pc_evictable_place){low, before_in(p, &list->blocks[list->order[low]], job)};
}

struct pc_evictable_place pc_evictable_find(const struct policy *p, const struct pc_evictable *list,
                                            uint32_t job)
{
    return find(p, list, job);
}

struct pc_amounts pc_evictable_sum(const struct policy *p, const struct pc_evictable *list,
                                   struct pc_evictable_place at)
{
    const struct pc_block *block = &list->blocks[list->order[at.block]];
    struct pc_amounts sum = {{0, 0, 0}};
    for (uint32_t i = 0; i < at.block; i++)
        pc_add(&sum, &list->blocks[list->order[i]].sum, 1);
    for (uint32_t i = 0; i <= at.place; i++)
        pc_add(&sum, &p->cluster->jobs[block->ids[i]].detail->active_amounts, 1);
    return sum;
}

bool pc_evictable_has(const struct policy *p, const struct pc_evictable *list, uint32_t job)
{
    if (list->count == 0)
        return false;
    struct pc_evictable_place at = find(p, list, job);
    return at.place < list->blocks[list->order[at.block]].count && pc_evictable_at(list, at) == job;
}

/* ---- blocks ---- */

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
    memcpy(block->ids + block->count, next->ids, next->count * sizeof *next->ids);
    block->count += next->count;
    pc_add(&block->sum, &next->sum, 1);
    drop_block(list, place + 1);
}

/* Splits a full block in half; each half is then merged with a neighbour if possible. */
static void split(const struct policy *p, struct pc_evictable *list, uint32_t place)
{
    struct pc_block *behind = insert_block(list, place + 1);
    struct pc_block *block = &list->blocks[list->order[place]];
    behind->count = block->count / 2;
    block->count -= behind->count;
    memcpy(behind->ids, block->ids + block->count, behind->count * sizeof *behind->ids);
    for (uint32_t i = 0; i < behind->count; i++)
        pc_add(&behind->sum, &p->cluster->jobs[behind->ids[i]].detail->active_amounts, 1);
    pc_add(&block->sum, &behind->sum, -1);
    join(list, place + 1);
    if (place > 0)
        join(list, place - 1);
}

void pc_evictable_add(const struct policy *p, struct pc_evictable *list, uint32_t job)
{
    if (list->block_count == 0)
        (void)insert_block(list, 0);
    struct pc_evictable_place at = find(p, list, job);
    if (list->blocks[list->order[at.block]].count == PC_BLOCK) {
        split(p, list, at.block);
        at = find(p, list, job);
    }
    struct pc_block *block = &list->blocks[list->order[at.block]];
    memmove(block->ids + at.place + 1, block->ids + at.place,
            (block->count - at.place) * sizeof *block->ids);
    block->ids[at.place] = job;
    block->count++;
    pc_add(&block->sum, &p->cluster->jobs[job].detail->active_amounts, 1);
    list->count++;
    list->parts += p->cluster->jobs[job].detail->gives_as != 0;
}

void pc_evictable_remove(const struct policy *p, struct pc_evictable *list, uint32_t job)
{
    struct pc_evictable_place at = find(p, list, job);
    struct pc_block *block = &list->blocks[list->order[at.block]];
    block->count--;
    pc_add(&block->sum, &p->cluster->jobs[job].detail->active_amounts, -1);
    list->count--;
    list->parts -= p->cluster->jobs[job].detail->gives_as != 0;
    memmove(block->ids + at.place, block->ids + at.place + 1,
            (block->count - at.place) * sizeof *block->ids);
    if (block->count == 0)
        drop_block(list, at.block);
    else
        join(list, at.block);
    if (at.block > 0)
        join(list, at.block - 1);
}
