/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Evictable jobs in order: against an array that is scanned from one end to the other. */
#include "state/compare.h"
#include "state/evictable.h"
#include "tests/lib/core.h"
#include "tests/lib/harness.h"

#include <stdlib.h>
#include <string.h>

enum { JOBS = 3000, SHAPES = 5, STEPS = 20000 };

struct world {
    struct tally tally;
    struct policy p;
    struct pc_cluster c;
    struct pc_job jobs[JOBS];
    struct pc_shape shapes[SHAPES];
    uint32_t listed[JOBS]; /* in order */
    uint32_t count;
    struct pc_evictable list;
    uint64_t random;
};

static uint32_t draw(struct world *w, uint32_t below)
{
    w->random = w->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(w->random >> 33) % below;
}

/* Keys, many of them equal, so that ranks decide. */
static void give_key(struct world *w, uint32_t job)
{
    w->jobs[job].key = (struct pc_key){draw(w, 2), draw(w, 50)};
    w->jobs[job].priority = (int32_t)draw(w, 400) - 200; /* few blocks have the lowest */
    w->jobs[job].detail->gives_as = (int8_t)((int)draw(w, 3) - 1);
    for (int r = 0; r < PC_RESOURCES; r++)
        w->jobs[job].detail->active_amounts.of[r] = draw(w, 1000);
    w->jobs[job].detail->active_on = PC_NONE;
    if (draw(w, 2) == 0)
        return;
    w->jobs[job].shape = draw(w, SHAPES);
    w->jobs[job].detail->active_on = draw(w, 100);
    w->jobs[job].detail->active_amounts = w->shapes[w->jobs[job].shape].total;
}

static void open_world(struct world *w, uint64_t seed)
{
    memset(w, 0, sizeof *w);
    w->random = seed;
    w->p.memory = (struct pc_memory){tally_allocator(&w->tally)};
    w->p.cluster = &w->c;
    w->c.jobs = w->jobs;
    w->c.shapes = w->shapes;
    for (uint32_t i = 0; i < SHAPES; i++)
        w->shapes[i].total = (struct pc_amounts){{1000 * i, i, 7 * i}};
    for (uint32_t i = 0; i < JOBS; i++) {
        w->jobs[i].rank = (uint64_t)i * 2654435761u % 65536;
        w->jobs[i].detail = calloc(1, sizeof *w->jobs[i].detail);
        ck_assert_ptr_nonnull(w->jobs[i].detail);
    }
    ck_assert(pc_evictable_reserve(&w->p, &w->list, JOBS));
}

static bool gives_before(const struct world *w, uint32_t a, uint32_t b)
{
    return pc_compare_jobs_as(&w->p, a, w->jobs[a].detail->gives_as, b,
                              w->jobs[b].detail->gives_as) > 0;
}

/* The first of the array that does not precede the job. */
static uint32_t place_of(const struct world *w, uint32_t job)
{
    uint32_t at = 0;
    while (at < w->count && gives_before(w, w->listed[at], job))
        at++;
    return at;
}

static void toggle(struct world *w, uint32_t job)
{
    if (w->jobs[job].gives) {
        uint32_t at = place_of(w, job);
        pc_evictable_remove(&w->p, &w->list, job);
        memmove(w->listed + at, w->listed + at + 1, (--w->count - at) * sizeof *w->listed);
    } else {
        give_key(w, job);
        uint32_t at = place_of(w, job);
        pc_evictable_add(&w->p, &w->list, job);
        memmove(w->listed + at + 1, w->listed + at, (w->count++ - at) * sizeof *w->listed);
        w->listed[at] = job;
    }
    w->jobs[job].gives = !w->jobs[job].gives;
    ck_assert(pc_evictable_has(&w->p, &w->list, job) == w->jobs[job].gives);
}

