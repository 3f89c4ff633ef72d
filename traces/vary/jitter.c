/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A trace with jittered arrivals, sorted again. A future job cannot arrive before the submit time
 * of the last one read minus the maximum jitter, nor before the first submit time of the trace:
 * until then jobs wait in a heap, ordered by (new submit time, order of reading).
 *
 *     heap:  keys (submit_ms, order, slot), earliest first
 *     slots: the jobs, each with a buffer for its strings; slots are reused
 *
 * The strings of a job live until the next trace_next(), so the slot of the job returned is freed
 * one call later.
 */
#include "traces/vary/adjust_internal.h"

#include "sim/base/heap.h"
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

struct jittered {
    struct stage stage;
    int64_t jitter_ms;
    uint64_t seed, order;
    int64_t first_ms; /* valid when order > 0 */
    int64_t floor_ms; /* no future job arrives before this */
    bool exhausted;
    struct key *heap;
    size_t heap_count, heap_capacity;
    struct slot *slots;
    size_t slot_count, slot_capacity;
    size_t first_free, handed_out; /* slots, or NO_SLOT */
};

/* ---- the heap -------------------------------------------------------------------------------- */

static bool before(const struct key *a, const struct key *b)
{
    return a->submit_ms != b->submit_ms ? a->submit_ms < b->submit_ms : a->order < b->order;
}

HEAP(key, struct key, before)

/* ---- the slots ------------------------------------------------------------------------------- */

static size_t slot_get(struct jittered *jittered)
{
    size_t index = jittered->first_free;
    if (index != NO_SLOT) {
        jittered->first_free = jittered->slots[index].next_free;
        return index;
    }
    index = jittered->slot_count++;
    jittered->slots = mem_grow(jittered->slots, &jittered->slot_capacity, jittered->slot_count,
                               sizeof *jittered->slots);
    jittered->slots[index] = (struct slot){.text = NULL};
    return index;
}

static void slot_put(struct jittered *jittered, size_t index)
{
    jittered->slots[index].next_free = jittered->first_free;
    jittered->first_free = index;
}

/* ---- the stream ------------------------------------------------------------------------------ */

/* Keyed by the row, so that it depends neither on other jobs nor on other changes to the trace. */
static int64_t jitter(const struct jittered *jittered, uint64_t row)
{
    struct rng_stream stream;
    rng_init(&stream, jittered->seed, RNG_JITTER, row);
    return (int64_t)gsl_rng_uniform_int(rng_gsl(&stream),
                                        (unsigned long)(2 * jittered->jitter_ms + 1)) -
           jittered->jitter_ms;
}

static void keep(struct jittered *jittered, struct trace_job *job)
{
    int64_t raw_ms = job->submit_ms;
    if (jittered->order == 0)
        jittered->first_ms = raw_ms;
    int64_t floor_ms = raw_ms - jittered->jitter_ms;
    jittered->floor_ms = floor_ms > jittered->first_ms ? floor_ms : jittered->first_ms;
    int64_t moved_ms = raw_ms + jitter(jittered, job->row);
    if (moved_ms < jittered->first_ms)
        moved_ms = jittered->first_ms;
    trace_job_shift(job, moved_ms - raw_ms);
    job->start_ms = job->end_ms = TRACE_UNKNOWN;
    size_t slot = slot_get(jittered);
    jittered->slots[slot].job = *job;
    trace_job_keep(&jittered->slots[slot].job, &jittered->slots[slot].text,
                   &jittered->slots[slot].text_capacity);
    jittered->heap = mem_grow(jittered->heap, &jittered->heap_capacity, jittered->heap_count + 1,
                              sizeof *jittered->heap);
    key_put(jittered->heap, &jittered->heap_count,
            (struct key){job->submit_ms, jittered->order++, slot});
}

static enum trace_result next(struct trace *base, struct trace_job *job, struct err *err)
{
    struct jittered *jittered = (struct jittered *)base;
    if (jittered->handed_out != NO_SLOT)
        slot_put(jittered, jittered->handed_out);
    jittered->handed_out = NO_SLOT;
    while (!jittered->exhausted &&
           (jittered->heap_count == 0 || jittered->heap[0].submit_ms > jittered->floor_ms)) {
        struct trace_job read;
        enum trace_result result = trace_next(jittered->stage.inner, &read, err);
        if (result < 0)
            return result;
        jittered->exhausted = result == TRACE_END;
        if (result == TRACE_JOB)
            keep(jittered, &read);
    }
    if (jittered->heap_count == 0)
        return TRACE_END;
    jittered->handed_out = key_take(jittered->heap, &jittered->heap_count).slot;
    *job = jittered->slots[jittered->handed_out].job;
    return TRACE_JOB;
}

static void close_jittered(struct trace *base)
{
    struct jittered *jittered = (struct jittered *)base;
    for (size_t i = 0; i < jittered->slot_count; i++)
        free(jittered->slots[i].text);
    free(jittered->slots);
    free(jittered->heap);
    stage_close(base);
}

static const struct trace_methods jittered_methods = {
    .next = next,
    .close = close_jittered,
    .digest = stage_digest,
    .notes = stage_notes,
};

struct trace *stage_jitter(struct trace *trace, int64_t jitter_ms, uint64_t seed)
{
    struct jittered *jittered = mem_alloc(1, sizeof *jittered);
    stage_init(&jittered->stage, &jittered_methods, trace);
    // A larger jitter would only overflow.
    jittered->jitter_ms = jitter_ms < STAGE_LAST_MS ? jitter_ms : STAGE_LAST_MS;
    jittered->seed = seed;
    jittered->first_free = jittered->handed_out = NO_SLOT;
    return &jittered->stage.base;
}
