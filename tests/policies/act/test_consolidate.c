/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Consolidation: jobs are moved together, no job is lost. In most rows p is bound to n0 by a label,
 * so the jobs there must move.
 */
#include "tests/lib/harness.h"
#include "tests/lib/quota_story.h"

#include <string.h>

/* Three jobs of one device each on n0. n1 has room for them, and less than n0 once they are
 * gone. */
#define THREE(opt)                                                                                 \
    "opt actions=consolidate " opt "; node n0 4 label=1:1; node n1 4; queue q gpu=8;"              \
    "job w q fixed 1x1@n1; job v1 q 1x1@n0; job v2 q 1x1@n0; job v3 q 1x1@n0; job p q 1x4+k1:1"
#define ALL_THREE "v1/0!n0 v1/0~n1 v2/0!n0 v2/0~n1 v3/0!n0 v3/0~n1 p/0~n0"

/* An elastic job of two tasks that cannot move is the first victim; then v, which must move. */
#define ELASTIC(opt)                                                                               \
    "opt actions=consolidate " opt "; node n0 2 label=1:1; node n1 3 label=1:2; queue q gpu=8;"    \
    "job v q 1x1@n0; job e q 2x1+k1:2/1@n1*2; job p q 1x2+k1:1"

/* p/0 takes n1, from which the newest moves; for p/1 both others must move as well. */
#define TWO_STEPS(opt)                                                                             \
    "opt actions=consolidate " opt                                                                 \
    "; node n0 2 label=1:1; node n1 2 label=1:1; node n2 3; queue q gpu=9;"                        \
    "job v1 q 1x1@n0; job v2 q 1x1@n0; job v3 q 1x1@n1; job p q prio=60 2x2+k1:1"

#define LIKE(opt)                                                                                  \
    "opt actions=consolidate " opt                                                                 \
    "; node n0 2; node n1 2; queue o gpu=1/1 prio=200; queue q gpu=3;"                             \
    "job v1 q 1x1@n0; job v2 q 1x1@n1; job f o 1x2; job p q 1x2"

