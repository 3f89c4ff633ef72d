/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The node with the cheapest eviction, from a table that follows its nodes: queried again after
 * each change. */
#include "act/eviction_costs.h"
#include "tests/lib/harness.h"
#include "tests/lib/quota_story.h"

#define TWO_NODES                                                                                  \
    "preset kube-default; node n0 2; node n1 2; queue q; job u q prio=5 start=90 1x2@n0; job v q " \
    "prio=5 "                                                                                      \
    "start=80 2x1@n1*2; job p q prio=9 1x1; job r q prio=9 1x2"

static void is_cheapest(struct story *s, const char *job, const char *expected)
{
    uint32_t node = 12345;
    s->p->cluster->trying = true;
    ck_assert(pc_cheapest_node(s->p, story_job(s, job).i, 0, &node));
    s->p->cluster->trying = false;
    uint32_t wanted = expected != NULL ? story_node(s, expected).i : PC_NONE;
    ck_assert_msg(node == wanted, "for %s: node %u, not %u", job, node, wanted);
}

START_TEST(tables_follow_their_nodes)
{
    struct story s;
    story_open(&s, TWO_NODES);
    is_cheapest(&s, "p", "n1"); /* one victim each, v began later */
    is_cheapest(&s, "r", "n0"); /* one victim against two */
    story_tell(&s, "node n2 1; job w q prio=4 1x1@n2");
    is_cheapest(&s, "p", "n2");
    is_cheapest(&s, "r", "n0"); /* n2 has one device */
    ck_assert_int_eq(policy_set_node_state(s.p, s.now, story_node(&s, "n2"), POLICY_NODE_DOWN),
                     POLICY_OK);
    is_cheapest(&s, "p", "n1");
    story_close(&s);
}
END_TEST

/* A task found running has a job that began later, on all its nodes. */
START_TEST(a_later_start_counts_on_all_nodes)
{
    struct story s;
    story_open(&s, "preset kube-default; node n0 1; node n1 1; node n2 1; queue q; job u q prio=5 "
                   "start=80 1x1@n0;job v q prio=5 start=90 2x1@n1; job p q prio=9 1x1");
    is_cheapest(&s, "p", "n0");
    ck_assert_int_eq(policy_task_running(s.p, s.now, story_job(&s, "v"), 1, story_node(&s, "n2"), 1,
                                         s.now - 70000),
                     POLICY_OK);
    is_cheapest(&s, "p", "n1");
    story_close(&s);
}
END_TEST

START_TEST(what_depends_on_the_job_is_not_covered)
{
    struct story s;
    story_open(&s, "preset kube-default; node n0 1 gpumem=40000; queue q; job u q prio=5 1x1@n0; "
                   "job p q prio=9 1xm20000");
    uint32_t node;
    ck_assert(!pc_cheapest_node(s.p, story_job(&s, "p").i, 0, &node));
    story_close(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("eviction costs");
    TCase *tcase = tcase_create("eviction_costs");
    tcase_add_test(tcase, tables_follow_their_nodes);
    tcase_add_test(tcase, a_later_start_counts_on_all_nodes);
    tcase_add_test(tcase, what_depends_on_the_job_is_not_covered);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
