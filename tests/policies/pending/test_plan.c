/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Plans of starts against a walk over all jobs in order, on arrays of free capacity per unit of
 * time. Jobs that could start by the sums occasionally find no place; running jobs end early,
 * capacity comes and goes.
 */
#include "pending/plan.h"
#include "tests/lib/core.h"
#include "tests/lib/draw.h"
#include "tests/lib/harness.h"

#include <string.h>

enum { JOBS = 40, SETS = 2, NEEDS = 6, PASSES = 150, LAST = 4000 };

enum state { NOT_THERE, PENDING, RUNS };

struct job {
    enum state state;
    uint32_t set;
    struct pc_order_place place;
    int64_t need, limit, reserved_at, start; /* limit INT64_MAX: not declared */
};

struct world {
    struct pc_plan plan;
    struct pc_memory memory;
    struct job jobs[JOBS];
    int64_t total[SETS]; /* idle, and what running jobs have */
    int64_t now;
    uint64_t random, ranks;
    int64_t looked; /* jobs considered by the plan and by the walk */
    int64_t walked;
    int64_t free[LAST]; /* scratch: from now on */
};

static int64_t below(struct world *w, int64_t n)
{
    return (int64_t)(test_draw(&w->random) % (uint64_t)n);
}

static int64_t end_of(const struct job *j, int64_t start)
{
    return j->limit == INT64_MAX ? INT64_MAX : start + j->limit;
}

/* Returns true if the job finds a place at this time, given that the sums allow it: the same for
 * plan and walk. */
static bool finds_place(const struct world *w, uint32_t i)
{
    uint64_t mix = (uint64_t)w->now * 31 + i;
    return test_draw(&mix) % 4 != 0;
}

/* ---- the walk ---- */

static void take(struct world *w, int64_t from, int64_t to, int64_t need)
{
    for (int64_t at = from > w->now ? from : w->now; at - w->now < LAST && at < to; at++)
        w->free[at - w->now] -= need;
}

static void draw_free(struct world *w, uint32_t set, uint32_t but)
{
    for (int64_t i = 0; i < LAST; i++)
        w->free[i] = w->total[set];
    for (uint32_t i = 0; i < JOBS; i++) {
        const struct job *j = &w->jobs[i];
        if (j->set != set || i == but)
            continue;
        if (j->state == RUNS)
            take(w, j->start, end_of(j, j->start), j->need);
        int64_t from = j->reserved_at > w->now ? j->reserved_at : w->now;
        if (j->state == PENDING && j->reserved_at < INT64_MAX)
            take(w, from, end_of(j, from), j->need);
    }
}

/* The first time from `from` on, now or at a change of the free capacity, with enough for long
 * enough. */
static int64_t naive_earliest(const struct world *w, const struct job *j, int64_t from)
{
    for (int64_t at = from; at < LAST; at++) {
        if (at > 0 && w->free[at] == w->free[at - 1])
            continue;
        int64_t to = at;
        while (to < LAST && to - at < j->limit && w->free[to] >= j->need)
            to++;
        if (to == LAST || to - at >= j->limit)
            return w->now + at;
    }
    return INT64_MAX;
}

static bool stands_before(const struct job *a, const struct job *b)
{
    if (a->place.minor != b->place.minor)
        return a->place.minor < b->place.minor;
    return a->place.rank < b->place.rank;
}

static uint32_t next_in_order(const struct world *w, uint32_t last)
{
    uint32_t best = PC_NONE;
    for (uint32_t i = 0; i < JOBS; i++)
        if (w->jobs[i].state == PENDING &&
            (last == PC_NONE || stands_before(&w->jobs[last], &w->jobs[i])) &&
            (best == PC_NONE || stands_before(&w->jobs[i], &w->jobs[best])))
            best = i;
    return best;
}

static void walk(struct world *w)
{
    for (uint32_t i = next_in_order(w, PC_NONE); i != PC_NONE; i = next_in_order(w, i)) {
        struct job *j = &w->jobs[i];
        w->walked++;
        draw_free(w, j->set, i);
        int64_t at = naive_earliest(w, j, 0);
        if (at == w->now && finds_place(w, i)) {
            j->state = RUNS;
            j->start = w->now;
        } else {
            j->reserved_at = at == w->now ? naive_earliest(w, j, 1) : at;
        }
    }
}

/* ---- the plan ---- */

