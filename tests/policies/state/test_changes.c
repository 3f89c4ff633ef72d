/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The log of changed nodes: what an index finds in it after an absence. */
#include "state/changes.h"
#include "tests/lib/core.h"
#include "tests/lib/harness.h"

static uint32_t looks(struct pc_changes *c, uint64_t seen, uint32_t most)
{
    uint32_t found = 0;
    pc_changes_begin(c);
    for (uint64_t i = seen; i < c->total; i++) {
        uint32_t rank = c->ring[i & (c->capacity - 1)];
        ck_assert_uint_lt(rank, most);
        found += pc_changes_first_look(c, rank);
    }
    return found;
}

START_TEST(each_changed_node_is_looked_at_once)
{
    struct tally tally = {0};
    const struct pc_memory memory = {tally_allocator(&tally)};
    struct pc_changes c = {.kept = true};
    ck_assert(pc_changes_reserve(&c, &memory, 5));
    uint64_t seen = c.total;
    ck_assert_uint_eq(looks(&c, seen, 5), 0);
    pc_changes_note(&c, 3);
    pc_changes_note(&c, 1);
    pc_changes_note(&c, 3);
    ck_assert(pc_changes_reach(&c, seen));
    ck_assert_uint_eq(looks(&c, seen, 5), 2);
    ck_assert_uint_eq(looks(&c, seen, 5), 2); /* another index, another round */
    ck_assert_uint_eq(looks(&c, seen + 2, 5), 1);
    pc_changes_free(&c, &memory);
    ck_assert_uint_eq(tally.bytes, 0);
}
END_TEST

START_TEST(lagging_indexes_are_detected)
{
    struct tally tally = {0};
    const struct pc_memory memory = {tally_allocator(&tally)};
    struct pc_changes c = {.kept = true};
    ck_assert(pc_changes_reserve(&c, &memory, 5));
    uint64_t seen = c.total;
    for (uint32_t i = 0; i < c.capacity; i++)
        pc_changes_note(&c, i % 5);
    ck_assert(pc_changes_reach(&c, seen));
    pc_changes_note(&c, 0);
    ck_assert(!pc_changes_reach(&c, seen));
    ck_assert(pc_changes_reach(&c, seen + 1));
    seen = c.total;
    ck_assert(pc_changes_reserve(&c, &memory, 5)); /* nothing to do */
    ck_assert(pc_changes_reach(&c, seen));
    ck_assert(pc_changes_reserve(&c, &memory, 5000)); /* a longer ring begins empty */
    ck_assert(!pc_changes_reach(&c, seen));
    pc_changes_note(&c, 4999);
    ck_assert_uint_eq(looks(&c, c.total - 1, 5000), 1);
    pc_changes_free(&c, &memory);
    ck_assert_uint_eq(tally.bytes, 0);
}
END_TEST

START_TEST(without_readers_it_costs_nothing)
{
    struct tally tally = {0};
    const struct pc_memory memory = {tally_allocator(&tally)};
    struct pc_changes c = {0};
    ck_assert(pc_changes_reserve(&c, &memory, 5000));
    pc_changes_note(&c, 1);
    ck_assert_uint_eq(c.total, 0);
    ck_assert_uint_eq(tally.bytes, 0);
}
END_TEST

START_TEST(rounds_may_restart)
{
    struct tally tally = {0};
    const struct pc_memory memory = {tally_allocator(&tally)};
    struct pc_changes c = {.kept = true};
    ck_assert(pc_changes_reserve(&c, &memory, 2));
    pc_changes_note(&c, 1);
    ck_assert_uint_eq(looks(&c, c.total - 1, 2), 1);
    c.round = UINT32_MAX;
    ck_assert_uint_eq(looks(&c, c.total - 1, 2), 1);
    ck_assert_uint_eq(c.round, 1);
    pc_changes_free(&c, &memory);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("changes");
    TCase *tcase = tcase_create("changes");
    tcase_add_test(tcase, each_changed_node_is_looked_at_once);
    tcase_add_test(tcase, lagging_indexes_are_detected);
    tcase_add_test(tcase, without_readers_it_costs_nothing);
    tcase_add_test(tcase, rounds_may_restart);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
