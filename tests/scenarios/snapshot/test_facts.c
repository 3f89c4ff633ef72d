/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The facts that a policy gets from a snapshot, as seen in its decisions and refusals. */
#include "scenarios/snapshot/facts.h"
#include "sim/base/out.h"
#include "tests/scenarios/snapshots.h"

struct told {
    struct snapshot *s;
    struct policy *policy;
    struct snap_facts facts;
};

static struct told tell(const char *preset, const char *text)
{
    struct told told = {.s = load_snapshot(text), .policy = snapshots_policy(preset)};
    struct err err = {0};
    bool ok = snapshot_tell(&told.facts, told.policy, told.s, false, &err);
    ck_assert_msg(ok, "refused: %s\n%s", err.msg, text);
    return told;
}

static void untell(struct told *told)
{
    snap_facts_fini(&told->facts);
    policy_destroy(told->policy);
    snapshot_destroy(told->s);
}

static void refuse(const char *preset, const char *text, const char *part)
{
    struct snapshot *s = load_snapshot(text);
    struct policy *policy = snapshots_policy(preset);
    struct snap_facts facts;
    struct err err = {0};
    ck_assert_msg(!snapshot_tell(&facts, policy, s, false, &err), "accepted: %s", text);
    ck_assert_int_eq(err.code, EXIT_INPUT);
    harness_contains(err.msg, part);
    snap_facts_fini(&facts);
    policy_destroy(policy);
    snapshot_destroy(s);
}

/* Decisions as "start a/t on n;" in one text. */
static void decide(struct told *told, char *text, size_t size)
{
    size_t count, used = 0;
    const struct policy_decision *d = policy_decide(told->policy, told->s->now_ms, &count);
    text[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        const struct snap_task *task = snap_facts_task(&told->facts, d[i].job, d[i].task);
        int n = snprintf(text + used, size - used, "%s %s/%s %s %llx;", policy_kind_name(d[i].kind),
                         snap_facts_job(&told->facts, d[i].job)->id, task->id,
                         snap_facts_node(&told->facts, d[i].node)->name,
                         (unsigned long long)d[i].devices);
        used += (size_t)n;
        ck_assert_uint_lt(used, size);
    }
}

