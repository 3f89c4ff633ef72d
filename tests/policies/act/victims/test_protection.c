/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Minimum run times: which queue's counts against preemption and reclaim, for how long, and what
 * elastic jobs may still lose. Jobs started a minute ago unless noted, so 60 seconds just no longer
 * protect and 61 do.
 */
#include "tests/lib/harness.h"
#include "tests/lib/quota_story.h"

#include <string.h>

/* Preemption in queue q of D of H; `h`, `d`, `q`: settings of these queues. */
#define PREEMPT(opt, h, d, q, v)                                                                   \
    "opt actions=preempt " opt "; node n0 1; queue H gpu=1 " h "; queue D in=H gpu=1 " d           \
    "; queue q in=D gpu=1 " q ";"                                                                  \
    "job v q " v " 1x1@n0; job p q prio=60 1x1"

/* a of A of H reclaims from b of B of H. */
#define RECLAIM(opt, h, big_b, b, a)                                                               \
    "opt actions=reclaim " opt "; node n0 2; queue H gpu=2 " h "; queue A in=H gpu=1 " a           \
    "; queue a in=A gpu=1 " a ";"                                                                  \
    "queue B in=H gpu=1 " big_b "; queue b in=B gpu=1 " b "; job v b 2x1@n0*2; job p a 1x1"
#define TAKEN "v/0!n0 v/1!n0 p/0~n0"

/* The same with different roots. */
#define ROOTS(opt, big_b, b)                                                                       \
    "opt actions=reclaim " opt "; node n0 2; queue A gpu=1; queue a in=A gpu=1;"                   \
    "queue B gpu=1 " big_b "; queue b in=B gpu=1 " b "; job v b 2x1@n0*2; job p a 1x1"

/* a1 reclaims from a2 of the same department. */
#define SIBLINGS(opt, big_a, a2)                                                                   \
    "opt actions=reclaim " opt "; node n0 2; queue A gpu=2 " big_a                                 \
    "; queue a1 in=A gpu=1; queue a2 in=A gpu=1 " a2 ";"                                           \
    "job v a2 2x1@n0*2; job p a1 1x1"

/* An elastic job of 4 tasks with a minimum of 2, in a queue with a minimum run time; p requests
 * `wants` devices. */
#define ELASTIC(wants, start)                                                                      \
    "opt actions=preempt preempt_min_runtime_s=100; node n0 4; queue q gpu=4;"                     \
    "job v q start=" start " 4x1/2@n0*4; job p q prio=60 1x" wants

