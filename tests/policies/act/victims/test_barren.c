/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Nodes where a queue would find no more room without other queues' tasks. Each has four devices:
 * on n0 two jobs of b, on n1 one of a and one of b, on n2 a job of b that stays, on n3 part of a
 * gang of b.
 */
#include "act/victims/barren.h"
#include "tests/lib/harness.h"
#include "tests/lib/quota_story.h"

#define STORY                                                                                      \
    "node n0 4; node n1 4; node n2 4; node n3 4; node n4 4; queue a gpu=4; queue b gpu=4;"         \
    "job x b 1x2@n0; job y b 1x1@n0; job v a 1x2@n1; job w b 1x1@n1; job f b fixed 1x2@n2;"        \
    "job g b 2x1@n3,n4"

enum { A, B };

static bool is_barren(const struct story *s, uint32_t node, uint32_t queue, int32_t devices)
{
    struct pc_cluster *c = s->p->cluster;
    bool barren = pc_is_barren(c, node, queue, devices);
    ck_assert(barren == pc_is_barren(c, node, queue, devices)); /* as remembered */
    ck_assert(barren == pc_barren_now(c, node, queue, devices));
    return barren;
}

static const struct row {
    uint32_t node, queue;
    int32_t devices;
    bool barren;
} rows[] = {
    {0, A, 4, false},                  /* one device is free; without x and y, four are */
    {0, A, 3, false}, {0, B, 4, true}, /* b has no victims here */
    {1, A, 4, true},                   /* one is free, without w two: none of four */
    {1, A, 2, false},                  /* one of two */
    {1, B, 4, true},                   /* without v three */
    {1, B, 3, false}, {2, A, 4, true}, /* f stays */
    {3, A, 4, false},                  /* a gang may leave room elsewhere */
    {3, B, 4, true},
};

START_TEST(it_counts_what_others_leave)
{
    struct story s;
    story_open(&s, STORY);
    ck_assert_int_eq(is_barren(&s, rows[_i].node, rows[_i].queue, rows[_i].devices),
                     rows[_i].barren);
    story_close(&s);
}
END_TEST

START_TEST(it_is_forgotten_when_the_node_changes)
{
    struct story s;
    story_open(&s, STORY);
    ck_assert(is_barren(&s, 1, A, 4) && is_barren(&s, 1, B, 4));
    ck_assert_int_eq(
        policy_task_ended(s.p, s.now, story_job(&s, "v"), POLICY_ALL_TASKS, POLICY_SUCCEEDED),
        POLICY_OK);
    ck_assert(!is_barren(&s, 1, A, 4)); /* three are free, without w four */
    ck_assert(is_barren(&s, 1, B, 4));
    story_close(&s);
}
END_TEST

START_TEST(many_queues_are_not_remembered)
{
    struct story s;
    story_open(&s, STORY);
    struct pc_cluster *c = s.p->cluster;
    ck_assert(!pc_is_barren(c, 2, PC_LEAVINGS_QUEUES, 4) && !c->leavings[2].known);
    ck_assert(pc_barren_now(c, 2, PC_LEAVINGS_QUEUES, 4));
    story_close(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("barren");
    TCase *tcase = tcase_create("barren");
    tcase_add_loop_test(tcase, it_counts_what_others_leave, 0, ROWS(rows));
    tcase_add_test(tcase, it_is_forgotten_when_the_node_changes);
    tcase_add_test(tcase, many_queues_are_not_remembered);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