/* The sum of those that precede some job, of any elastic state, listed or not. */
static void precede(struct world *w, uint32_t job)
{
    for (int as = -1; as <= 1; as++) {
        struct pc_amounts sum = {{0, 0, 0}};
        for (uint32_t i = 0; i < w->count; i++)
            if (pc_compare_jobs_as(&w->p, w->listed[i], w->jobs[w->listed[i]].detail->gives_as, job,
                                   as) > 0)
                pc_add(&sum, &w->jobs[w->listed[i]].detail->active_amounts, 1);
        struct pc_amounts known = pc_evictable_sum_before(&w->p, &w->list, job, as);
        ck_assert(pc_equal_amounts(&sum, &known));
    }
}

static void is_the_same(const struct world *w)
{
    struct pc_evictable_place at = {0, 0};
    int32_t lowest = INT32_MAX;
    struct pc_amounts sum = {{0, 0, 0}};
    uint32_t parts = 0;
    for (uint32_t i = 0; i < w->count; i++, pc_evictable_next(&w->list, &at)) {
        ck_assert_uint_eq(pc_evictable_at(&w->list, at), w->listed[i]);
        struct pc_evictable_place found = pc_evictable_find(&w->p, &w->list, w->listed[i]);
        ck_assert(found.block == at.block && found.place == at.place);
        const struct pc_detail *detail = w->jobs[w->listed[i]].detail;
        const struct pc_giver *giver = pc_evictable_entry(&w->list, at);
        ck_assert(giver->job == w->listed[i] && giver->node == detail->active_on);
        ck_assert(pc_equal_amounts(pc_evictable_amounts(&w->c, giver), &detail->active_amounts));
        pc_add(&sum, &detail->active_amounts, 1);
        parts += detail->gives_as != 0;
        if (w->jobs[w->listed[i]].priority < lowest)
            lowest = w->jobs[w->listed[i]].priority;
        struct pc_amounts known = pc_evictable_sum(&w->p, &w->list, at);
        ck_assert(pc_equal_amounts(&sum, &known));
    }
    ck_assert_uint_eq(pc_evictable_at(&w->list, at), PC_NONE);
    ck_assert_uint_eq(w->list.parts, parts);
    ck_assert_uint_eq(w->list.count, w->count);
    ck_assert(w->count == 0 || w->list.lowest == lowest);
    for (uint32_t i = 0; i < w->list.block_count; i++) {
        const struct pc_block *block = &w->list.blocks[w->list.order[i]];
        lowest = INT32_MAX;
        for (uint32_t k = 0; k < block->count; k++)
            if (w->jobs[block->of[k].job].priority < lowest)
                lowest = w->jobs[block->of[k].job].priority;
        ck_assert_int_eq(block->lowest, lowest);
    }
    for (uint32_t i = 1; i < w->list.block_count; i++)
        ck_assert_uint_ge(w->list.blocks[w->list.order[i - 1]].count +
                              w->list.blocks[w->list.order[i]].count,
                          PC_BLOCK);
}

/* It grows to most of the jobs and shrinks to few, in turns. */
START_TEST(a_list_keeps_its_order)
{
    static struct world w;
    open_world(&w, 1 + (uint64_t)_i);
    for (int step = 0; step < STEPS; step++) {
        uint32_t job = draw(&w, JOBS);
        bool grows = step / 4000 % 2 == 0;
        if (w.jobs[job].gives != grows || draw(&w, 8) == 0)
            toggle(&w, job);
        if (w.jobs[job].gives && w.jobs[job].detail->active_on != PC_NONE)
            pc_evictable_move(&w.p, &w.list, job, draw(&w, 100));
        if (step % 250 == 0) {
            is_the_same(&w);
            precede(&w, job);
        }
    }
    for (uint32_t job = 0; job < JOBS; job++)
        if (w.jobs[job].gives)
            toggle(&w, job);
    is_the_same(&w);
    pc_evictable_free(&w.p, &w.list);
    for (uint32_t job = 0; job < JOBS; job++)
        free(w.jobs[job].detail);
    ck_assert_uint_eq(w.tally.bytes, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("evictable jobs");
    TCase *tcase = tcase_create("evictable");
    tcase_add_loop_test(tcase, a_list_keeps_its_order, 0, 3);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
