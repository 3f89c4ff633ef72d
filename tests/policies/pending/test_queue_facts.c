/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Queues of the quota policy: the forest, queries, and usage history. */
#include "state/state.h"
#include "tests/lib/harness.h"
#include "tests/lib/quota_story.h"

#include <stdio.h>

static struct policy_queue_spec good(uint32_t rank)
{
    struct policy_share any = {0, POLICY_UNLIMITED, 1000};
    return (struct policy_queue_spec){.size = sizeof(struct policy_queue_spec),
                                      .parent = {POLICY_NO_ID},
                                      .rank = rank,
                                      .gpu = any,
                                      .cpu = any,
                                      .mem = any};
}

static void expect(struct story *s, const struct policy_queue_spec *spec, int status)
{
    policy_queue queue = policy_add_queue(s->p, s->now, spec);
    ck_assert_int_eq(queue.i == POLICY_NO_ID, status != POLICY_OK);
    if (status != POLICY_OK)
        ck_assert_int_eq(policy_last_error(s->p)->status, status);
    core_is_sound(s->p);
}

START_TEST(queues_are_checked)
{
    struct story s;
    story_open(&s, "node n0 1; queue D; queue q in=D; job x q 1x1");
    struct policy_queue_spec spec = good(9);
    spec.parent = (policy_queue){77};
    expect(&s, &spec, POLICY_UNKNOWN);
    spec = good(9);
    spec.parent = story_queue(&s, "q"); /* has jobs */
    expect(&s, &spec, POLICY_CONFLICT);
    spec = good(9);
    spec.gpu.quota = -2;
    expect(&s, &spec, POLICY_INVALID);
    spec = good(9);
    spec.cpu.limit = -2;
    expect(&s, &spec, POLICY_INVALID);
    spec = good(9);
    spec.mem.weight = -1;
    expect(&s, &spec, POLICY_INVALID);
    spec = good(9);
    spec.fixed_milli = -1;
    expect(&s, &spec, POLICY_INVALID);
    spec = good(9);
    spec.gpu.quota = 1999; /* a reserve beyond the quota is refused */
    spec.fixed_milli = 2000;
    expect(&s, &spec, POLICY_INVALID);
    spec = good(9);
    spec.gpu.quota = POLICY_UNLIMITED;
    spec.gpu.limit = 1999;
    spec.fixed_milli = 2000;
    expect(&s, &spec, POLICY_INVALID);
    spec = good(9);
    spec.size = 8;
    expect(&s, &spec, POLICY_INVALID);
    spec = good(9);
    spec.gpu.quota = spec.gpu.limit = 2000;
    spec.fixed_milli = 2000;
    expect(&s, &spec, POLICY_OK);
    story_close(&s);
}
END_TEST

START_TEST(queues_are_removed_from_below)
{
    struct story s;
    story_open(&s, "node n0 4; queue H gpu=4/-/0; queue D in=H gpu=4/-/0; queue E in=H gpu=4/-/0; "
                   "queue q in=D; queue r in=E;"
                   "job x q 1x1; job y r 1x1");
    ck_assert_int_eq(policy_remove_queue(s.p, s.now, story_queue(&s, "D")), POLICY_CONFLICT);
    ck_assert_int_eq(policy_remove_queue(s.p, s.now, story_queue(&s, "q")), POLICY_CONFLICT);
    ck_assert_int_eq(policy_cancel(s.p, s.now, story_job(&s, "x")), POLICY_OK);
    ck_assert_int_eq(policy_remove_queue(s.p, s.now, story_queue(&s, "q")), POLICY_OK);
    ck_assert_int_eq(policy_remove_queue(s.p, s.now, story_queue(&s, "q")), POLICY_UNKNOWN);
    core_is_sound(s.p);
    story_decides(&s, "y/0@n0", "the rest goes on");
    story_tell(&s, "job z D 1x1"); /* a leaf now */
    story_decides(&s, "z/0@n0", "what was a department");
    story_close(&s);
}
END_TEST

