/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A trace whose arrivals are moved a little, each by its own jitter, and sorted again. A job that is still to come
 * cannot arrive before the last one read minus the jitter's bound, nor before the first submit time of the trace:
 * until then jobs wait in a heap, ordered by (new submit time, order of arrival here).
 *
 *     heap:  keys (submit_ms, order, slot), earliest first
 *     slots: the jobs, each with a buffer that holds its strings one behind the other; slots are used again
 *
 * Strings of a job live until the next trace_next(), so the slot of the job handed out is freed one call later.
 */
#include "traces/vary/adjust_internal.h"

#include "sim/base/mem.h"
#include "sim/base/rng.h"

#include <gsl/gsl_rng.h>
#include <stdlib.h>

#define NO_SLOT SIZE_MAX

struct key {
    int64_t submit_ms;
    uint64_t order; /* unique, so keys have a total order */
    size_t slot;
};

struct slot {
    struct trace_job job;
    char *text;
    size_t text_capacity;
    size_t next_free; /* slot, or NO_SLOT */
};

struct shaken {
    struct stage stage;
    int64_t shake_ms;
    uint64_t seed, order;
    int64_t first_ms; /* valid when order > 0 */
    int64_t floor_ms; /* no later job arrives before this */
    bool exhausted;
    struct key *heap;
    size_t heap_count, heap_capacity;
    struct slot *slots;
    size_t slot_count, slot_capacity;
    size_t first_free, handed_out; /* slots, or NO_SLOT */
};

/* ---- the heap -------------------------------------------------------------------------------------------------- */

static bool before(const struct key *a, const struct key *b)
{
    return a->submit_ms != b->submit_ms ? a->submit_ms < b->submit_ms : a->order < b->order;
}

static void heap_add(struct shaken *shaken, struct key key)
{
    shaken->heap =
        mem_grow(shaken->heap, &shaken->heap_capacity, shaken->heap_count + 1, sizeof *shaken->heap);
    size_t at = shaken->heap_count++;
    while (at > 0 && before(&key, &shaken->heap[(at - 1) / 2])) {
        shaken->heap[at] = shaken->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    shaken->heap[at] = key;
}

static size_t heap_take(struct shaken *shaken)
{
    struct key *heap = shaken->heap;
    size_t slot = heap[0].slot, count = --shaken->heap_count, at = 0;
    struct key last = heap[count];
    for (size_t child = 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && before(&heap[child + 1], &heap[child]))
            child++;
        if (!before(&heap[child], &last))
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = last;
    return slot;
}

/* ---- the slots ------------------------------------------------------------------------------------------------- */

static size_t slot_get(struct shaken *shaken)
{
    size_t index = shaken->first_free;
    if (index != NO_SLOT) {
        shaken->first_free = shaken->slots[index].next_free;
        return index;
    }
    index = shaken->slot_count++;
    shaken->slots =
        mem_grow(shaken->slots, &shaken->slot_capacity, shaken->slot_count, sizeof *shaken->slots);
    shaken->slots[index] = (struct slot){.text = NULL};
    return index;
}

static void slot_put(struct shaken *shaken, size_t index)
{
    shaken->slots[index].next_free = shaken->first_free;
    shaken->first_free = index;
}

/* ---- the stream ------------------------------------------------------------------------------------------------ */

/* The row keys the jitter, so that neither other jobs nor other changes to the trace have a part in it. */
static int64_t jitter(const struct shaken *shaken, uint64_t row)
{
    struct rng_stream stream;
    rng_init(&stream, shaken->seed, RNG_SHAKE, row);
    return (int64_t)gsl_rng_uniform_int(rng_gsl(&stream), (unsigned long)(2 * shaken->shake_ms + 1)) -
           shaken->shake_ms;
}

static void keep(struct shaken *shaken, struct trace_job *job)
{
    int64_t raw_ms = job->submit_ms;
    if (shaken->order == 0)
        shaken->first_ms = raw_ms;
    int64_t floor_ms = raw_ms - shaken->shake_ms;
    shaken->floor_ms = floor_ms > shaken->first_ms ? floor_ms : shaken->first_ms;
    int64_t moved_ms = raw_ms + jitter(shaken, job->row);
    if (moved_ms < shaken->first_ms)
        moved_ms = shaken->first_ms;
    trace_job_shift(job, moved_ms - raw_ms);
    job->start_ms = job->end_ms = TRACE_UNKNOWN;
    size_t slot = slot_get(shaken);
    shaken->slots[slot].job = *job;
    trace_job_keep(&shaken->slots[slot].job, &shaken->slots[slot].text, &shaken->slots[slot].text_capacity);
    heap_add(shaken, (struct key){job->submit_ms, shaken->order++, slot});
}

static enum trace_result next(struct trace *base, struct trace_job *job, struct err *err)
{
    struct shaken *shaken = (struct shaken *)base;
    if (shaken->handed_out != NO_SLOT)
        slot_put(shaken, shaken->handed_out);
    shaken->handed_out = NO_SLOT;
    while (!shaken->exhausted && (shaken->heap_count == 0 || shaken->heap[0].submit_ms > shaken->floor_ms)) {
        struct trace_job read;
        enum trace_result result = trace_next(shaken->stage.inner, &read, err);
        if (result < 0)
            return result;
        shaken->exhausted = result == TRACE_END;
        if (result == TRACE_JOB)
            keep(shaken, &read);
    }
    if (shaken->heap_count == 0)
        return TRACE_END;
    shaken->handed_out = heap_take(shaken);
    *job = shaken->slots[shaken->handed_out].job;
    return TRACE_JOB;
}

static void close_shaken(struct trace *base)
{
    struct shaken *shaken = (struct shaken *)base;
    for (size_t i = 0; i < shaken->slot_count; i++)
        free(shaken->slots[i].text);
    free(shaken->slots);
    free(shaken->heap);
    stage_close(base);
}

static const struct trace_methods shaken_methods = {
    .next = next,
    .close = close_shaken,
    .digest = stage_digest,
    .notes = stage_notes,
};

struct trace *stage_shake(struct trace *trace, int64_t shake_ms, uint64_t seed)
{
    struct shaken *shaken = mem_alloc(1, sizeof *shaken);
    stage_init(&shaken->stage, &shaken_methods, trace);
    // More jitter than there is time would only overflow.
    shaken->shake_ms = shake_ms < STAGE_LAST_MS ? shake_ms : STAGE_LAST_MS;
    shaken->seed = seed;
    shaken->first_free = shaken->handed_out = NO_SLOT;
    return &shaken->stage.base;
}
