/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Does moving jobs make enough room for a gang of a? Worked out by hand. Nodes have four devices:
 * room for one task of the gang, or two slots of two devices. n0 and n1 are full of two jobs of b
 * with two devices each, n2 and n3 of one with two and two with one, n4 of a job of a. Without all
 * jobs of b, n0 to n3 can each take a task; without those with one device, n2 and n3 each gain a
 * slot. There are no free devices but those that a row adds.
 */
#include "act/victims/moves.h"
#include "state/gangs.h"
#include "tests/lib/harness.h"
#include "tests/lib/quota_story.h"

#define FULL                                                                                       \
    "node n0 4; node n1 4; node n2 4; node n3 4; node n4 4; queue a gpu=12; queue b gpu=8;"        \
    "job p b 1x2@n0; job q b 1x2@n0; job r b 1x2@n1; job s b 1x2@n1;"                              \
    "job t b 1x2@n2; job u b 1x1@n2; job v b 1x1@n2;"                                              \
    "job w b 1x2@n3; job x b 1x1@n3; job y b 1x1@n3; job o a 1x4@n4;"

#define TWOS3        "node d0 2; node d1 2; node d2 2;"
#define ONES4        "node s0 1; node s1 1; node s2 1; node s3 1;"
#define ONES6        ONES4 "node s4 1; node s5 1;"
#define SHARES(NAME) "job h" NAME " b 1x8*.05@m0:01234567;"
#define THREES       "node t0 3; node t1 3; node t2 3; node t3 3; node t4 3; node t5 3; node t6 3;"

static const struct row {
    const char *more; /* nodes and jobs */
    bool may;
} rows[] = {
    /* A task needs two slots, and n2 gains one: its other job has no place. */
    {ONES4 "job g a 1x4", false},
    {ONES4 "node d0 2; job g a 1x4", true},
    /* Three devices are free, and a task needs four. */
    {"node s0 1; node d0 2; job g a 1x4", false},
    /* Four slots: one on each of n2 and n3, two free. */
    {ONES4 "node d0 2; node d1 2; job g a 2x4", true},
    {ONES6 "node d0 2; job g a 2x4", false},
    /* Six slots: of three nodes two gain one. */
    {ONES6 TWOS3 "job g a 3x4", false},
    {ONES4 TWOS3 "node d3 2; job g a 3x4", true},
    /* Four nodes can take a task. */
    {THREES "job g a 5x4", false},
    {THREES "node n5 4; job g a 5x4", true},
    /* The free node takes one task. */
    {ONES4 "node n5 4; node d0 2; job g a 2x4", true},
    /* Several tasks of one job leave together: nothing is known. */
    {"node n5 4; job z b 2x1@n5,n5; job g a 5x4", true},
    /* A gang on whole nodes needs as many as it leaves. */
    {ONES6 "node d0 2; node n5 4; node n6 4; job z b 2x4@n5,n6; job g a 2x4", false},
    {"node m0 8;" SHARES("1") SHARES("2") SHARES("3") SHARES("4") SHARES("5") SHARES("6")
         SHARES("7") SHARES("8") SHARES("9") "job g a 8x1",
     true},
    /* Two jobs with shares of all eight devices leave eight devices, not 16. */
    {"node m0 8;" SHARES("1") SHARES("2") "job g a 9x1", false},
    /* Requests differ: nothing is known. */
    {"job g a 1x4 1x2", true},
};

START_TEST(slots_by_hand)
{
    struct story s;
    char text[1024];
    ck_assert_int_lt(snprintf(text, sizeof text, "%s%s", FULL, rows[_i].more), (int)sizeof text);
    story_open(&s, text);
    uint32_t job = story_job(&s, "g").i;
    const struct pc_amounts asks = pc_next_amounts(s.p, job);
    ck_assert_int_eq(pc_moves_may_do(s.p, job, &asks), rows[_i].may);
    story_close(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("moves");
    TCase *tcase = tcase_create("moves");
    tcase_add_loop_test(tcase, slots_by_hand, 0, ROWS(rows));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
