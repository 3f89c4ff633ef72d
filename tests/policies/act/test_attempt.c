/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One attempt to place tasks of one job: the bound that blocks it, all or nothing, and which tasks
 * must wait. */
#include "act/attempt.h"
#include "state/gangs.h"
#include "state/state.h"
#include "state/tasks.h"
#include "tests/lib/harness.h"
#include "tests/lib/quota_story.h"

#include <stdio.h>
#include <string.h>

/* ---- bounds ---- */

/* The bound that the job's next tasks would exceed: the queue and resource as text, "" for none.
 * From the leaf up. */
static const struct {
    const char *text;
    int32_t reason;
    const char *queue;
    int resource;
} gates[] = {
    {"queue H gpu=1/1; queue q in=H gpu=1/1; job x q fixed 1x1", 0, NULL, PC_RESOURCES},
    {"queue H gpu=1/1; queue q in=H gpu=1/0; job x q 1x1", POLICY_REASON_OVER_LIMIT, "q", PC_GPU},
    {"queue H gpu=1/0; queue q in=H gpu=1/1; job x q 1x1", POLICY_REASON_OVER_LIMIT, "H", PC_GPU},
    {"queue H cpu=-/1; queue q in=H; job x q 1x1+c2", POLICY_REASON_OVER_LIMIT, "H", PC_CPU},
    {"queue q mem=-/1; job x q 1x1+r2", POLICY_REASON_OVER_LIMIT, "q", PC_MEM},
    {"queue H gpu=0; queue q in=H gpu=1; job x q fixed 1x1", POLICY_REASON_OVER_QUOTA, "H", PC_GPU},
    {"queue q gpu=1 cpu=1; job x q fixed 1x1+c2", POLICY_REASON_OVER_QUOTA, "q", PC_CPU},
    {"queue q gpu=0; job x q 1x1", 0, NULL, PC_RESOURCES},
    {"queue H gpu=9/9; queue q in=H gpu=9/2; job r q 1x1@n0; job x q 2x1", POLICY_REASON_OVER_LIMIT,
     "q", PC_GPU},
    {"queue H gpu=9/9; queue q in=H gpu=9/2; job r q 1x1@n0; job x q 2x1/1", 0, NULL, PC_RESOURCES},
    {"queue q gpu=0/0; job x q fixed 1xc1", 0, NULL, PC_RESOURCES},  /* none of that resource */
    {"queue q gpu=0/0; job x q fixed 1xm10", 0, NULL, PC_RESOURCES}, /* memory counts on its node */
    {"queue q gpu=0/2; job x q 1x3g", POLICY_REASON_OVER_LIMIT, "q", PC_GPU},
    {"queue q gpu=0/3; job x q 1x3g", 0, NULL, PC_RESOURCES},
    {"queue q gpu=0/.7; job x q 2x.4", POLICY_REASON_OVER_LIMIT, "q", PC_GPU},
};

START_TEST(the_bound_in_the_way_is_named)
{
    struct story s;
    char text[256];
    (void)snprintf(text, sizeof text, "node n0 4; %s", gates[_i].text);
    story_open(&s, text);
    struct pc_tasks next = {0};
    uint32_t job = story_job(&s, "x").i;
    ck_assert(pc_next_tasks(s.p, job, &next));
    struct pc_amounts more = pc_amounts_of(s.p->cluster, job, &next, true);
    struct pc_limit_check gate = pc_check_limits(s.p, job, &more);
    ck_assert_int_eq(gate.reason, gates[_i].reason);
    ck_assert_int_eq(gate.resource, gates[_i].resource);
    ck_assert_uint_eq(gate.queue,
                      gates[_i].queue != NULL ? story_queue(&s, gates[_i].queue).i : POLICY_NO_ID);
    pc_tasks_free(s.p, &next);
    story_close(&s);
}
END_TEST

/* ---- attempts ---- */

/* The next tasks of x: where each runs (@) or is nominated (~) afterwards; "-" if the attempt
 * failed. */
static const struct {
    const char *what, *text;
    bool promise_only;
    const char *expected;
} attempts[] = {
    {"now", "node n0 2; queue q; job x q 2x1", false, "0@n0 1@n0"},
    {"promises only", "node n0 2; queue q; job x q 2x1", true, "0~n0 1~n0"},
    {"a task without a place", "node n0 2; queue q; job x q 3x1", false, "-"},
    {"in vain: nothing to place", "node n0 2; queue q; job x q 1x1@?", false, "-"},
    {"over a limit", "node n0 2; queue q gpu=0/1; job x q 2x1", false, "-"},
    {"the rest must wait, so all of it does", "node n0 2; queue q; job r q 1x1@n0!; job x q 2x1",
     false, "0~n0 1~n0"},
    {"the rest is above the minimum", "node n0 2; queue q; job r q 1x1@n0!; job x q 2x1/1@n0",
     false, "1~n0"},
    {"one role waits, the other with it", "node n0 2; queue q; job r q 1x1@n0!; job x q 1x1 1x1",
     false, "0~n0 1~n0"},
    {"the waiting role has its minimum", /* set 0 has 1 of 1 and grows; set 1 is at its minimum */
     "node n0 2; queue q; job r q 1x1@n0!; job x q 2x1/1@n0 1xc1@n0", false, "1~n0"},
};

START_TEST(attempts_are_all_or_nothing)
{
    struct story s;
    story_open(&s, attempts[_i].text);
    struct pc_cluster *c = s.p->cluster;
    struct pc_tasks next = {0};
    uint32_t job = story_job(&s, "x").i;
    char found[128] = "-";
    size_t used = 0;
    ck_assert(pc_next_tasks(s.p, job, &next));
    uint32_t mark = pc_txn_mark(c);
    bool placed = pc_attempt(s.p, job, &next, attempts[_i].promise_only);
    ck_assert(placed || pc_txn_mark(c) == mark);
    for (uint32_t i = 0; placed && i < next.count; i++) {
        const struct pc_place *place = &pc_task(c, job, next.ids[i])->place;
        bool runs = place->holding == PC_RUNS;
        used +=
            (size_t)snprintf(found + used, sizeof found - used, "%s%u%cn%u", i > 0 ? " " : "",
                             next.ids[i], runs ? '@' : '~', runs ? place->node : place->nominated);
    }
    pc_txn_rollback(c, mark);
    ck_assert_msg(strcmp(found, attempts[_i].expected) == 0, "%s: %s, expected %s",
                  attempts[_i].what, found, attempts[_i].expected);
    pc_tasks_free(s.p, &next);
    story_close(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("attempt");
    TCase *tcase = tcase_create("attempt");
    tcase_add_loop_test(tcase, the_bound_in_the_way_is_named, 0, ROWS(gates));
    tcase_add_loop_test(tcase, attempts_are_all_or_nothing, 0, ROWS(attempts));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