static const struct story_row rows[] = {
    /* ---- preemption: the leaf, or the nearest ancestor with a value ---- */
    {"nobody says", PREEMPT("", "", "", "", ""), "v/0!n0 p/0~n0"},
    {"the leaf says", PREEMPT("", "", "", "preempt_min=61", ""), ""},
    {"and that it is over", PREEMPT("", "", "", "preempt_min=60", ""), "v/0!n0 p/0~n0"},
    {"the leaf says none, though those above do",
     PREEMPT("", "preempt_min=99", "preempt_min=99", "preempt_min=0", ""), "v/0!n0 p/0~n0"},
    {"the department says", PREEMPT("", "", "preempt_min=61", "", ""), ""},
    {"the department says before the house",
     PREEMPT("", "preempt_min=99", "preempt_min=60", "", ""), "v/0!n0 p/0~n0"},
    {"the house says", PREEMPT("", "preempt_min=61", "", "", ""), ""},
    {"the option says where no queue does", PREEMPT("preempt_min_runtime_s=61", "", "", "", ""),
     ""},
    {"but queues come first", PREEMPT("preempt_min_runtime_s=99", "preempt_min=60", "", "", ""),
     "v/0!n0 p/0~n0"},
    {"times against reclaim do not count",
     PREEMPT("reclaim_min_runtime_s=99", "", "", "reclaim_min=99", ""), "v/0!n0 p/0~n0"},
    {"started earlier", PREEMPT("", "", "", "preempt_min=61", "start=61"), "v/0!n0 p/0~n0"},
    {"with an unknown start", PREEMPT("", "", "", "preempt_min=61", "start=never"),
     "v/0!n0 p/0~n0"},
    {"another victim is found",
     "opt actions=preempt; node n0 2; queue q gpu=2 preempt_min=100; job v q start=200 1x1@n0;"
     "job w q start=50 1x1@n0;"
     "job p q prio=60 1x1",
     "v/0!n0 p/0~n0"},
    {"without a hierarchy the department has no say",
     PREEMPT("full_hierarchy=false", "", "preempt_min=61", "", ""), "v/0!n0 p/0~n0"},

    /* ---- reclaim, method lca: from the child of the lowest common ancestor upwards ---- */
    {"nobody says", RECLAIM("", "", "", "", ""), TAKEN},
    {"the victim's department says", RECLAIM("", "", "reclaim_min=61", "", ""), ""},
    {"and that it is over", RECLAIM("", "", "reclaim_min=60", "", ""), TAKEN},
    {"the victim's leaf has no say", RECLAIM("", "", "", "reclaim_min=61", ""), TAKEN},
    {"nor against its department", RECLAIM("", "", "reclaim_min=61", "reclaim_min=0", ""), ""},
    {"above the department the house", RECLAIM("", "reclaim_min=61", "", "", ""), ""},
    {"the department before the house", RECLAIM("", "reclaim_min=99", "reclaim_min=60", "", ""),
     TAKEN},
    {"the reclaimer's side has no say", RECLAIM("", "", "", "", "reclaim_min=99"), TAKEN},
    {"the option at last", RECLAIM("reclaim_min_runtime_s=61", "", "", "", ""), ""},
    {"times against preemption do not count",
     RECLAIM("preempt_min_runtime_s=99", "preempt_min=99", "", "", ""), TAKEN},
    {"different roots: the victim's", ROOTS("", "reclaim_min=61", ""), ""},
    {"different roots: not its leaf", ROOTS("", "", "reclaim_min=61"), TAKEN},
    {"different roots: else the option", ROOTS("reclaim_min_runtime_s=61", "", ""), ""},
    {"siblings: the victim's leaf", SIBLINGS("", "", "reclaim_min=61"), ""},
    {"siblings: else the parent", SIBLINGS("", "reclaim_min=61", ""), ""},
    {"siblings: the leaf first", SIBLINGS("", "reclaim_min=61", "reclaim_min=60"), TAKEN},
    {"without a hierarchy all leaves are siblings",
     ROOTS("full_hierarchy=false", "", "reclaim_min=61"), ""},
    {"and nothing is above them", ROOTS("full_hierarchy=false", "reclaim_min=61", ""), TAKEN},

    /* ---- reclaim, method queue: as with preemption ---- */
    {"queue: the leaf says", RECLAIM("protection=queue", "", "", "reclaim_min=61", ""), ""},
    {"queue: the leaf says none",
     RECLAIM("protection=queue", "", "reclaim_min=99", "reclaim_min=0", ""), TAKEN},
    {"queue: else the department", RECLAIM("protection=queue", "", "reclaim_min=61", "", ""), ""},
    {"queue: different roots", ROOTS("protection=queue", "", "reclaim_min=61"), ""},

    /* ---- elastic jobs shrink to their minimum ---- */
    {"one above the minimum", ELASTIC("1", "50"), "v/3!n0 p/0~n0"},
    {"down to the minimum", ELASTIC("2", "50"), "v/2!n0 v/3!n0 p/0~n0"},
    {"and no further", ELASTIC("3", "50"), ""},
    {"unless its time is over", ELASTIC("3", "100"), "v/0!n0 v/1!n0 v/2!n0 v/3!n0 p/0~n0"},
    {"reclaim: down to the minimum",
     "opt actions=reclaim reclaim_min_runtime_s=100; node n0 4; queue a gpu=2; queue b gpu=2;"
     "job v b 4x1/2@n0*4; job p a 1x2",
     "v/2!n0 v/3!n0 p/0~n0"},
    {"reclaim: and no further",
     "opt actions=reclaim reclaim_min_runtime_s=100; node n0 4; queue a gpu=3; queue b gpu=1;"
     "job v b 4x1/2@n0*4; job p a 1x3",
     ""},
    {"an elastic job at its minimum has nothing to lose",
     "opt actions=preempt preempt_min_runtime_s=100; node n0 2; queue q gpu=2; job v q 3x1/2@n0*2;"
     "job p q prio=60 1x1",
     ""},
    {"the minimum of each role",
     "opt actions=preempt preempt_min_runtime_s=100; node n0 4; queue q gpu=4; job v q 2x1/1@n0*2 "
     "2x1@n0*2;job p q prio=60 1x2",
     ""},

    /* ---- consolidation may move any job ---- */
    {"moves are no end",
     "opt actions=consolidate preempt_min_runtime_s=999 reclaim_min_runtime_s=999; node n0 2; node "
     "n1 2;queue q gpu=4;"
     "job v1 q 1x1@n0; job v2 q 1x1@n1; job p q 1x2",
     "v2/0!n1 v2/0~n0 p/0~n1"},
};

