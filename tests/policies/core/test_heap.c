/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Both heaps against what a scan says is the smallest. */
#include "core/heap.h"
#include "tests/lib/core.h"
#include "tests/lib/harness.h"

#include <string.h>

enum { JOBS = 500 };

/* A bare policy with jobs, none of which is waiting: enough for the heaps, which look at tickets only. */
struct bench {
    struct tally tally;
    struct pc_memory memory;
    struct policy policy;
    struct pc_job jobs[JOBS];
    struct pc_entry entries[JOBS];
    struct pc_heap heap;
};

static void open_bench(struct bench *b)
{
    memset(b, 0, sizeof *b);
    b->memory.allocator = tally_allocator(&b->tally);
    b->policy.jobs = b->jobs;
    for (uint32_t i = 0; i < JOBS; i++) {
        b->entries[i] =
            (struct pc_entry){.key = (int64_t)(i * 7919 % 50) - 25, .rank = i * 104729 % JOBS, .job = i};
        ck_assert(pc_heap_push(&b->heap, &b->memory, b->entries[i]));
    }
}

static void close_bench(struct bench *b)
{
    pc_release(&b->memory, b->heap.entries, b->heap.capacity, sizeof *b->heap.entries);
    ck_assert_uint_eq(b->tally.bytes, 0);
}

static uint32_t smallest(const struct bench *b)
{
    uint32_t best = PC_NONE;
    for (uint32_t i = 0; i < JOBS; i++)
        if (b->jobs[i].ticket == 0 && (best == PC_NONE || pc_entry_before(&b->entries[i], &b->entries[best])))
            best = i;
    return best;
}

START_TEST(entries_come_in_order)
{
    struct bench b;
    open_bench(&b);
    for (int i = 0; i < JOBS; i++) {
        uint32_t job = b.heap.entries[0].job;
        ck_assert_uint_eq(job, smallest(&b));
        b.jobs[job].ticket++;
        pc_heap_pop(&b.heap);
    }
    ck_assert_uint_eq(b.heap.count, 0);
    close_bench(&b);
}
END_TEST

START_TEST(stale_entries_are_dropped)
{
    struct bench b;
    open_bench(&b);
    for (uint32_t i = 0; i < JOBS; i++) {
        uint32_t job = i * 331 % JOBS; /* 331 and 500 have no common factor: every job once */
        b.jobs[job].ticket++;
        pc_heap_tidy(&b.policy, &b.heap, JOBS - 1 - i);
        ck_assert_uint_le(b.heap.count, 2 * (JOBS - 1 - i) + 16);
        if (i < JOBS - 1)
            ck_assert_uint_eq(b.heap.entries[0].job, smallest(&b));
    }
    ck_assert_uint_eq(b.heap.count, 0);
    close_bench(&b);
}
END_TEST

START_TEST(a_full_heap_without_memory_stays_as_it_is)
{
    struct bench b;
    open_bench(&b);
    b.tally.fail_at = b.tally.calls + 1;
    uint32_t count = b.heap.count;
    bool pushed = true;
    while (pushed) {
        pushed = pc_heap_push(&b.heap, &b.memory, (struct pc_entry){.key = 1000, .rank = count});
        count += pushed;
    }
    ck_assert_uint_eq(b.heap.count, count);
    ck_assert_uint_eq(b.heap.entries[0].job, smallest(&b));
    close_bench(&b);
}
END_TEST

/* ---- heaps of ids: lanes stand in for members, their number of groups for their key ---- */

static bool lane_before(const struct policy *p, uint32_t a, uint32_t b)
{
    return p->lanes[a].members != p->lanes[b].members ? p->lanes[a].members < p->lanes[b].members : a < b;
}

static void lane_moved(struct policy *p, uint32_t id, uint32_t position)
{
    p->lanes[id].heap_pos = position;
}

static const struct pc_idheap_type type = {lane_before, lane_moved};

START_TEST(ids_move_with_their_keys)
{
    enum { LANES = 40 };
    struct pc_lane lanes[LANES] = {0};
    uint32_t ids[LANES];
    struct policy policy = {.lanes = lanes};
    struct pc_idheap heap = {.ids = ids, .capacity = LANES};
    for (uint32_t i = 0; i < LANES; i++)
        lanes[i].heap_pos = PC_NONE;
    for (uint32_t step = 0; step < 5000; step++) {
        uint32_t id = step * 17 % LANES;
        bool in = lanes[id].heap_pos != PC_NONE;
        if (in && step % 3 == 0) {
            pc_idheap_remove(&policy, &heap, &type, lanes[id].heap_pos);
            ck_assert_uint_eq(lanes[id].heap_pos, PC_NONE);
        } else {
            lanes[id].members = step * 7919 % 97;
            if (in)
                pc_idheap_fix(&policy, &heap, &type, lanes[id].heap_pos);
            else
                pc_idheap_add(&policy, &heap, &type, id);
        }
        uint32_t best = PC_NONE;
        for (uint32_t i = 0; i < LANES; i++) {
            if (lanes[i].heap_pos == PC_NONE)
                continue;
            ck_assert_uint_eq(ids[lanes[i].heap_pos], i);
            if (best == PC_NONE || lane_before(&policy, i, best))
                best = i;
        }
        if (best != PC_NONE)
            ck_assert_uint_eq(ids[0], best);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("heap");
    TCase *tcase = tcase_create("heap");
    tcase_add_test(tcase, entries_come_in_order);
    tcase_add_test(tcase, stale_entries_are_dropped);
    tcase_add_test(tcase, a_full_heap_without_memory_stays_as_it_is);
    tcase_add_test(tcase, ids_move_with_their_keys);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
