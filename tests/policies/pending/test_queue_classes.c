/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pending jobs: which share a class, which are ready, which are stale. */
#include "pending/queue_classes.h"
#include "tests/lib/harness.h"
#include "tests/lib/quota_story.h"

#include <stdio.h>

/* ---- one class ---- */

static const struct {
    const char *a, *b;
    bool same;
} pairs[] = {
    {"q 1x1", "q 1x1", true},
    {"q at=1 1x1", "q at=2 1x1", true},
    {"q 1x1", "r 1x1", false},
    {"q 1x1", "q 1x2", false},
    {"q prio=1 1x1", "q prio=2 1x1", false},
    {"q fixed 1x1", "q 1x1", false},
    {"q build 1x1", "q 1x1", false},
    {"q 2x1/1@n0", "q 2x1/1", false},    /* has begun */
    {"q 2x1/1@n0", "q 2x1/1@n0", false}, /* each has its own */
    {"q 2x1/1@?", "q 2x1/1", false},
};

START_TEST(jobs_that_are_alike)
{
    struct story s;
    char text[256];
    (void)snprintf(text, sizeof text, "node n0 8; queue q; queue r; job a %s; job b %s",
                   pairs[_i].a, pairs[_i].b);
    story_open(&s, text);
    const struct pc_cluster *c = s.p->cluster;
    uint32_t a = c->jobs[story_job(&s, "a").i].class;
    uint32_t b = c->jobs[story_job(&s, "b").i].class;
    ck_assert(a != PC_NONE && b != PC_NONE);
    ck_assert_int_eq(a == b, pairs[_i].same);
    story_close(&s);
}
END_TEST

START_TEST(the_oldest_is_first)
{
    struct story s;
    story_open(&s, "node n0 1; queue q; job c q at=3 1x1; job a q at=1 1x1; job b q at=2 1x1");
    const struct pc_cluster *c = s.p->cluster;
    const char *order[] = {"a", "b", "c"};
    for (int i = 0; i < 3; i++) {
        uint32_t job = story_job(&s, order[i]).i;
        ck_assert_uint_eq(pc_class_head(&c->classes[c->jobs[job].class]), job);
        ck_assert_int_eq(policy_cancel(s.p, s.now, story_job(&s, order[i])), POLICY_OK);
    }
    ck_assert_uint_eq(c->queues[0].class_count, 0);
    story_close(&s);
}
END_TEST

/* ---- ready and stale ---- */

static const struct {
    const char *sets;
    bool waits, ready, stale; /* pending: has a class, so it is considered */
} states[] = {
    {"2x1", true, true, false},
    {"2x1@n0*2", false, true, false}, /* nothing is pending */
    {"2x1@n0,-", true, true, true},
    {"2x1@n0,x", false, false, true},
    {"2x1@n0,?", false, false, true},
    {"2x1@n0,n0!", false, false, false}, /* it is not evicted, but neither can it start */
    {"2x1@n0!,n0!", false, false, false},
    {"2x1@n0!,-", false, false, true},
    {"3x1/2@?,-,-", true, true, false},
    {"3x1/2@x,x,-", false, false, false},
    {"3x1@n0,+,x", false, false, false}, /* one has succeeded */
    {"2x1/1@n0,-", true, true, false},
    {"1x1@n0 2x1@n0,-", true, true, true},
    {"1x1@x 2x1", false, false, false},
};

START_TEST(ready_and_stale_jobs)
{
    struct story s;
    char text[128];
    (void)snprintf(text, sizeof text, "node n0 8; queue q; job x q %s", states[_i].sets);
    story_open(&s, text);
    const struct pc_cluster *c = s.p->cluster;
    uint32_t job = story_job(&s, "x").i;
    ck_assert_int_eq(c->jobs[job].class != PC_NONE, states[_i].waits);
    ck_assert_int_eq(pc_is_ready(c, job), states[_i].ready);
    ck_assert_int_eq(pc_is_stale(c, job), states[_i].stale);
    ck_assert_int_eq(c->jobs[job].stale, states[_i].stale);
    ck_assert_uint_eq(c->stale_count, states[_i].stale);
    story_close(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("classes");
    TCase *tcase = tcase_create("classes");
    tcase_add_loop_test(tcase, jobs_that_are_alike, 0, ROWS(pairs));
    tcase_add_test(tcase, the_oldest_is_first);
    tcase_add_loop_test(tcase, ready_and_stale_jobs, 0, ROWS(states));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
