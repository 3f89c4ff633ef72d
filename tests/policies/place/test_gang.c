/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Placing a gang inside a transaction: when it may start, what is left after a failure, random
 * draws; and counted devices. */
#include "place/gang.h"

#include "place/choose.h"
#include "state/tasks.h"
#include "tests/lib/harness.h"
#include "tests/lib/quota_story.h"

static struct pc_tasks first_tasks(uint32_t *ids, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        ids[i] = i;
    return (struct pc_tasks){ids, count, count};
}

// clang-format off
static const struct row {
    const char *what, *world;
    enum pc_when when;
    bool placed;
    uint32_t count; /* tasks with a place, */
    bool held[3];   /* and whether each starts at once */
} rows[] = {
    {"idle devices: starts", "node n0 2; node n1 2; queue q; job x q 3x1;", PC_SOONEST, true, 3,
     {true, true, true}},
    {"being released: nominated", "node n0 2; node n1 1; queue q; job r q 1x1@n1!; job x q "
                                      "3x1;", PC_SOONEST, true, 3,
     {true, true, false}},
    {"or is no place, if it is to start at once", "node n0 2; node n1 1; queue q; job r q 1x1@n1!; "
                                                  "job x q 3x1;", PC_AT_ONCE,
     false, 2, {true, true, false}},
    {"nominated in any case", "node n0 2; node n1 1; queue q; job x q 3x1;", PC_NOMINATED, true, 3,
     {false, false, false}},
    {"no room for the last", "node n0 2; queue q; job x q 3x1;", PC_SOONEST, false, 2, {true, true,
     false}},
};
// clang-format on

START_TEST(all_tasks_or_those_before_the_first_without_a_place)
{
    const struct row *row = &rows[_i];
    struct story s;
    story_open(&s, row->world);
    struct pc_cluster *c = s.p->cluster;
    uint32_t job = story_job(&s, "x").i;
    uint32_t ids[3];
    const struct pc_tasks tasks = first_tasks(ids, 3);
    uint32_t mark = pc_txn_mark(c);
    uint32_t count;
    uint64_t draws = s.p->draws;
    ck_assert_msg(pc_place_gang(s.p, job, &tasks, row->when, &count) == row->placed, "%s",
                  row->what);
    ck_assert_uint_eq(count, row->count);
    ck_assert_uint_eq(s.p->draws, draws);
    for (uint32_t i = 0; i < 3; i++)
        ck_assert_msg((pc_task(c, job, i)->place.holding == PC_RUNS) == row->held[i], "%s: task %u",
                      row->what, i);
    for (uint32_t i = 0; i < count; i++)
        ck_assert(pc_is_active(&pc_task(c, job, i)->place));
    pc_txn_rollback(c, mark);
    ck_assert(!c->out_of_memory);
    story_close(&s);
}
END_TEST

START_TEST(some_node_has_room_for_less)
{
    struct story s;
    story_open(&s, "node n0 4 cpu=2; node n1 2 cpu=8; queue q; job r q 1x2+c1@n1; job x q 1x1+c4;");
    uint32_t job = story_job(&s, "x").i;
    struct pc_request r = *pc_request_of(s.p->cluster, job, 0);
    ck_assert(!pc_fits_anywhere(s.p, job, 0, &r)); /* devices on n0, CPUs on n1 */
    r.cpu = 2000;
    ck_assert(pc_fits_anywhere(s.p, job, 0, &r));
    story_close(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("gang");
    TCase *tcase = tcase_create("gang");
    tcase_add_loop_test(tcase, all_tasks_or_those_before_the_first_without_a_place, 0, ROWS(rows));
    tcase_add_test(tcase, some_node_has_room_for_less);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