static const struct {
    const char *preset, *text, *decisions;
} rows[] = {
    // Tasks start in the order of priority and id; ties of nodes go by name, so n10 comes before
    // n2.
    {"fifo",
     JOBS("{\"id\": \"a\", \"queue\": \"q\", \"tasks\": [{\"id\": \"t-2\", \"gpus\": 1}, {\"id\": "
          "\"t-10\", \"gpus\": 1}, {\"id\": \"t-3\", \"gpus\": 1, \"priority\": 9}]}"),
     "start a/t-3 n2 1;start a/t-10 n2 2;start a/t-2 n2 4;"},
    {"fifo",
     SNAP("\"nodes\": [{\"name\": \"n2\", \"gpus\": 2}, {\"name\": \"n10\", \"gpus\": 2}], "
          "\"queues\": [{\"name\": \"q\"}],\"jobs\": [{\"id\": \"a\", \"queue\": \"q\", \"tasks\": "
          "[{\"id\": \"t\", \"gpus\": 1}]}]"),
     "start a/t n10 1;"},
    // The older job first; jobs of the same age by id.
    {"fifo",
     JOBS("{\"id\": \"j-2\", \"queue\": \"q\", \"submit_ms\": 5, \"tasks\": [{\"id\": \"t\", "
          "\"gpus\": 4}]},{\"id\": \"j-10\", \"queue\": \"q\", \"submit_ms\": 5, \"tasks\": "
          "[{\"id\": \"t\", \"gpus\": 8}]},{\"id\": \"z\", \"queue\": \"q\", \"submit_ms\": 4, "
          "\"tasks\": [{\"id\": \"t\", \"cpu_milli\": 1}]}"),
     "start z/t n2 0;start j-10/t n10 ff;start j-2/t n2 f;"},
    // Running tasks keep their devices, even without a queue.
    {"fifo",
     JOBS("{\"id\": \"r\", \"queue\": \"q\", \"tasks\": [{\"id\": \"t\", \"state\": \"running\", "
          "\"node\": \"n10\", \"gpus\": 6}]},{\"id\": \"s\", \"queue\": \"none\", \"tasks\": "
          "[{\"id\": \"t\", \"gpus\": 1}, {\"id\": \"u\", \"state\": \"running\", \"node\": "
          "\"n10\", \"gpus\": 1}]},"
          "{\"id\": \"a\", \"queue\": \"q\", \"tasks\": [{\"id\": \"t\", \"gpus\": 1}, {\"id\": "
          "\"u\", \"gpus\": 1}]}"),
     "start a/t n10 80;start a/u n2 1;"},
    // Draining nodes and unusable devices accept no tasks.
    {"fifo",
     SNAP("\"nodes\": [{\"name\": \"a\", \"gpus\": 2, \"state\": \"draining\"}, {\"name\": \"b\", "
          "\"gpus\": 2, \"unusable_devices\": [0]}],\"queues\": [{\"name\": \"q\"}], \"jobs\": "
          "[{\"id\": \"r\", \"queue\": \"q\", \"tasks\": [{\"id\": \"t\", \"state\": \"running\", "
          "\"node\": \"a\", \"gpus\": 1}]}, {\"id\": \"j\", \"queue\": \"q\", \"tasks\": [{\"id\": "
          "\"t\", \"gpus\": 1}]}]"),
     "start j/t b 2;"},
    // Types and pools.
    {"fifo",
     SNAP("\"nodes\": [{\"name\": \"a\", \"gpus\": 1, \"gpu_type\": \"h100\"}, {\"name\": \"b\", "
          "\"gpus\": 8, \"gpu_type\": \"a100\", \"pool\": \"p\"}],\"queues\": [{\"name\": \"q\"}, "
          "{\"name\": \"p\", \"pools\": [\"p\"]}], \"jobs\": [{\"id\": \"j\", \"queue\": \"q\", "
          "\"tasks\": [{\"id\": \"t\", \"gpus\": 1, \"gpu_types\": \"l40s|a100\"}]}, {\"id\": "
          "\"k\", \"queue\": \"p\", \"tasks\": [{\"id\": \"t\", \"gpus\": 1}]}]"),
     "start j/t b 1;start k/t b 2;"},
    // Labels, and topologies in use.
    {"runai",
     SNAP("\"nodes\": [{\"name\": \"a\", \"gpus\": 2, \"labels\": {\"zone\": \"x\"}}, {\"name\": "
          "\"b\", \"gpus\": 2, \"labels\": {\"zone\": \"y\"}}],\"queues\": [{\"name\": \"q\"}], "
          "\"jobs\": [{\"id\": \"j\", \"queue\": \"q\", \"tasks\": [{\"id\": \"t\", \"gpus\": 1, "
          "\"node_labels\": {\"zone\": \"y\"}}]}, {\"id\": \"k\", \"queue\": \"q\", \"submit_ms\": "
          "5, \"tasks\": [{\"id\": \"t\", \"gpus\": 1, \"node_affinity\": {\"zone\": [\"z\", "
          "\"x\"]}}]}, {\"id\": \"l\", \"queue\": \"q\", \"tasks\": [{\"id\": \"t\", \"gpus\": 1, "
          "\"node_affinity\": {\"zone\": []}}]}]"),
     "start k/t a 1;start j/t b 1;"},
    {"runai",
     SNAP("\"topologies\": [{\"name\": \"f\", \"levels\": [\"rack\"]}], \"nodes\": [{\"name\": "
          "\"a\", \"gpus\": 1, \"labels\": {\"rack\": \"1\"}}, {\"name\": \"b\", \"gpus\": 1, "
          "\"labels\": {\"rack\": \"2\"}}, {\"name\": \"c\", \"gpus\": 1, \"labels\": {\"rack\": "
          "\"2\"}}],\"queues\": [{\"name\": \"q\"}], \"jobs\": [{\"id\": \"j\", \"queue\": \"q\", "
          "\"topology\": {\"topology\": \"f\", \"required\": \"rack\"}, \"tasks\": [{\"id\": "
          "\"t\", \"gpus\": 1}, {\"id\": \"u\", \"gpus\": 1}]}]"),
     "start j/t b 1;start j/u c 1;"},
    // A gang that is incomplete, gated or over starts nothing; an ended task is not started again.
    {"runai",
     JOBS("{\"id\": \"a\", \"queue\": \"q\", \"roles\": [{\"name\": \"w\", \"min_tasks\": 3}], "
          "\"tasks\": [{\"id\": \"t\", \"gpus\": 1}]},{\"id\": \"b\", \"queue\": \"q\", \"tasks\": "
          "[{\"id\": \"t\", \"state\": \"gated\"}]},{\"id\": \"c\", \"queue\": \"q\", \"tasks\": "
          "[{\"id\": \"t\", \"state\": \"failed\"}]},{\"id\": \"d\", \"queue\": \"q\", \"roles\": "
          "[{\"name\": \"w\", \"min_tasks\": 1}], \"tasks\": [{\"id\": \"t\", \"state\": "
          "\"succeeded\"}, {\"id\": \"u\", \"gpus\": 1}]}"),
     "start d/u n2 1;"},
    // Tasks of one role with different requests.
    {"runai",
     JOBS("{\"id\": \"a\", \"queue\": \"q\", \"tasks\": [{\"id\": \"t\", \"gpus\": 4}, {\"id\": "
          "\"u\", \"gpus\": 8}]}"),
     "start a/t n2 f;start a/u n10 ff;"},
    // Instances of fixed counts.
    {"runai",
     SNAP("\"nodes\": [{\"name\": \"a\", \"gpus\": 1, \"mig\": \"mixed\", \"mig_profiles\": "
          "{\"1g.10gb\": 1, \"3g.40gb\": 1}}],\"queues\": [{\"name\": \"q\"}], \"jobs\": [{\"id\": "
          "\"r\", \"queue\": \"q\", \"tasks\": [{\"id\": \"t\", \"state\": \"running\", \"node\": "
          "\"a\", \"mig\": {\"1g.10gb\": 1}}]}, {\"id\": \"j\", \"queue\": \"q\", \"tasks\": "
          "[{\"id\": \"t\", \"mig\": {\"1g.10gb\": 1}}]}, {\"id\": \"k\", \"queue\": \"q\", "
          "\"tasks\": [{\"id\": \"t\", \"mig\": {\"3g.40gb\": 1}}]}]"),
     "start k/t a 0;"},
    // Shares prefer the device that already has one.
    {"runai",
     JOBS("{\"id\": \"r\", \"queue\": \"q\", \"tasks\": [{\"id\": \"t\", \"state\": \"running\", "
          "\"node\": \"n10\", \"gpu_milli\": 500, \"devices\": [5]}]}, {\"id\": \"j\", \"queue\": "
          "\"q\", \"tasks\": [{\"id\": \"t\", \"gpu_milli\": 500}]}"),
     "start j/t n10 20;"},
};