/* ---- static allocation ---- */

static const struct story_row owners[] = {
    {"no queue has more than the quota",
     "opt over_quota=false; node n0 8; queue a gpu=2; queue b gpu=3; job x a 3x1/1; job y b 5x1/1",
     "x/0@n0 x/1@n0 y/0@n0 y/1@n0 y/2@n0"},
    {"a limit below it holds, too",
     "opt over_quota=false; node n0 8; queue a gpu=3/2; job x a 4x1/1", "x/0@n0 x/1@n0"},
    {"an unlimited quota does not count",
     "opt over_quota=false; node n0 4; queue a gpu=-; job x a 4x1/1",
     "x/0@n0 x/1@n0 x/2@n0 x/3@n0"},
    {"an inner queue has its limit alone",
     "opt over_quota=false; node n0 8; queue D gpu=1; queue a in=D gpu=2; queue b in=D gpu=2;"
     "job x a 3x1/1; job y b 3x1/1",
     "x/0@n0 x/1@n0 y/0@n0 y/1@n0"},
    {"cores as devices",
     "opt over_quota=false; node n0 8 cpu=32; queue a gpu=8 cpu=4; job x a 3x1+c2/1",
     "x/0@n0 x/1@n0"},
    {"without a quota nothing runs", "opt over_quota=false; node n0 8; queue a; job x a 1x1", ""},
    {"and that is not so otherwise", "node n0 8; queue a; job x a 1x1", "x/0@n0"},
};

START_TEST(queues_own_their_quota)
{
    story_expects(owners[_i].text, owners[_i].expected, owners[_i].what);
}
END_TEST

START_TEST(a_leaf_owns_the_rest_of_its_department)
{
    struct story s;
    story_open(&s,
               "opt over_quota=false; node n0 4; queue D gpu=1; queue q in=D gpu=3; job x q 4x1/1");
    story_decides(&s, "x/0@n0 x/1@n0 x/2@n0", "the quota of an inner queue is no limit");
    ck_assert_int_eq(
        policy_task_ended(s.p, s.now, story_job(&s, "x"), POLICY_ALL_TASKS, POLICY_SUCCEEDED),
        POLICY_OK);
    ck_assert_int_eq(policy_remove_queue(s.p, s.now, story_queue(&s, "q")), POLICY_OK);
    core_is_sound(s.p);
    story_tell(&s, "job y D 2x1/1");
    story_decides(&s, "y/0@n0", "that of a leaf is");
    core_is_sound(s.p);
    story_close(&s);
}
END_TEST

/* ---- reports ---- */

START_TEST(amounts_are_those_of_now)
{
    struct story s;
    story_open(
        &s,
        "opt actions=allocate; node n0 8 cpu=16 mem=100; queue D used=.25; queue q in=D;"
        "job f q fixed 1x2+c1+r10@n0; job r q 2x.5+c2@n0:2,n0:2!; job p q 1x3+r5; job g q 1x1@?");
    struct policy_queue_info info = {.size = sizeof info};
    ck_assert_int_eq(policy_queue_info(s.p, story_queue(&s, "D"), &info), POLICY_OK);
    ck_assert_int_eq(info.allocated.gpu, 2500);
    ck_assert_int_eq(info.allocated.cpu, 3000);
    ck_assert_int_eq(info.allocated.mem, 10);
    ck_assert_int_eq(info.non_preemptible.gpu, 2000);
    ck_assert_int_eq(info.non_preemptible.cpu, 1000);
    ck_assert_int_eq(info.request.gpu, 5500);
    ck_assert_int_eq(info.request.mem, 15);
    ck_assert_int_eq(info.usage_ppm.gpu, 250000);
    story_decides(&s, "p/0@n0", "and then");
    ck_assert_int_eq(policy_queue_info(s.p, story_queue(&s, "D"), &info), POLICY_OK);
    ck_assert_int_eq(info.allocated.gpu, 5500);
    ck_assert_int_eq(info.request.gpu, 5500);
    ck_assert_int_eq(info.fair_share.gpu, 5500); /* of the decision */
    info.size = 8;
    ck_assert_int_eq(policy_queue_info(s.p, story_queue(&s, "D"), &info), POLICY_INVALID);
    info.size = sizeof info;
    ck_assert_int_eq(policy_queue_info(s.p, (policy_queue){9}, &info), POLICY_UNKNOWN);
    story_close(&s);
}
END_TEST