static void pass(struct world *w, bool started[JOBS])
{
    struct pc_plan *p = &w->plan;
    pc_plan_begin(p, w->now);
    for (uint32_t i = pc_plan_next(p); i != PC_NONE; i = pc_plan_next(p)) {
        const struct job *j = &w->jobs[i];
        w->looked++;
        pc_plan_lift(p, i);
        int64_t at = pc_plan_earliest(p, i, false);
        started[i] = at == w->now && finds_place(w, i);
        if (started[i]) {
            pc_plan_remove(p, i);
            pc_plan_change(p, j->set, w->now, end_of(j, w->now), -j->need);
        } else {
            pc_plan_reserve_time(p, i, at == w->now ? pc_plan_earliest(p, i, true) : at,
                                 at == w->now);
        }
    }
}

static void compare(struct world *w)
{
    bool started[JOBS] = {false};
    bool pending[JOBS];
    for (uint32_t i = 0; i < JOBS; i++)
        pending[i] = w->jobs[i].state == PENDING;
    pass(w, started);
    walk(w);
    ck_assert_ptr_null(pc_plan_check(&w->plan));
    for (uint32_t i = 0; i < JOBS; i++) {
        const struct job *j = &w->jobs[i];
        ck_assert_msg(started[i] == (pending[i] && j->state == RUNS), "job %d at %d: started %d",
                      (int)i, (int)w->now, started[i]);
        if (j->state == PENDING)
            ck_assert_msg(w->plan.of[i].reserved_at == j->reserved_at,
                          "job %d at %d: reserved_at %lld, not %lld", (int)i, (int)w->now,
                          (long long)w->plan.of[i].reserved_at, (long long)j->reserved_at);
    }
}

/* ---- events in between ---- */

static void arrive(struct world *w, uint32_t i)
{
    static const int64_t needs[NEEDS] = {0, 1, 1, 2, 4, 9};
    struct job *j = &w->jobs[i];
    *j = (struct job){.state = PENDING,
                      .set = (uint32_t)below(w, SETS),
                      .place = {0, below(w, 4), w->ranks++},
                      .need = needs[below(w, NEEDS)],
                      .limit = below(w, 12) == 0 ? INT64_MAX : below(w, 60),
                      .reserved_at = below(w, 10) == 0 ? w->now + below(w, 80) - 20 : INT64_MAX};
    ck_assert(pc_plan_reserve(&w->plan, &w->memory, i, j->set, j->need));
    pc_plan_add(&w->plan, i, j->set, j->place, j->need, j->limit, j->reserved_at);
}

static void happen(struct world *w)
{
    uint32_t i = (uint32_t)below(w, JOBS);
    struct job *j = &w->jobs[i];
    if (j->state == NOT_THERE) {
        arrive(w, i);
    } else if (j->state == PENDING && below(w, 8) == 0) {
        pc_plan_remove(&w->plan, i);
        j->state = NOT_THERE;
    } else if (j->state == RUNS) {
        pc_plan_change(&w->plan, j->set, w->now, end_of(j, j->start), j->need);
        j->state = NOT_THERE;
    }
    if (below(w, 20) == 0) {
        uint32_t set = (uint32_t)below(w, SETS);
        int64_t more = w->total[set] < 4 ? 6 : below(w, 7) - 3;
        w->total[set] += more;
        pc_plan_change(&w->plan, set, w->now, INT64_MAX, more);
    }
    if (below(w, 30) == 0) { /* the state of a set is lost */
        uint32_t set = (uint32_t)below(w, SETS);
        pc_plan_reset(&w->plan, set, w->now, w->total[set]);
        for (uint32_t k = 0; k < JOBS; k++)
            if (w->jobs[k].state == RUNS && w->jobs[k].set == set)
                pc_plan_change(&w->plan, set, w->now, end_of(&w->jobs[k], w->jobs[k].start),
                               -w->jobs[k].need);
    }
}

START_TEST(promises_what_a_walk_promises)
{
    struct world *w = &(struct world){.random = (uint64_t)_i, .now = 100};
    struct tally tally = {0};
    w->memory = (struct pc_memory){tally_allocator(&tally)};
    pc_plan_init(&w->plan);
    for (uint32_t set = 0; set < SETS; set++) {
        ck_assert(pc_plan_reserve(&w->plan, &w->memory, JOBS - 1, set, 1));
        pc_plan_reset(&w->plan, set, w->now, w->total[set] = 8);
    }
    for (int passes = 0; passes < PASSES; passes++) {
        for (int64_t i = below(w, 6); i >= 0; i--)
            happen(w);
        compare(w);
        w->now += below(w, 10);
    }
    ck_assert_int_lt(w->looked, w->walked);
    pc_plan_free(&w->plan, &w->memory);
    ck_assert_uint_eq(tally.bytes, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("plan");
    TCase *tcase = tcase_create("plan");
    tcase_add_loop_test(tcase, promises_what_a_walk_promises, 1, 1 + harness_repeats(20));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
