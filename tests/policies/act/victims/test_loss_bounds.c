/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The most that a queue loses in whole jobs: any last, and before it others within a bound. Jobs of
 * b run on nodes of 64 devices, and a job of a looks for victims; by hand.
 */
#include "act/victims/loss_bounds.h"
#include "state/engine.h"
#include "tests/lib/harness.h"
#include "tests/lib/quota_story.h"

#define NODES "node n0 64; node n1 64; queue a gpu=64; queue b gpu=64; job g a 1x8;"

static const struct row {
    const char *jobs; /* of b */
    int64_t before, milli;
    int64_t most; /* thousandths of devices */
} rows[] = {
    {"job j b 1x8@n0; job k b 1x8@n0; job l b 1x16@n0; job m b 1x32@n0", 13000, 64000,
     40000},                                                   /* one of 8, then 32 */
    {"job j b 1x16@n0; job k b 1x32@n0", 12000, 64000, 32000}, /* either */
    {"job j b 1x16@n0; job k b 1x32@n0", 16000, 64000, 48000}, /* 16, then 32 */
    {"job j b 1x8@n0; job k b 1x16@n0", 7999, 64000, 16000},   /* 8 are above the bound */
    {"job j b 1x8@n0; job k b 1x16@n0", 8000, 64000, 24000},   /* 8, then 16 */
    {"job j b 2x4@n0,n1; job k b 1x4@n0", 4000, 64000, 12000}, /* the gang last */
    {"job j b 2x4@n0,n1; job k b 1x4@n0", 3000, 64000, 8000},  /* a gang is one piece */
    {"job j b 1x4@n0; job k b 1x4@n0; job l b 1x4@n0", 7000, 64000, 8000},
    {"job j b 1x4@n0; job k b 1x4@n0; job l b 1x4@n0", 8000, 64000, 12000},
    {"job j b 1x4@n0; job k b 1x4@n0", 63000, 64000, 8000}, /* there are no more */
    {"job j b 1x63@n0; job k b 1x63@n1", 63000, 128000, 126000},
    {"job j b 1x63@n0; job k b 1x63@n1", 62000, 128000, 63000},
    {"job j b 1x63@n0; job k b 1x63@n1", 64000, 128000, 126000}, /* from 64 on by the bound alone */
    {"job j b 1x16@n0; job k b 1x32@n0", 40000, 30000, 16000},   /* 32 are more than it may lose */
    {"job j b 4x1/1@n0,n0,n0,n0; job k b 1x4@n0", 1000, 64000, 5000}, /* single tasks, then 4 */
    {"job j b 1x4@n0; job k b 1x1*.5@n0:8", 3900, 64000,
     4500}, /* with parts the sums do not apply */
};

static int64_t before_last, milli;

static struct pc_bound bound(const struct pc_search *s, uint32_t bearer)
{
    (void)s;
    (void)bearer;
    return (struct pc_bound){.milli = milli, .alone = milli, .before_last = before_last};
}

static void list_all(struct pc_search *s, uint32_t queue)
{
    struct pc_cluster *c = s->c;
    c->evicted.count = 0;
    for (uint32_t job = 0; job < c->job_count; job++)
        for (uint32_t i = 0; c->jobs[job].queue == queue && i < c->shapes[c->jobs[job].shape].tasks;
             i++)
            ck_assert(pc_list_victim(s, &c->evicted, job, i));
}

START_TEST(whole_jobs)
{
    static const struct pc_purpose purpose = {.reach = PC_ALL, .most_lost = bound};
    struct story story;
    char text[512];
    ck_assert_int_lt(snprintf(text, sizeof text, "%s%s", NODES, rows[_i].jobs), (int)sizeof text);
    story_open(&story, text);
    struct pc_search s = {
        .p = story.p, .c = story.p->cluster, .purpose = &purpose, .job = story_job(&story, "g").i};
    before_last = rows[_i].before;
    milli = rows[_i].milli;
    s.c->step_number++;
    list_all(&s, story_queue(&story, "b").i);
    ck_assert_int_eq(pc_most_lost(&s, 0, 1), rows[_i].most);
    story_close(&story);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("loss_bounds");
    TCase *tcase = tcase_create("loss_bounds");
    tcase_add_loop_test(tcase, whole_jobs, 0, ROWS(rows));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