START_TEST(use_is_checked)
{
    struct story s;
    story_open(&s, "queue q");
    ck_assert_int_eq(
        policy_set_usage(s.p, s.now, (policy_queue){5}, &(struct policy_amounts){0, 0, 0}),
        POLICY_UNKNOWN);
    ck_assert_int_eq(
        policy_set_usage(s.p, s.now, story_queue(&s, "q"), &(struct policy_amounts){0, -1, 0}),
        POLICY_INVALID);
    ck_assert_int_eq(
        policy_set_usage(s.p, s.now, story_queue(&s, "q"), &(struct policy_amounts){0, 1, 2}),
        POLICY_OK);
    story_close(&s);
}
END_TEST

/* ---- usage history ---- */

/*
 * 8 devices, for some time before the first job arrives. For 100 of 1000 seconds a holds 4 and b
 * nothing; then both request all. The sliding window is 6,400 seconds. With k = 1 a is entitled to
 * 1/2 + 1/2 - usage and b to 1.
 */
static const struct {
    const char *options;
    int64_t before_s;       /* for which there are nodes and no jobs */
    int64_t wait_s;         /* between a's use and the division */
    int64_t use_a, share_a; /* parts per million; thousandths of devices */
} histories[] = {
    {"usage_window=sliding usage_window_s=6400", 0, 0, 500000,
     3000}, /* half of all there was: 1/2 to 1 of 8: 2.67 */
    {"usage_window=sliding usage_window_s=6400", 0, 100, 250000,
     3000}, /* a quarter: 3/4 to 1: 3.43 and 4.57, b's is larger */
    {"usage_window=sliding usage_window_s=6400", 0, 9000, 0, 4000},  /* long ago */
    {"usage_window=tumbling usage_window_s=6400", 0, 6400, 0, 4000}, /* another window */
    {"usage_window=sliding usage_window_s=6400", 3000, 0, 500000,
     3000}, /* no queue could use it before */
    {"usage_window=sliding usage_window_s=6400", 3000, 100, 250000, 3000},
    {"usage_window=tumbling usage_window_s=6400", 3000, 0, 500000, 3000},
};

START_TEST(past_use_counts)
{
    struct story s;
    char text[256];
    (void)snprintf(text, sizeof text, "opt actions=allocate %s; node n0 8; queue a; queue b",
                   histories[_i].options);
    story_open(&s, text);
    ck_assert_int_eq(STORY_NOW % 6400000, 1600000); /* the tumbling window began 1600 seconds ago */
    story_decides(&s, "", "nobody is there");
    s.now += histories[_i].before_s * 1000;
    story_tell(&s, "job x a 4x1");
    story_decides(&s, "x/0@n0 x/1@n0 x/2@n0 x/3@n0", "a has half");
    s.now += 100000;
    ck_assert_int_eq(
        policy_task_ended(s.p, s.now, story_job(&s, "x"), POLICY_ALL_TASKS, POLICY_SUCCEEDED),
        POLICY_OK);
    s.now += histories[_i].wait_s * 1000;
    story_tell(&s,
               "job y a 20x1; job z b 20x1"); /* gangs that never fit: only their requests count */
    story_decides(&s, "", "shares are made");
    struct policy_queue_info info = {.size = sizeof info};
    ck_assert_int_eq(policy_queue_info(s.p, story_queue(&s, "a"), &info), POLICY_OK);
    ck_assert_int_eq(info.usage_ppm.gpu, histories[_i].use_a);
    ck_assert_int_eq(info.fair_share.gpu, histories[_i].share_a);
    story_close(&s);
}
END_TEST