static const struct story_row rows[] = {
    {"two halves become a whole: the newest moves",
     "opt actions=consolidate; node n0 2; node n1 2; queue q gpu=4; job v1 q 1x1@n0; job v2 q "
     "1x1@n1; job p q 1x2",
     "v2/0!n1 v2/0~n0 p/0~n1"},
    {"too little room in total",
     "opt actions=consolidate; node n0 2; node n1 2; queue q gpu=4; job v1 q 1x1@n0; job v2 q "
     "2x1/1@n1*2;job p q 1x2",
     ""},
    {"devices being released count",
     "opt actions=consolidate; node n0 2; node n1 2; queue q gpu=4; job v1 q 1x1@n0; job v2 q "
     "1x1@n1;"
     "job r q 1x1@n1!; job p q 1x2",
     "v2/0!n1 v2/0~n0 p/0~n1"},
    {"parts of shared devices count", /* .5 + .5 is what it requests */
     "opt actions=consolidate; node n0 1; node n1 1; queue q gpu=2; job v1 q 1x.5@n0:0; job v2 q "
     "1x.5@n1:0;job p q 1x1",
     "v2/0!n1:0 v2/0~n0:0 p/0~n1"},
    {"no job may lose: enough in total, but not in one piece for the victim",
     "opt actions=consolidate; node n0 4 label=1:1; node n1 1; node n2 1; queue q gpu=6; job v q "
     "1x2@n0;"
     "job p q 1x4+k1:1",
     ""},
    {"for jobs that may be preempted only",
     "opt actions=consolidate; node n0 2; node n1 2; queue q gpu=4; job v1 q 1x1@n0; job v2 q "
     "1x1@n1;"
     "job p q fixed 1x2",
     ""},
    {"only such jobs are moved",
     "opt actions=consolidate; node n0 2; node n1 2; queue q gpu=4; job v1 q fixed 1x1@n0;"
     "job v2 q fixed 1x1@n1; job p q 1x2",
     ""},
    {"of any queue and priority",
     "opt actions=consolidate; node n0 2; node n1 2; queue q gpu=2; queue o gpu=2; job v1 o fixed "
     "1x1@n0;job v2 o prio=99 1x1@n1;"
     "job p q prio=1 1x2",
     "v2/0!n1 v2/0~n0 p/0~n1"},
    {"also for a queue above its share",
     "opt actions=consolidate; node n0 2; node n1 2; queue q gpu=0/-/0; queue o gpu=4; job v1 o "
     "1x1@n0;"
     "job v2 o 1x1@n1; job p q 1x2;"
     "job w o fixed 1x8",
     "v2/0!n1 v2/0~n0 p/0~n1"},
    {"limits hold",
     "opt actions=consolidate; node n0 2; node n1 2; queue q gpu=0/1; queue o gpu=4; job v1 o "
     "1x1@n0;"
     "job v2 o 1x1@n1; job p q 1x2",
     ""},
    {"minimum run times do not protect",
     "opt actions=consolidate preempt_min_runtime_s=999 reclaim_min_runtime_s=999; node n0 2; node "
     "n1 2;queue q gpu=4;"
     "job v1 q 1x1@n0; job v2 q 1x1@n1; job p q 1x2",
     "v2/0!n1 v2/0~n0 p/0~n1"},
    {"an elastic victim would lose: only one of its tasks is placed again",
     "opt actions=consolidate; node n0 3 label=1:1; node n1 3; queue q gpu=6; job e q 3x1/1@n0*3;"
     "job p q 1x3+k1:1",
     ""},
    {"a gang moves",
     "opt actions=consolidate; node n0 3 label=1:1; node n1 3; queue q gpu=6; job g q 3x1@n0*3; "
     "job p q 1x3+k1:1",
     "g/0!n0 g/0~n1 g/1!n0 g/1~n1 g/2!n0 g/2~n1 p/0~n0"},

    /* ---- how many: one more than the option says ---- */
    {"3 moved with 16", THREE(""), ALL_THREE},
    {"3 moved with 2", THREE("consolidation_victims=2"), ALL_THREE},
    {"not with 1", THREE("consolidation_victims=1"), ""},
    {"any number with -1", THREE("consolidation_victims=-1"), ALL_THREE},
    {"0 switches it off: not even one",
     "opt actions=consolidate consolidation_victims=0; node n0 2; node n1 2; queue q gpu=4;"
     "job v1 q 1x1@n0; job v2 q 1x1@n1; job p q 1x2",
     ""},
    {"1 moves two",
     "opt actions=consolidate consolidation_victims=1; node n0 3 label=1:1; node n1 4; queue q "
     "gpu=8;"
     "job w q fixed 2x1@n1*2;"
     "job v1 q 1x1@n0; job v2 q 1x1@n0; job p q 1x3+k1:1",
     "v1/0!n0 v1/0~n1 v2/0!n0 v2/0~n1 p/0~n0"},
    {"jobs are counted, not pieces taken from them: e is one", ELASTIC("consolidation_victims=1"),
     "v/0!n0 v/0~n1 p/0~n0"},
    {"all steps together: two tasks of which one moves one job, and the other two",
     TWO_STEPS("consolidation_victims=2"),
     "v1/0!n0 v1/0~n2 v2/0!n0 v2/0~n2 v3/0!n1 v3/0~n2 p/0~n0 p/1~n1"},
    {"are three", TWO_STEPS("consolidation_victims=1"), ""},

    /* ---- jobs equivalent to one that failed ---- */
    /* f comes first and exceeds the limit of its queue, whatever moves; p does not. */
    {"signatures: an equivalent job has failed, in whatever queue", LIKE(""), ""},
    {"without signatures it is tried", LIKE("signatures=false"), "v2/0!n1 v2/0~n0 p/0~n1"},
    {"a job on other nodes is not equivalent",
     "opt actions=consolidate; node n0 2; node n1 2; node n2 1 pool=5; node n3 2 pool=5;"
     "queue o gpu=0 prio=200 pools=5; queue q gpu=3;"
     "job w o fixed 1x1@n3; job v1 q 1x1@n0; job v2 q 1x1@n1; job f o 1x2; job p q 1x2",
     "v2/0!n1 v2/0~n0 p/0~n1"},
};

START_TEST(moved_jobs)
{
    story_expects(rows[_i].text, rows[_i].expected, rows[_i].what);
}
END_TEST

START_TEST(the_reason_is_reported)
{
    struct story s;
    story_open(&s, THREE(""));
    ck_assert_int_eq(story_reason(&s), POLICY_REASON_MOVED);
    story_close(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("consolidate");
    TCase *tcase = tcase_create("consolidate");
    tcase_add_loop_test(tcase, moved_jobs, 0, ROWS(rows));
    tcase_add_test(tcase, the_reason_is_reported);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
