/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The 4-ary heap of packed keys; the model is in events.h. */
#include "sim/kernel/events.h"

#include "sim/base/err.h"
#include "sim/base/mem.h"

#include <stdlib.h>

#define SEQUENCE_BITS 34
#define SUBJECT_BITS  26

void event_queue_init(struct event_queue *q)
{
    *q = (struct event_queue){0};
}

void event_queue_fini(struct event_queue *q)
{
    free(q->keys);
    *q = (struct event_queue){0};
}

static event_key pack(struct event_queue *q, int64_t time_ms, enum event_kind kind,
                      uint32_t subject)
{
    BUG_ON(subject > EVENT_MAX_SUBJECT);
    BUG_ON(q->sequence >> SEQUENCE_BITS != 0);
    uint64_t low =
        (uint64_t)kind << (SEQUENCE_BITS + SUBJECT_BITS) | q->sequence++ << SUBJECT_BITS | subject;
    return (event_key)((uint64_t)time_ms ^ (UINT64_C(1) << 63)) << 64 | low;
}

static void sift_up(event_key *keys, size_t at, event_key key)
{
    while (at > 0 && key < keys[(at - 1) / 4]) {
        keys[at] = keys[(at - 1) / 4];
        at = (at - 1) / 4;
    }
    keys[at] = key;
}

void event_push(struct event_queue *q, int64_t time_ms, enum event_kind kind, uint32_t subject)
{
    if (q->count == q->capacity)
        q->keys = mem_grow(q->keys, &q->capacity, q->count + 1, sizeof *q->keys);
    sift_up(q->keys, q->count, pack(q, time_ms, kind, subject));
    q->count++;
}

/* The smallest of four neighbours. */
static size_t smallest_of_four(const event_key *keys, size_t first)
{
    size_t a = first + (keys[first + 1] < keys[first]);
    size_t b = first + 2 + (keys[first + 3] < keys[first + 2]);
    return keys[b] < keys[a] ? b : a;
}

static struct event unpack(event_key key)
{
    return (struct event){
        .time_ms = (int64_t)((uint64_t)(key >> 64) ^ (UINT64_C(1) << 63)),
        .kind = (enum event_kind)((uint64_t)key >> (SEQUENCE_BITS + SUBJECT_BITS)),
        .subject = (uint32_t)((uint64_t)key & EVENT_MAX_SUBJECT),
    };
}

struct event event_top(const struct event_queue *q)
{
    return unpack(q->keys[0]);
}

struct event event_pop(struct event_queue *q)
{
    event_key *keys = q->keys;
    struct event top = event_top(q);
    size_t count = --q->count;
    event_key last = keys[count];
    size_t hole = 0;
    for (size_t child = 1; child < count; child = 4 * hole + 1) {
        size_t least = child;
        if (child + 3 < count)
            least = smallest_of_four(keys, child);
        else
            for (size_t i = child + 1; i < count; i++)
                least = keys[i] < keys[least] ? i : least;
        keys[hole] = keys[least];
        hole = least;
    }
    if (count > 0)
        sift_up(keys, hole, last);
    return top;
}

/* The heap is rebuilt in place from the start of its array. */
void event_drop(struct event_queue *q, bool (*drop)(const void *self, const struct event *),
                const void *self)
{
    size_t kept = 0;
    for (size_t i = 0; i < q->count; i++) {
        event_key key = q->keys[i];
        struct event event = unpack(key);
        if (!drop(self, &event))
            sift_up(q->keys, kept++, key);
    }
    q->count = kept;
}