static int64_t use_of(const struct story *s, const char *queue)
{
    struct policy_queue_info info = {.size = sizeof info};
    ck_assert_int_eq(policy_queue_info(s->p, story_queue(s, queue), &info), POLICY_OK);
    return info.usage_ppm.gpu;
}

/* A restarting embedder reports past usage before nodes; from then on a's usage decays for one
 * window. */
START_TEST(a_history_continues_from_reported_usage)
{
    struct story s;
    story_open(&s, "opt usage_window=sliding usage_window_s=6400; queue a; queue b");
    ck_assert_int_eq(
        policy_set_usage(s.p, s.now, story_queue(&s, "a"), &(struct policy_amounts){500000, 0, 0}),
        POLICY_OK);
    ck_assert_int_eq(use_of(&s, "a"), 500000);
    story_tell(&s, "node n0 8; job y a 20x1; job z b 20x1");
    story_decides(&s, "", "shares are made");
    ck_assert_int_eq(use_of(&s, "a"), 500000);
    ck_assert_int_eq(use_of(&s, "b"), 0);
    ck_assert_int_eq(story_fair_share(&s, "a"), 3000); /* as in the histories above */
    s.now += 3200000;
    story_decides(&s, "", "half of the window has passed");
    ck_assert_int_eq(use_of(&s, "a"), 250000);
    s.now += 3200000;
    story_decides(&s, "", "all of it");
    ck_assert_int_eq(use_of(&s, "a"), 0);
    ck_assert_int_eq(story_fair_share(&s, "a"), 4000);
    story_close(&s);
}
END_TEST

/* The device of v is promised to p for 100 seconds, in which v holds it; then p has it for 100
 * seconds. */
START_TEST(promises_are_no_use)
{
    struct story s;
    story_open(&s,
               "opt usage_window=sliding usage_window_s=6400; node n0 1; queue a gpu=1; queue b;"
               "job v b 1x1@n0; job p a 1x1");
    story_decides(&s, "v/0!n0 p/0~n0", "p reclaims");
    ck_assert_int_eq(policy_task_releasing(s.p, s.now, story_job(&s, "v"), 0), POLICY_OK);
    s.now += 100000;
    ck_assert_int_eq(policy_task_ended(s.p, s.now, story_job(&s, "v"), 0, POLICY_EVICTED),
                     POLICY_OK);
    story_decides(&s, "p/0@n0", "it is free");
    ck_assert_int_eq(use_of(&s, "a"), 0);
    ck_assert_int_eq(use_of(&s, "b"), 1000000);
    s.now += 100000;
    story_tell(&s, "job q a 1x1");
    story_decides(&s, "", "nothing is free");
    ck_assert_int_eq(use_of(&s, "a"), 500000);
    ck_assert_int_eq(use_of(&s, "b"), 500000);
    core_is_sound(s.p);
    story_close(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("queues");
    TCase *tcase = tcase_create("queues");
    tcase_add_test(tcase, queues_are_checked);
    tcase_add_test(tcase, queues_are_removed_from_below);
    tcase_add_loop_test(tcase, queues_own_their_quota, 0, ROWS(owners));
    tcase_add_test(tcase, a_leaf_owns_the_rest_of_its_department);
    tcase_add_test(tcase, amounts_are_those_of_now);
    tcase_add_test(tcase, use_is_checked);
    tcase_add_loop_test(tcase, past_use_counts, 0, ROWS(histories));
    tcase_add_test(tcase, a_history_continues_from_reported_usage);
    tcase_add_test(tcase, promises_are_no_use);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