START_TEST(protected_jobs)
{
    story_expects(rows[_i].text, rows[_i].expected, rows[_i].what);
}
END_TEST

START_TEST(the_end_of_the_time_is_waited_for)
{
    struct story s;
    story_open(&s, PREEMPT("", "", "", "preempt_min=90", ""));
    story_decides(&s, "", "30 seconds are left");
    ck_assert_int_eq(policy_next_wakeup(s.p), s.now + 30000);
    s.now += 29999;
    story_decides(&s, "", "one millisecond is left");
    s.now += 1;
    story_decides(&s, "v/0!n0 p/0~n0", "now");
    story_close(&s);
}
END_TEST

/* The time begins with the first chunk that starts; later tasks do not restart it. */
START_TEST(the_time_begins_with_the_first_start)
{
    struct story s;
    story_open(&s, "opt actions=allocate,preempt preempt_min_runtime_s=100; node n0 1; node n1 1 "
                   "down; queue q gpu=2;job v q 2x1/1");
    story_decides(&s, "v/0@n0", "the first task");
    s.now += 50000;
    ck_assert_int_eq(policy_set_node_state(s.p, s.now, story_node(&s, "n1"), POLICY_NODE_UP),
                     POLICY_OK);
    story_decides(&s, "v/1@n1", "the second");
    story_tell(&s, "job p q prio=60 1x1; job r q prio=60 1x1");
    story_decides(&s, "v/1!n1 p/0~n1", "above the minimum");
    ck_assert_int_eq(policy_task_ended(s.p, s.now, story_job(&s, "v"), 1, POLICY_EVICTED),
                     POLICY_OK);
    story_decides(&s, "p/0@n1", "r has to wait");
    ck_assert_int_eq(policy_next_wakeup(s.p), STORY_NOW + 100000);
    s.now = STORY_NOW + 100000;
    story_decides(&s, "v/0!n0 r/0~n0", "100 seconds after the first");
    story_close(&s);
}
END_TEST

/* A job evicted and started again is protected again. */
START_TEST(the_time_begins_again_with_a_restart)
{
    struct story s;
    story_open(&s, "opt actions=allocate,preempt preempt_min_runtime_s=100; node n0 1; queue q "
                   "gpu=1; job v q start=500 1x1@n0");
    ck_assert_int_eq(policy_task_ended(s.p, s.now, story_job(&s, "v"), 0, POLICY_EVICTED),
                     POLICY_OK);
    story_decides(&s, "v/0@n0", "again");
    story_tell(&s, "job p q prio=60 1x1");
    s.now += 99999;
    story_decides(&s, "", "protected");
    s.now += 1;
    story_decides(&s, "v/0!n0 p/0~n0", "no more");
    story_close(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("protect");
    TCase *tcase = tcase_create("protect");
    tcase_add_loop_test(tcase, protected_jobs, 0, ROWS(rows));
    tcase_add_test(tcase, the_end_of_the_time_is_waited_for);
    tcase_add_test(tcase, the_time_begins_with_the_first_start);
    tcase_add_test(tcase, the_time_begins_again_with_a_restart);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
