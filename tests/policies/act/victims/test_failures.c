/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Failed steps of reclaim are remembered for equal jobs, and for those alone. In all rows v1 of
 * queue v started 10 s ago and is protected, so that only v2 can be taken.
 */
#include "act/victims/failures.h"
#include "tests/lib/harness.h"
#include "tests/lib/quota_story.h"

#define ONE_TO_TAKE                                                                                \
    "opt actions=reclaim; node n0 2; queue a gpu=2; queue v gpu=0 reclaim_min=100;"                \
    "job v1 v start=10 1x1@n0; job v2 v start=200 1x1@n0; "

static const struct row {
    const char *what, *text, *expected;
    uint32_t remembered;
} rows[] = {
    {"a single task succeeds though the second of a gang does not",
     ONE_TO_TAKE "job g a prio=60 2x1; job s a prio=50 1x1", "v2/0!n0 s/0~n0", 0},
    {"a smaller request succeeds though a larger one does not",
     ONE_TO_TAKE "job g a prio=60 1x2; job s a prio=50 1x1", "v2/0!n0 s/0~n0", 0},
    {"two gangs fail at their second task, once",
     ONE_TO_TAKE "job g a prio=60 2x1; job h a prio=50 2x1", "", 1},
    {"different requests fail each for itself",
     ONE_TO_TAKE "job g a prio=60 1x2; job h a prio=50 2x1", "", 2},
};

START_TEST(equal_steps_fail_once)
{
    const struct row *row = &rows[_i];
    struct story s;
    story_open(&s, row->text);
    story_decides(&s, row->expected, row->what);
    ck_assert_uint_eq(s.p->cluster->failures.count, row->remembered);
    story_close(&s);
}
END_TEST

START_TEST(failures_last_for_one_action)
{
    struct story s;
    story_open(&s, ONE_TO_TAKE "job g a 2x1");
    story_decides(&s, "", "v1 is protected");
    ck_assert_uint_eq(s.p->cluster->failures.count, 1);
    s.now += 100000;
    story_decides(&s, "v1/0!n0 v2/0!n0 g/0~n0 g/1~n0", "the protection of v1 is over");
    ck_assert_uint_eq(s.p->cluster->failures.count, 0);
    story_close(&s);
}
END_TEST

/* The first step of the job "one" has failed. */
static const struct kind {
    const char *job;
    uint32_t tasks;
    bool fails;
} kinds[] = {
    {"one", 1, true},    {"gang", 2, true},   {"far", 1, false},  {"two", 1, false},
    {"fixed", 1, false}, {"build", 1, false}, {"part", 1, false},
};

START_TEST(only_equal_jobs_fail_alike)
{
    static const struct pc_purpose others = {.reach = PC_OTHERS}, own = {.reach = PC_OWN};
    struct story s;
    story_open(&s, "node n0 2; queue a gpu=2; queue b gpu=2; job one a 1x1; job gang a 2x1;"
                   "job far b 1x1; job two a 1x2; job fixed a fixed 1x1; job build a build 1x1;"
                   "job part a 2x1/1@n0");
    struct pc_search search = {.p = s.p, .c = s.p->cluster, .purpose = &others};
    struct pc_tasks tasks = {.count = kinds[_i].tasks};
    search.job = story_job(&s, "one").i;
    pc_remember_failure(&search, 1);
    search.job = story_job(&s, kinds[_i].job).i;
    ck_assert_int_eq(pc_is_known_to_fail(&search, &tasks), kinds[_i].fails);
    search.purpose = &own;
    ck_assert(!pc_is_known_to_fail(&search, &tasks));
    search.purpose = &others;
    search.displacers = 1;
    ck_assert(!pc_is_known_to_fail(&search, &tasks));
    search.displacers = 0;
    s.p->cluster->exhaustive = true;
    ck_assert(!pc_is_known_to_fail(&search, &tasks));
    s.p->cluster->exhaustive = false;
    pc_forget_failures(s.p->cluster);
    ck_assert(!pc_is_known_to_fail(&search, &tasks));
    story_close(&s);
}
END_TEST

/* Everyone's jobs may be victims, and the first step of "one", in queue a, has failed. */
static const struct common {
    const char *job;
    bool fails;
} commons[] = {{"gang", true}, {"far", true},   {"fixed", true}, {"build", true},
               {"two", false}, {"part", false}, {"near", false}};

START_TEST(without_a_trial_all_queues_fail_alike)
{
    static const struct pc_purpose all = {.reach = PC_ALL}, others = {.reach = PC_OTHERS};
    struct story s;
    story_open(&s, "node n0 2 pool=0; node n1 2 pool=1; queue a gpu=2; queue b gpu=2;"
                   "queue c gpu=2 pools=0; job one a 1x1; job gang a 2x1; job far b 1x1;"
                   "job two a 1x2; job fixed a fixed 1x1; job build b build 1x1;"
                   "job part a 2x1/1@n0; job near c 1x1; job v b 1x1@n0");
    struct pc_search search = {.p = s.p, .c = s.p->cluster, .purpose = &all};
    const struct pc_tasks tasks = {.count = 1};
    const uint32_t one = story_job(&s, "one").i;
    search.asks.of[PC_GPU] = POLICY_WHOLE;
    search.job = one;
    search.tried = true; /* a trial depends on the job's queue */
    pc_remember_failure(&search, 1);
    search.tried = false;
    pc_remember_failure(&search, 2); /* so does a later step, through what was recorded */
    ck_assert(!pc_is_known_to_fail(&search, &tasks));
    pc_remember_failure(&search, 1);
    ck_assert(pc_is_known_to_fail(&search, &tasks));
    search.job = story_job(&s, commons[_i].job).i;
    ck_assert_int_eq(pc_is_known_to_fail(&search, &tasks), commons[_i].fails);
    search.purpose = &others;
    ck_assert(!pc_is_known_to_fail(&search, &tasks));
    story_close(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("failures");
    TCase *tcase = tcase_create("steps");
    tcase_add_loop_test(tcase, equal_steps_fail_once, 0, sizeof rows / sizeof *rows);
    tcase_add_loop_test(tcase, only_equal_jobs_fail_alike, 0, sizeof kinds / sizeof *kinds);
    tcase_add_loop_test(tcase, without_a_trial_all_queues_fail_alike, 0,
                        sizeof commons / sizeof *commons);
    tcase_add_test(tcase, failures_last_for_one_action);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
