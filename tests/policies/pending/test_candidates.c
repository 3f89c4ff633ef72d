/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Candidates for backfill against a walk over all jobs in order. */
#include "pending/candidates.h"
#include "tests/lib/core.h"
#include "tests/lib/draw.h"
#include "tests/lib/harness.h"

enum { JOBS = 40, CLASSES = 10, SETS = 2, NEEDS = 5, PASSES = 300 };

struct job {
    bool pending;
    uint32_t class;
    struct pc_order_place place;
    int64_t limit;
};

struct world {
    struct pc_candidates c;
    struct job jobs[JOBS];
    bool hidden[CLASSES];
    uint64_t ranks, random;
    /* the pass */
    struct pc_order_place cursor;
    bool open[CLASSES];
    int64_t most[CLASSES]; /* of a class that is not open */
};

static uint32_t below(struct world *w, uint32_t n)
{
    return (uint32_t)(test_draw(&w->random) % n);
}

static uint32_t set_of(uint32_t class)
{
    return class % SETS;
}

static uint32_t need_of(uint32_t class)
{
    return class * 7 % NEEDS;
}

static bool comes_before(const struct pc_order_place *a, const struct pc_order_place *b)
{
    if (a->major != b->major)
        return a->major < b->major;
    return a->minor != b->minor ? a->minor < b->minor : a->rank < b->rank;
}

static uint32_t naive_next(struct world *w)
{
    uint32_t best = PC_NONE;
    for (uint32_t i = 0; i < JOBS; i++) {
        const struct job *j = &w->jobs[i];
        if (j->pending && !w->hidden[j->class] && comes_before(&w->cursor, &j->place) &&
            (w->open[j->class] || j->limit <= w->most[j->class]) &&
            (best == PC_NONE || comes_before(&j->place, &w->jobs[best].place)))
            best = i;
    }
    if (best != PC_NONE)
        w->cursor = w->jobs[best].place;
    return best;
}

static void start(struct world *w, uint32_t i)
{
    pc_candidates_remove(&w->c, i, w->jobs[i].class);
    w->jobs[i].pending = false;
}

static void arrive_or_leave(struct world *w)
{
    uint32_t i = below(w, JOBS);
    struct job *j = &w->jobs[i];
    if (j->pending) {
        start(w, i);
        return;
    }
    int64_t limit = below(w, 5) == 0 ? INT64_MAX : below(w, 30);
    *j = (struct job){true, below(w, CLASSES), {below(w, 2), below(w, 6), w->ranks++}, limit};
    pc_candidates_add(&w->c, i, j->class, j->place, j->limit);
}

/* All jobs get other places; some have become free to run longer. */
static void rekey(struct world *w)
{
    pc_candidates_clear(&w->c);
    for (uint32_t class = 0; class < CLASSES; class ++) {
        bool any = false;
        for (uint32_t i = JOBS; i-- > 0;) {
            struct job *j = &w->jobs[i];
            if (!j->pending || j->class != class)
                continue;
            j->place.major = below(w, 3);
            j->place.minor = below(w, 6);
            j->limit += j->limit < 30 && below(w, 4) == 0;
            pc_candidates_refill(&w->c, i, class, j->place, j->limit);
            any = true;
        }
        if (any)
            pc_candidates_refilled(&w->c, class);
    }
}

/* Closes the open classes of the set with one of these needs to jobs with limits above `most`. */
static void close(struct world *w, uint32_t set, uint64_t needs, int64_t most)
{
    pc_candidates_close(&w->c, set, needs, most);
    for (uint32_t class = 0; class < CLASSES; class ++)
        if (set_of(class) == set && (needs >> need_of(class) & 1) && w->open[class]) {
            w->open[class] = false;
            w->most[class] = most;
        }
}

static void begin(struct world *w)
{
    w->cursor = PC_ORDER_START;
    pc_candidates_begin(&w->c);
    for (uint32_t set = 0; set < SETS; set++) {
        uint64_t open = below(w, 1u << NEEDS), before = below(w, 1u << NEEDS);
        int64_t most = below(w, 3) == 0 ? INT64_MIN : below(w, 40);
        pc_candidates_open(&w->c, set, open, before, most);
        for (uint32_t class = 0; class < CLASSES; class ++) {
            if (set_of(class) != set)
                continue;
            w->open[class] = open >> need_of(class) & 1;
            w->most[class] = before >> need_of(class) & 1 ? most : INT64_MIN;
        }
    }
}

static void pass(struct world *w)
{
    begin(w);
    for (;;) {
        uint32_t class = PC_NONE;
        uint32_t expected = naive_next(w);
        ck_assert_uint_eq(pc_candidates_next(&w->c, &class), expected);
        if (expected == PC_NONE)
            return;
        ck_assert_uint_eq(class, w->jobs[expected].class);
        if (below(w, 3) == 0) {
            start(w, expected);
        } else {
            int64_t most =
                below(w, 3) == 0 ? INT64_MIN : w->jobs[expected].limit - 1 - below(w, 10);
            most = !w->open[class] && w->most[class] < most ? w->most[class] : most;
            pc_candidates_failed(&w->c, class, most);
            w->open[class] = false;
            w->most[class] = most;
        }
        if (below(w, 4) == 0)
            close(w, below(w, SETS), below(w, 1u << NEEDS), below(w, 40));
    }
}

START_TEST(returns_what_a_walk_returns)
{
    struct world *w = &(struct world){.random = (uint64_t)_i};
    struct tally tally = {0};
    const struct pc_memory memory = {tally_allocator(&tally)};
    pc_candidates_init(&w->c);
    ck_assert(pc_candidates_reserve(&w->c, &memory, JOBS - 1, CLASSES - 1, SETS - 1));
    for (uint32_t class = 0; class < CLASSES; class ++)
        pc_candidates_define(&w->c, class, set_of(class), (int32_t)need_of(class));
    for (int passes = 0; passes < PASSES; passes++) {
        for (uint32_t i = 0; i < 1 + below(w, 20); i++)
            arrive_or_leave(w);
        if (below(w, 4) == 0)
            rekey(w);
        uint32_t class = below(w, CLASSES);
        w->hidden[class] = below(w, 3) == 0;
        pc_candidates_hide(&w->c, class, w->hidden[class]);
        ck_assert_ptr_null(pc_candidates_check(&w->c));
        pass(w);
        ck_assert_ptr_null(pc_candidates_check(&w->c));
    }
    pc_candidates_free(&w->c, &memory);
    ck_assert_uint_eq(tally.bytes, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("candidates");
    TCase *tcase = tcase_create("candidates");
    tcase_add_loop_test(tcase, returns_what_a_walk_returns, 1, 1 + harness_repeats(20));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
