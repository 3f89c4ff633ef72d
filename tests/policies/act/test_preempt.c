/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Preemption: only in the same leaf, by priority alone, whatever the shares. */
#include "tests/lib/harness.h"
#include "tests/lib/quota_story.h"

static const struct story_row rows[] = {
    {"a job of lower priority in the same queue",
     "opt actions=preempt; node n0 1; queue q gpu=1; job v q prio=50 1x1@n0; job p q prio=51 1x1",
     "v/0!n0 p/0~n0"},
    {"not of the same priority",
     "opt actions=preempt; node n0 1; queue q gpu=1; job v q prio=50 1x1@n0; job p q prio=50 1x1",
     ""},
    {"not of higher priority",
     "opt actions=preempt; node n0 1; queue q gpu=1; job v q prio=51 1x1@n0; job p q prio=50 1x1",
     ""},
    {"nor with others of lower priority, though it is newer",
     "opt actions=preempt; node n0 2; queue q gpu=2; job w q prio=40 1x1@n0; job v q prio=50 at=9 "
     "1x1@n0;job p q prio=50 at=1 1x2",
     ""},
    {"not in another queue",
     "opt actions=preempt; node n0 1; queue q gpu=1; queue o; job v o prio=1 1x1@n0; job p q "
     "prio=99 1x1",
     ""},
    {"not in a sibling of the same department",
     "opt actions=preempt; node n0 1; queue D gpu=1; queue q in=D gpu=1; queue o in=D; job v o "
     "prio=1 1x1@n0;job p q prio=99 1x1",
     ""},
    {"not from non-preemptible jobs",
     "opt actions=preempt; node n0 1; queue q gpu=1; job v q prio=1 fixed 1x1@n0; job p q prio=99 "
     "1x1",
     ""},
    {"one victim of several that is of lower priority",
     "opt actions=preempt; node n0 2; queue q gpu=2; job v q prio=60 1x1@n0; job w q prio=40 "
     "1x1@n0;"
     "job p q prio=50 1x1",
     "w/0!n0 p/0~n0"},
    {"not enough of them",
     "opt actions=preempt; node n0 2; queue q gpu=2; job v q prio=60 1x1@n0; job w q prio=40 "
     "1x1@n0;"
     "job p q prio=50 1x2",
     ""},
    {"shares do not matter: a queue without quota, far above its share",
     "opt actions=preempt; node n0 4; queue q gpu=0/-/0; queue o gpu=4; job v q 4x1/1@n0*4; job p "
     "q prio=60 1x1;job w o 1x8",
     "v/3!n0 p/0~n0"},
    {"non-preemptible jobs stay within the quota",
     "opt actions=preempt; node n0 1; queue q gpu=.5; job v q 1x1@n0; job p q prio=60 fixed 1x1",
     ""},
    {"up to exactly the quota",
     "opt actions=preempt; node n0 1; queue q gpu=1; job v q 1x1@n0; job p q prio=60 fixed 1x1",
     "v/0!n0 p/0~n0"},
    {"within that of the department too",
     "opt actions=preempt; node n0 1; queue D gpu=.5; queue q in=D gpu=1; job v q 1x1@n0;"
     "job p q prio=60 fixed 1x1",
     ""},
    {"at the limit: what the victim leaves is enough",
     "opt actions=preempt; node n0 2; queue q gpu=1/1; job v q 1x1@n0; job p q prio=60 1x1",
     "v/0!n0 p/0~n0"},
    {"above the limit with all victims gone",
     "opt actions=preempt; node n0 2; queue q gpu=1/1; job v q 1x1@n0; job p q prio=60 2x1", ""},
    {"above the limit of the department, which others use",
     "opt actions=preempt; node n0 3; queue D gpu=2/2; queue q in=D gpu=2; queue o in=D gpu=2; job "
     "r o 1x1@n0;job v q 1x1@n0;"
     "job p q prio=60 2x1",
     ""},
    /* Pending, it weighs as on the smallest device, 1; on n0 it is a half. The quota is checked
     * node by node. */
    {"memory of a device counts where it is placed",
     "opt actions=preempt; node n0 1 gpumem=2000; node n1 1 gpumem=1000 drain; queue q gpu=.5; job "
     "v q 1x1@n0;job p q prio=60 fixed 1xm1000",
     "v/0!n0 p/0~n0:0"},
    {"and there it may be too much",
     "opt actions=preempt; node n0 1 gpumem=2000; node n1 1 gpumem=1000 drain; queue q gpu=.49; "
     "job v q 1x1@n0;job p q prio=60 fixed 1xm1000",
     ""},
    {"without priorities in the order they still select victims, and age decides the order",
     "opt actions=preempt priorities=false; node n0 2; queue q gpu=2; job v q prio=40 at=1 1x1@n0;"
     "job w q prio=45 at=2 1x1@n0;"
     "job p q prio=50 at=0 1x1",
     "w/0!n0 p/0~n0"},
    {"so that an older victim takes its place again",
     "opt actions=preempt priorities=false; node n0 2; queue q gpu=2; job v q prio=40 at=0 1x1@n0;"
     "job w q prio=45 at=1 1x1@n0;"
     "job p q prio=50 at=2 1x1",
     ""},
    {"the shortest job first: a longer one of lower priority is a victim",
     "preset quota-sjf; opt actions=preempt; node n0 2; queue q gpu=2; job v q run=900 1x1@n0;"
     "job w q run=700 1x1@n0; job p q prio=60 run=800 1x1",
     "v/0!n0 p/0~n0"},
    {"but not a shorter one, and not in place of it",
     "preset quota-sjf; opt actions=preempt; node n0 2; queue q gpu=2; job v q run=900 1x1@n0;"
     "job w q run=700 1x1@n0; job p q prio=60 run=800 1x2",
     ""},
    {"nor is it moved: that is left to consolidate",
     "preset quota-sjf; opt actions=preempt; node n0 2; node n1 2; queue q gpu=4; queue o gpu=4;"
     "job f o fixed 1x1@n1; job v q run=900 1x1@n0; job w q run=700 1x1@n0;"
     "job p q prio=60 run=800 1x2",
     ""},
    {"an elastic job gives what is above its minimum, however short it is",
     "preset quota-sjf; opt actions=preempt; node n0 2; queue q gpu=2; job v q run=700 "
     "2x1/1@n0*2; job p q prio=60 run=800 1x1",
     "v/1!n0 p/0~n0"},
};

START_TEST(victims_of_preemption)
{
    story_expects(rows[_i].text, rows[_i].expected, rows[_i].what);
}
END_TEST

START_TEST(the_reason_is_reported)
{
    struct story s;
    story_open(
        &s, "opt actions=preempt; node n0 1; queue q gpu=1; job v q 1x1@n0; job p q prio=60 1x1");
    ck_assert_int_eq(story_reason(&s), POLICY_REASON_PREEMPTED);
    story_close(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("preempt");
    TCase *tcase = tcase_create("preempt");
    tcase_add_loop_test(tcase, victims_of_preemption, 0, ROWS(rows));
    tcase_add_test(tcase, the_reason_is_reported);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
