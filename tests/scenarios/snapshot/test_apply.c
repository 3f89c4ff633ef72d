/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cycles of a dry run: the decisions of each after those of the previous one were carried out. */
#include "scenarios/snapshot/facts.h"
#include "tests/scenarios/snapshots.h"

// clang-format off
#define NODE(gpus) \
    "\"nodes\": [{\"name\": \"n\", \"gpus\": " gpus "}], \"queues\": [{\"name\": \"q\", \"gpu\": " \
                                                    "{\"quota\": -1}}],"
#define RUNNING(id, gpus) \
    "{\"id\": \"" id "\", \"queue\": \"q\", \"submit_ms\": 0, \"tasks\": [{\"id\": \"t\", " \
                     "\"state\": \"running\", \"node\": \"n\"," \
    " \"gpus\": " gpus "}]}"
#define WAITING(id, priority, gpus) \
    "{\"id\": \"" id "\", \"queue\": \"q\", \"submit_ms\": 1, \"priority\": " priority ", \"tasks\": [{\"id\": \"t\"," \
    " \"gpus\": " gpus "}]}"
// Its limit is half a second and it has run for one, on two devices, one of which is being released; a third task is pending.
#define SESSION \
    "{\"id\": \"s\", \"queue\": \"q\", \"workload\": \"build\", \"last_start_ms\": 0, " \
    "\"interactive_limit_s\": 0.5," \
    " \"roles\": [{\"name\": \"w\", \"min_tasks\": 1}], \"tasks\": [" \
    "{\"id\": \"t\", \"role\": \"w\", \"state\": \"running\", \"node\": \"n\", \"gpus\": 1}," \
    "{\"id\": \"u\", \"role\": \"w\", \"state\": \"releasing\", \"node\": \"n\", \"gpus\": 1}," \
    "{\"id\": \"p\", \"role\": \"w\", \"gpus\": 1}]}"

static const struct {
    const char *text;
    const char *cycles[4]; // decisions of each cycle; NULL: no more cycles
} rows[] = {
    // Started in one cycle, running in the next: nothing more happens.
    {SNAP(NODE("2") "\"jobs\": [" WAITING("a", "50", "1") "]"), {"start a/t;", "", ""}},
    // Preempted: the nomination is forgotten, and the promised devices are taken.
    {SNAP(NODE("2") "\"jobs\": [" RUNNING("r", "2") "," WAITING("a", "75", "2") "]"),
     {"evict r/t;nominate a/t;", "start a/t;", "", ""}},
    // A task being released is over after the first cycle, and pending again.
    {SNAP(NODE("2") "\"jobs\": [{\"id\": \"r\", \"queue\": \"q\", \"priority\": 10, \"tasks\": "
                    "[{\"id\": \"t\", \"state\": \"releasing\", \"node\": \"n\", \"gpus\": 1}]}," WAITING("a", "50", "2") "]"),
     {"nominate a/t;", "start a/t;", "", ""}},
    {SNAP(NODE("2") "\"jobs\": [{\"id\": \"r\", \"queue\": \"q\", \"tasks\": [{\"id\": \"t\", "
                    "\"state\": \"releasing\", \"node\": \"n\", \"gpus\": 1}]}]"),
     {"", "start r/t;", "", ""}},
    // Without a queue to return to, it is over.
    {SNAP(NODE("1") "\"jobs\": [{\"id\": \"r\", \"queue\": \"none\", \"tasks\": [{\"id\": \"s\"}, "
                    "{\"id\": \"t\", \"state\": \"releasing\", \"node\": \"n\", \"gpus\": 1}]}," WAITING("a", "50", "1") "]"),
     {"nominate a/t;", "start a/t;", "", ""}},
    // A session ends at its limit, including its pending tasks and those being released.
    {SNAP(NODE("2") "\"jobs\": [" SESSION "]"), {"evict s/t;nominate s/p;", "", "", ""}},
    {SNAP(NODE("2") "\"jobs\": [" SESSION "," WAITING("a", "150", "2") "]"),
     {"evict s/t;nominate a/t;", "start a/t;", "", ""}},
};
// clang-format on

START_TEST(cycles_follow_one_another)
{
    struct snapshot *s = load_snapshot(rows[_i].text);
    struct policy *policy = snapshots_policy("runai");
    struct snap_facts facts;
    struct err err = {0};
    ck_assert_msg(snapshot_tell(&facts, policy, s, false, &err), "%s", err.msg);
    for (int cycle = 0; cycle < 4 && rows[_i].cycles[cycle]; cycle++) {
        size_t count, used = 0;
        char got[256] = "";
        const struct policy_decision *d = policy_decide(policy, s->now_ms, &count);
        for (size_t i = 0; i < count; i++)
            used +=
                (size_t)snprintf(got + used, sizeof got - used, "%s %s/%s;",
                                 policy_kind_name(d[i].kind), snap_facts_job(&facts, d[i].job)->id,
                                 snap_facts_task(&facts, d[i].job, d[i].task)->id);
        ck_assert_msg(strcmp(got, rows[_i].cycles[cycle]) == 0, "cycle %d: '%s', expected '%s'",
                      cycle + 1, got, rows[_i].cycles[cycle]);
        ck_assert_msg(snapshot_apply(&facts, d, count, &err), "%s", err.msg);
        ck_assert_int_eq(policy_check(policy, NULL), POLICY_OK);
    }
    snap_facts_fini(&facts);
    policy_destroy(policy);
    snapshot_destroy(s);
}
END_TEST

/* The last of several decisions about one task counts. */
START_TEST(the_last_decision_about_a_task_counts)
{
    struct snapshot *s = load_snapshot(SNAP(NODE("2") "\"jobs\": [" WAITING("a", "50", "1") "]"));
    struct policy *policy = snapshots_policy("runai");
    struct snap_facts facts;
    struct err err = {0};
    ck_assert(snapshot_tell(&facts, policy, s, false, &err));
    size_t count;
    struct policy_decision two[2];
    two[0] = policy_decide(policy, s->now_ms, &count)[0];
    ck_assert_uint_eq(count, 1);
    two[1] = two[0];
    two[1].kind = POLICY_EVICT;
    ck_assert_msg(snapshot_apply(&facts, two, 2, &err), "%s", err.msg);
    ck_assert_ptr_nonnull(policy_decide(policy, s->now_ms, &count)); /* it is pending again */
    ck_assert_uint_eq(count, 1);
    snap_facts_fini(&facts);
    policy_destroy(policy);
    snapshot_destroy(s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("snapshot_apply");
    TCase *tcase = tcase_create("cycles");
    tcase_add_loop_test(tcase, cycles_follow_one_another, 0, ROWS(rows));
    tcase_add_test(tcase, the_last_decision_about_a_task_counts);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
