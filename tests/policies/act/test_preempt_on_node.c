/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Preemption task by task: which tasks are evicted, and from which node; rules of kube-scheduler,
 * expectations by counting. */
#include "tests/lib/harness.h"
#include "tests/lib/quota_story.h"

static const struct story_row rows[] = {
    {"a task of lower priority is evicted, from any queue",
     "preset kube-default; node n0 1; queue q gpu=1; queue o; job v q prio=50 1x1@n0; job p o "
     "prio=51 1x1",
     "v/0!n0 p/0~n0"},
    {"not of the same priority, nor of higher",
     "preset kube-default; node n0 1; node n1 1; queue q; job v q prio=50 1x1@n0; job w q prio=51 "
     "1x1@n1;job p q prio=50 1x1",
     ""},
    {"not with the action switched off",
     "preset kube-default; opt actions=allocate; node n0 1; queue q; job v q prio=1 1x1@n0; job p "
     "q prio=99 1x1",
     ""},
    {"one task of a gang is evicted, the others keep what they hold",
     "preset kube-default; node n0 4; queue q; job v q prio=1 4x1/4@n0*4; job p q prio=9 1x1",
     "v/3!n0 p/0~n0"},
    {"also from non-preemptible jobs: Kubernetes has none",
     "preset kube-default; node n0 1; queue q; job v q prio=1 fixed 1x1@n0; job p q prio=99 1x1",
     "v/0!n0 p/0~n0"},
    {"unless configured otherwise",
     "preset kube-default; opt victims=preemptible; node n0 2; queue q; job v q prio=1 fixed "
     "1x1@n0;"
     "job w q prio=2 1x1@n0; job p q prio=99 1x1",
     "w/0!n0 p/0~n0"},
    {"put back first: higher priority",
     "preset kube-default; node n0 3; queue q; job u q prio=3 1x1@n0; job v q prio=1 1x1@n0; job w "
     "q prio=2 1x1@n0;job p q prio=9 1x1",
     "v/0!n0 p/0~n0"},
    {"at equal priority the one running longer",
     "preset kube-default; node n0 2; queue q; job v q prio=1 start=50 1x1@n0; job w q prio=1 "
     "start=70 1x1@n0;job p q prio=9 1x1",
     "v/0!n0 p/0~n0"},
    {"the most important is put back if it fits, then a less important one next to it",
     "preset kube-default; node n0 8; queue q; job u q prio=3 1x4@n0; job v q prio=2 1x3@n0; job w "
     "q prio=1 1x1@n0;job p q prio=9 1x2",
     "v/0!n0 p/0~n0"},
    {"1. the node whose highest victim has the lowest priority, even with more victims",
     "preset kube-default; node n0 2; node n1 2; queue q; job u q prio=5 1x2@n0; job v q prio=4 "
     "2x1@n1*2;job p q prio=9 1x2",
     "v/0!n1 v/1!n1 p/0~n1"},
    {"2. the smaller sum of priorities",
     "preset kube-default; node n0 2; node n1 2; queue q; job u q prio=5 2x1@n0*2; job v q prio=5 "
     "1x1@n1;job w q prio=1 1x1@n1; job p q prio=9 1x2",
     "v/0!n1 w/0!n1 p/0~n1"},
    {"each of them with 2^31 added: fewer victims before a smaller plain sum",
     "preset kube-default; node n0 3; node n1 3; queue q; job u q prio=5 1x1@n0; job x q prio=0 "
     "2x1@n0*2;job v q prio=5 1x1@n1; job w q prio=4 1x2@n1; job p q prio=9 1x3",
     "v/0!n1 w/0!n1 p/0~n1"},
    {"4. the later start of the highest",
     "preset kube-default; node n0 1; node n1 1; queue q; job u q prio=5 start=90 1x1@n0;"
     "job v q prio=5 start=80 1x1@n1; job p q prio=9 1x1",
     "v/0!n1 p/0~n1"},
    {"5. the first node",
     "preset kube-default; node n0 1; node n1 1; queue q; job u q prio=5 1x1@n0; job v q prio=5 "
     "1x1@n1;"
     "job p q prio=9 1x1",
     "u/0!n0 p/0~n0"},
    {"a node that it may not use is no candidate",
     "preset kube-default; node n0 1 type=1; node n1 1 type=2; queue q; job u q prio=1 1x1@n0; job "
     "v q prio=5 1x1@n1;job p q prio=9 1x1+t2",
     "v/0!n1 p/0~n1"},
    {"nor one that is drained",
     "preset kube-default; node n0 1 drain; node n1 1; queue q; job u q prio=1 1x1@n0; job v q "
     "prio=5 1x1@n1;job p q prio=9 1x1",
     "v/0!n1 p/0~n1"},
    {"CPU is a resource as any",
     "preset kube-default; node n0 8 cpu=4; queue q; job u q prio=1 1x1+c3@n0; job v q prio=2 "
     "1x1+c1@n0;"
     "job p q prio=9 1x1+c3",
     "u/0!n0 p/0~n0"},
    {"a task over the limit of its queue evicts none, not even of that queue",
     "preset kube-default; node n0 2; queue q gpu=0/2; job v q prio=1 2x1@n0*2; job p q prio=9 1x1",
     ""},
    {"victims for one task may leave room for the next, which evicts none",
     "preset kube-default; node n0 2; queue q; job v q prio=1 1x2@n0; job p q prio=9 1x1; job r q "
     "prio=5 2x1/2",
     "v/0!n0 p/0~n0 r/0~n0"},
    {"a gang of higher priority takes places one by one, here all that there are",
     "preset kube-default; node n0 2; node n1 2; queue q; job v q prio=1 4x1@n0*2,n1*2; job p q "
     "prio=9 6x1/6",
     "v/0!n0 v/1!n0 v/2!n1 v/3!n1 p/0~n0 p/1~n0 p/2~n1 p/3~n1"},
    {"a task just started is not evicted for one with a later turn",
     "preset kube-default; node n0 2; queue q; job x q prio=9 1x1; job y q prio=5 3x1",
     "x/0@n0 y/0@n0"},
    {"shares are evicted on the device that is short",
     "preset kube-default; node n0 1; queue q; job u q prio=1 1x.5@n0:0; job v q prio=2 1x.4@n0:0; "
     "job p q prio=9 1x.6",
     "u/0!n0:0 p/0~n0:0"},
};

START_TEST(lower_priorities_give_way)
{
    story_expects(rows[_i].text, rows[_i].expected, rows[_i].what);
}
END_TEST

START_TEST(evictions_say_why)
{
    struct story s;
    story_open(
        &s, "preset kube-default; node n0 1; queue q; job v q prio=1 1x1@n0; job p q prio=9 1x1");
    ck_assert_int_eq(story_reason(&s), POLICY_REASON_PREEMPTED);
    story_close(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("preemption of tasks one by one");
    TCase *tcase = tcase_create("pods_evict");
    tcase_add_loop_test(tcase, lower_priorities_give_way, 0, ROWS(rows));
    tcase_add_test(tcase, evictions_say_why);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