START_TEST(policies_decide_on_snapshots)
{
    char got[1024];
    struct told told = tell(rows[_i].preset, rows[_i].text);
    decide(&told, got, sizeof got);
    ck_assert_str_eq(got, rows[_i].decisions);
    ck_assert_int_eq(policy_check(told.policy, NULL), POLICY_OK);
    untell(&told);
}
END_TEST

static const struct {
    const char *preset, *text, *part;
} refused[] = {
    {"fifo",
     JOB("\"tasks\": [{\"id\": \"t\", \"state\": \"running\", \"node\": \"n2\", \"gpus\": 1, "
         "\"devices\": [0]}]}, {\"id\": \"k\", \"queue\": \"q\", \"tasks\": [{\"id\": \"u\", "
         "\"state\": \"running\", \"node\": \"n2\", \"gpus\": 1, \"devices\": [0]}]"),
     "jobs[1]: the policy does not take 'u': device"},
    {"runai",
     JOB("\"tasks\": [{\"id\": \"t\", \"state\": \"running\", \"node\": \"n2\", \"gpus\": 1, "
         "\"devices\": [0]}, {\"id\": \"u\", \"state\": \"running\", \"node\": \"n2\", \"gpus\": "
         "1, \"devices\": [0]}]"),
     "jobs[0]: the policy does not take 'u': device"},
};

START_TEST(facts_that_a_policy_refuses_are_errors)
{
    refuse(refused[_i].preset, refused[_i].text, refused[_i].part);
}
END_TEST

/* A cluster may have features unknown to a policy, as long as no job uses them. */
START_TEST(what_nobody_uses_is_not_told)
{
    struct told told =
        tell("fifo", SNAP("\"topologies\": [{\"name\": \"f\", \"levels\": [\"rack\"]}],"
                          "\"nodes\": [{\"name\": \"a\", \"gpus\": 1, \"labels\": {\"rack\": "
                          "\"1\"}}],\"queues\": [{\"name\": \"q\", \"usage\": 0}, {\"name\": "
                          "\"x\", \"parent\": \"y\"}]"));
    ck_assert_uint_eq(told.facts.queues[1].i, POLICY_NO_ID);
    ck_assert_ptr_eq(snap_facts_queue(&told.facts, told.facts.queues[0]), &told.s->queues[0]);
    ck_assert_ptr_null(snap_facts_queue(&told.facts, (policy_queue){7}));
    untell(&told);
}
END_TEST

START_TEST(more_types_than_the_core_can_number_are_refused)
{
    struct out *out = out_memory();
    size_t n;
    out_text(out, "{\"fauxfleet_snapshot\": 1, \"nodes\": [");
    for (int i = 0; i <= POLICY_MAX_TYPES; i++)
        out_format(out, "%s{\"name\": \"n%d\", \"gpu_type\": \"t%d\"}", i ? "," : "", i, i);
    out_text(out, "]}");
    refuse("fifo", out_memory_text(out, &n), "more than 64 device types");
    out_discard(out);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("snapshot_facts");
    TCase *tcase = tcase_create("facts");
    tcase_add_loop_test(tcase, policies_decide_on_snapshots, 0, ROWS(rows));
    tcase_add_loop_test(tcase, facts_that_a_policy_refuses_are_errors, 0, ROWS(refused));
    tcase_add_test(tcase, what_nobody_uses_is_not_told);
    tcase_add_test(tcase, more_types_than_the_core_can_number_are_refused);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
