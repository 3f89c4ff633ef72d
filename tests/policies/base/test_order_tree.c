/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ordered sets against a plain array of their contents. */
#include "base/order_tree.h"
#include "tests/lib/core.h"
#include "tests/lib/draw.h"
#include "tests/lib/harness.h"

enum { THINGS = 60, STEPS = 3000, TREES = 2 };

struct thing {
    struct pc_order_place place;
    int64_t value, time;
    int tree; /* -1: in none */
};

struct twin {
    struct thing of[THINGS];
};

static bool comes_before(const struct twin *t, uint32_t a, uint32_t b)
{
    const struct pc_order_place *x = &t->of[a].place;
    const struct pc_order_place *y = &t->of[b].place;
    if (x->major != y->major)
        return x->major < y->major;
    if (x->minor != y->minor)
        return x->minor < y->minor;
    return x->rank != y->rank ? x->rank < y->rank : a < b;
}

/* The first element of the tree after the position and within the bounds. */
static bool is_behind(const struct pc_order_place *x, const struct pc_order_place *place)
{
    if (x->major != place->major)
        return x->major > place->major;
    return x->minor > place->minor || (x->minor == place->minor && x->rank > place->rank);
}

static uint32_t naive_find(const struct twin *t, int tree, struct pc_order_place place,
                           struct pc_order_bounds b)
{
    uint32_t best = PC_NONE;
    for (uint32_t i = 0; i < THINGS; i++) {
        const struct thing *x = &t->of[i];
        if (x->tree == tree && is_behind(&x->place, &place) && x->time > b.after &&
            (x->value <= b.most || x->time <= b.until) &&
            (best == PC_NONE || comes_before(t, i, best)))
            best = i;
    }
    return best;
}

static struct pc_order_place draw_place(uint64_t *random)
{
    return (struct pc_order_place){(int64_t)(test_draw(random) % 3) - 1,
                                   (int64_t)(test_draw(random) % 5) - 2, test_draw(random) % 4};
}

static void move(struct twin *t, struct pc_order_nodes *nodes, uint32_t roots[TREES],
                 uint64_t *random)
{
    uint32_t id = (uint32_t)(test_draw(random) % THINGS);
    struct thing *x = &t->of[id];
    int64_t value = (int64_t)(test_draw(random) % 20), time = (int64_t)(test_draw(random) % 20);
    if (x->tree >= 0 && test_draw(random) % 3 == 0) {
        pc_order_set(nodes, id, value, time);
    } else if (x->tree >= 0) {
        pc_order_remove(nodes, &roots[x->tree], id);
        x->tree = -1;
    } else {
        x->tree = (int)(test_draw(random) % TREES);
        x->place = draw_place(random);
        pc_order_add(nodes, &roots[x->tree], id, x->place, value, time);
    }
    x->value = value;
    x->time = nodes->timed ? time : 0;
}

static void compare(const struct twin *t, const struct pc_order_nodes *nodes,
                    const uint32_t roots[TREES], uint64_t *random)
{
    for (int tree = 0; tree < TREES; tree++) {
        uint32_t count, expected = 0;
        ck_assert_ptr_null(pc_order_check(nodes, roots[tree], &count));
        for (uint32_t i = 0; i < THINGS; i++)
            expected += t->of[i].tree == tree;
        ck_assert_uint_eq(count, expected);
        ck_assert_uint_eq(pc_order_first(nodes, roots[tree]),
                          naive_find(t, tree, PC_ORDER_START, PC_ORDER_ANY));
        struct pc_order_place place = draw_place(random);
        struct pc_order_bounds b = {(int64_t)(test_draw(random) % 20),
                                    (int64_t)(test_draw(random) % 20) - 1,
                                    (int64_t)(test_draw(random) % 20) - 1};
        ck_assert_uint_eq(pc_order_find(nodes, roots[tree], place, b),
                          naive_find(t, tree, place, b));
        ck_assert_uint_eq(pc_order_find(nodes, roots[tree], PC_ORDER_START, b),
                          naive_find(t, tree, PC_ORDER_START, b));
    }
}

START_TEST(finds_what_a_walk_finds)
{
    uint64_t random = (uint64_t)_i;
    struct tally tally = {0};
    struct pc_memory memory = {tally_allocator(&tally)};
    struct pc_order_nodes nodes = {.timed = _i % 2 == 0};
    struct twin t;
    uint32_t roots[TREES] = {PC_NONE, PC_NONE};
    for (uint32_t i = 0; i < THINGS; i++)
        t.of[i].tree = -1;
    ck_assert(pc_order_reserve(&nodes, &memory, THINGS));
    for (int step = 0; step < STEPS; step++) {
        move(&t, &nodes, roots, &random);
        compare(&t, &nodes, roots, &random);
    }
    pc_order_free(&nodes, &memory);
    ck_assert_uint_eq(tally.bytes, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("order_tree");
    TCase *tcase = tcase_create("order_tree");
    tcase_add_loop_test(tcase, finds_what_a_walk_finds, 1, 1 + harness_repeats(4));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
