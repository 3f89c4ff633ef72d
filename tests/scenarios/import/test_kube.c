/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The import of each field of Kubernetes' and KAI's objects, and the notes about it. The meaning of
 * fields: their API documentation; expected values were computed by hand.
 */
#include "tests/scenarios/imports.h"

#define LIST(items)      "{\"apiVersion\": \"v1\", \"kind\": \"List\", \"items\": [" items "]}"
#define META(name, rest) "\"metadata\": {\"name\": \"" name "\", \"namespace\": \"ml\"" rest "}"
#define GROUP(name, spec)                                                                          \
    "{\"apiVersion\": \"scheduling.run.ai/v2alpha2\", \"kind\": \"PodGroup\", " META(              \
        name, "") ", \"spec\": {" spec "}}"
#define QUEUE(name, spec)                                                                          \
    "{\"apiVersion\": \"scheduling.run.ai/v2\", \"kind\": \"Queue\", \"metadata\": {\"name\": "    \
    "\"" name "\", \"creationTimestamp\": \"2026-01-01T00:00:00Z\"}, \"spec\": {" spec "}}"
#define MEMBER(name, group, labels, spec)                                                          \
    "{\"apiVersion\": \"v1\", \"kind\": \"Pod\", " META(                                           \
        name, ", \"annotations\": {\"pod-group-name\": \"" group "\"}, \"labels\": {" labels       \
              "}") ", \"spec\": {" spec                                                            \
                   "\"containers\": [{\"resources\": {\"limits\": {\"nvidia.com/gpu\": 1}}}]}}"
#define OF(subgroup) "\"kai.scheduler/subgroup-name\": \"" subgroup "\""
#define POD(meta, spec)                                                                            \
    "{\"apiVersion\": \"v1\", \"kind\": \"Pod\", " META("p", meta) ", \"spec\": {" spec "}}"
#define NODE(meta, status)                                                                         \
    "{\"apiVersion\": \"v1\", \"kind\": \"Node\", \"metadata\": {\"name\": \"n\"" meta             \
    "}, \"status\": {"                                                                             \
    "\"allocatable\": {\"nvidia.com/gpu\": \"8\"}" status "}}"

/* ---- pod groups ---- */

// clang-format off
static const char no_minimum_world[] = LIST(
    GROUP("zero", "\"minMember\": 0") ", "
    GROUP("none", "\"queue\": \"q\"") ", "
    MEMBER("z0", "zero", "", "") ", " MEMBER("z1", "zero", "", "") ", "
    MEMBER("n0", "none", "", "") ", " MEMBER("n1", "none", "", ""));
// clang-format on

START_TEST(no_minimum)
{
    struct made made;
    make_of(&made, no_minimum_world);
    ck_assert_int_eq(job(&made, "ml/zero")->roles[0].min_tasks,
                     1); // of two: each starts separately
    ck_assert_uint_eq(job(&made, "ml/zero")->task_count, 2);
    ck_assert_int_eq(job(&made, "ml/none")->roles[0].min_tasks, 1);
    forget(&made);
}
END_TEST

/* Without a minimum, each pod of a subgroup is its own pod set; a subgroup without pods does not
 * matter. */
// clang-format off
static const char subgroups_without_a_minimum_world[] = LIST(
    GROUP("rl", "\"subGroups\": [{\"name\": \"a\", \"minMember\": 2}, {\"name\": \"b\"}, "
                "{\"name\": \"c\", \"minMember\": 0}]") ", "
    MEMBER("a0", "rl", OF("a"), "") ", " MEMBER("a1", "rl", OF("a"), "") ", "
    MEMBER("b0", "rl", OF("b"), "") ", " MEMBER("b1", "rl", OF("b"), "") ", "
    MEMBER("x", "rl", OF("x"), ""));
// clang-format on

START_TEST(subgroups_without_a_minimum)
{
    struct made made;
    make_of(&made, subgroups_without_a_minimum_world);
    const struct snap_job *rl = job(&made, "ml/rl");
    ck_assert_uint_eq(rl->role_count, 2);
    ck_assert_str_eq(rl->roles[0].name, "a");
    ck_assert_uint_eq(rl->roles[0].tasks, 3); // and x, of a missing subgroup
    ck_assert_int_eq(rl->roles[0].min_tasks, 2);
    ck_assert_str_eq(rl->roles[1].name, "b");
    ck_assert_uint_eq(rl->roles[1].tasks, 2);
    ck_assert_int_eq(rl->roles[1].min_tasks, 1);
    ck_assert(says(&made, "podgroup ml/rl: spec.subGroups[b].minMember: 0 or missing: counts as 1 "
                          "while the subgroup has pods"));
    ck_assert(says(&made, "podgroup ml/rl: spec.subGroups[c].minMember: 0 or missing: counts as 1 "
                          "while the subgroup has pods"));
    ck_assert(says(&made, "pod ml/x: subgroup: 'x' is not a subgroup with pods: counts for 'a'"));
    forget(&made);
}
END_TEST

#define RACK(level)                                                                                \
    "\"topologyConstraint\": {\"topology\": \"dc\", \"requiredTopologyLevel\": \"" level "\"}"

/* A subgroup with subgroups inside is a group, with the constraint that applies to all of them. */
// clang-format off
static const char nested_subgroups_world[] = LIST(
    GROUP("tree", "\"minSubGroup\": 1, \"subGroups\": [{\"name\": \"leaf\", \"parent\": \"inner\", "
                  "\"minMember\": 1}, {\"name\": \"inner\", \"minSubGroup\": 2, " RACK("rack") "}, "
          "{\"name\": \"other\", \"parent\": \"inner\", \"minMember\": 1, " RACK("host") "}, "
          "{\"name\": \"top\", \"minMember\": 1}]") ", "
    MEMBER("l", "tree", OF("leaf"), "") ", " MEMBER("o", "tree", OF("other"), "") ", " MEMBER("t",
     "tree", OF("top"), "") ", {\"apiVersion\": \"kai.scheduler/v1alpha1\", \"kind\": "
                            "\"Topology\", \"metadata\": {\"name\": \"dc\"}, \"spec\": "
                            "{\"levels\": [{\"nodeLabel\": \"rack\"}, {\"nodeLabel\": \"host\", "
                            "\"alias\": \"h\"}]}}");
// clang-format on

START_TEST(nested_subgroups)
{
    struct made made;
    make_of(&made, nested_subgroups_world);
    const struct snap_job *tree = job(&made, "ml/tree");
    ck_assert_uint_eq(tree->group_count, 1);
    ck_assert_str_eq(tree->groups[0].name, "inner");
    ck_assert_str_eq(tree->groups[0].topology.required, "rack");
    ck_assert_uint_eq(tree->role_count, 3); // leaf, other, top
    ck_assert_int_eq(tree->roles[0].group, 1);
    ck_assert_int_eq(tree->roles[1].group, 1);
    ck_assert_str_eq(tree->roles[1].topology.required, "host");
    ck_assert_int_eq(tree->roles[2].group, 0);
    // Two of two inside are no loss, one of the two at the top is.
    ck_assert(
        says(&made, "podgroup ml/tree: spec.minSubGroup: 1 of 2: not imported, all are required"));
    ck_assert_uint_eq(noted(&made, "[inner].minSubGroup"), 0);
    ck_assert(says(&made, "topology dc: spec.levels[].alias: not imported"));
    forget(&made);
}
END_TEST

/* Missing parents and cycles of parents; names that are not unique. */
// clang-format off
static const char broken_trees_world[] = LIST(
    GROUP("odd", "\"subGroups\": [{\"name\": \"a\", \"parent\": \"b\", \"minMember\": 1}, "
          "{\"name\": \"b\", \"parent\": \"a\", \"minMember\": 1}, "
          "{\"name\": \"c\", \"parent\": \"gone\", \"minMember\": 1}, {\"name\": \"c\"}, {}]") ", "
    MEMBER("p", "odd", OF("c"), ""));
// clang-format on

START_TEST(broken_trees)
{
    struct made made;
    make_of(&made, broken_trees_world);
    const struct snap_job *odd = job(&made, "ml/odd");
    ck_assert_uint_eq(odd->role_count, 2); // c, and the end of the rest of the cycle
    ck_assert_uint_eq(noted(&made, "[a].parent: in a circle"), 1);
    ck_assert_uint_eq(noted(&made, "[c].parent: there is no such subgroup"), 1);
    ck_assert_uint_eq(noted(&made, "[c].name: one without a name of its own"), 1);
    forget(&made);
}
END_TEST

/* Fields of a pod group that the policy does not have, and an unknown field. */
// clang-format off
static const char fields_of_pod_groups_world[] = LIST(
    GROUP("g", "\"minMember\": 1, \"stalenessGracePeriod\": \"5m\", \"preemptionDelay\": \"90s\", "
               "\"safeToConsolidate\": false, \"markUnschedulable\": true, \"someNewField\": "
               "{\"a\": 1}, \"topologyConstraint\": {\"requiredTopologyLevel\": \"rack\"}") ", "
    GROUP("h",
       "\"preemptionDelay\": \"1h\", \"safeToConsolidate\": true, \"minSubGroup\": null") ", "
    MEMBER("p", "g", "", ""));
// clang-format on

START_TEST(fields_of_pod_groups)
{
    struct made made;
    make_of(&made, fields_of_pod_groups_world);
    ck_assert(says(&made, "podgroup ml/g: spec.stalenessGracePeriod: not imported"));
    ck_assert(says(&made, "podgroup ml/g, ml/h: spec.preemptionDelay: not imported"));
    ck_assert(says(&made, "podgroup ml/g: spec.safeToConsolidate: not imported"));
    ck_assert(says(&made, "podgroup ml/g: spec.someNewField: not imported"));
    ck_assert(
        says(&made,
             "podgroup ml/g: spec.topologyConstraint: a level without a topology is not imported"));
    ck_assert_uint_eq(noted(&made, "markUnschedulable"), 0);
    forget(&made);
}
END_TEST

#define CLASS(name, rest)                                                                          \
    "{\"apiVersion\": \"scheduling.k8s.io/v1\", \"kind\": \"PriorityClass\", \"metadata\": "       \
    "{\"name\": "                                                                                  \
    "\"" name "\"}, " rest "}"

/* The group's class and preemptibility override those of its pods; without a class it has the
 * default one. */
// clang-format off
static const char standing_of_groups_world[] = LIST(
    MEMBER("a", "classed", "", "\"priority\": 125, ") ", "
    GROUP("classed", "\"minMember\": 1, \"priorityClassName\": \"gold\", \"preemptibility\": "
                     "\"preemptible\"") ", "
    GROUP("plain", "\"minMember\": 1") ", "
    MEMBER("b", "plain", "\"kai.scheduler/queue\": \"q\"", "\"priority\": 0, ") ", "
    GROUP("known", "\"minMember\": 1, \"priorityClassName\": \"inference\"") ", "
    MEMBER("c", "known", "", "") ", "
    GROUP("kept", "\"minMember\": 1, \"preemptibility\": \"non-preemptible\"") ", "
    MEMBER("d", "kept", "", "") ", "
    GROUP("lost", "\"minMember\": 1, \"priorityClassName\": \"what\"") ", "
    MEMBER("e", "lost", "", "\"priority\": 7, ") ", "
    GROUP("silent", "\"minMember\": 1") ", "
    MEMBER("f", "silent", "", "\"priority\": 125, ") ", "
    MEMBER("h", "alone", "\"kai.scheduler/preemptibility\": \"preemptible\"",
       "\"priority\": 125, ") ", "
    CLASS("gold", "\"value\": 300") ", " CLASS("usual", "\"value\": 60, \"globalDefault\": true"));
// clang-format on

START_TEST(standing_of_groups)
{
    struct made made;
    make_of(&made, standing_of_groups_world);
    ck_assert_int_eq(job(&made, "ml/classed")->priority, 300);
    ck_assert(job(&made, "ml/classed")->preemptible);
    ck_assert_int_eq(job(&made, "ml/plain")->priority, 60);
    ck_assert(job(&made, "ml/plain")->preemptible);
    ck_assert_int_eq(job(&made, "ml/known")->priority, 125); // KAI's own
    ck_assert(!job(&made, "ml/known")->preemptible);
    ck_assert(!job(&made, "ml/kept")->preemptible);
    ck_assert_int_eq(job(&made, "ml/lost")->priority, 7);
    ck_assert_int_eq(job(&made, "ml/silent")->priority, 125); // its pods have a class
    ck_assert(!job(&made, "ml/silent")->preemptible);
    ck_assert(job(&made, "ml/alone")->preemptible); // its own setting
    ck_assert(says(&made,
                   "podgroup ml/alone: no file describes it: all its pods have to start together"));
    ck_assert_uint_eq(noted(&made, "no file describes it: all"), 1);
    ck_assert_uint_eq(noted(&made, "job ml/lost: priorityClassName 'what': no file describes it"),
                      1);
    forget(&made);
}
END_TEST

/* KAI records when it started a group and since when it has run below its minimum. */
START_TEST(dates_of_groups)
{
#define DATED(name, spec)                                                                          \
    "{\"apiVersion\": \"scheduling.run.ai/v2alpha2\", \"kind\": \"PodGroup\", " META(              \
        name, ", \"creationTimestamp\": \"2026-01-01T00:00:00Z\", \"annotations\": "               \
              "{\"kai.scheduler/last-start-timestamp\": "                                          \
              "\"2026-01-01T01:00:00Z\", \"kai.scheduler/stale-podgroup-timestamp\": "             \
              "\"2026-01-01T02:00:00Z\"}") ", \"spec\": {\"minMember\": 2" spec "}}"
    struct made made;
    make_of(&made,
            LIST(DATED("g", "") ", " DATED("h", ", \"stalenessGracePeriod\": \"-1s\"") ", " MEMBER(
                "p", "g", "", "") ", " MEMBER("q", "h", "", "")));
    const struct snap_job *g = job(&made, "ml/g");
    ck_assert_int_eq(g->submit_ms, INT64_C(1767225600000));
    ck_assert_int_eq(g->last_start_ms, INT64_C(1767229200000));
    ck_assert_int_eq(g->stale_since_ms, INT64_C(1767232800000));
    ck_assert_int_eq(job(&made, "ml/h")->stale_since_ms, POLICY_NEVER); // never evicted for that
    ck_assert_int_eq(made.snapshot->now_ms, INT64_C(1767232800000));
    forget(&made);
}
END_TEST

/* ---- queues ---- */

static const struct {
    const char *text;
    int64_t ms;
} spans[] = {
    {"90s", 90000}, {"1h30m", 5400000},    {"1.5h", 5400000}, {"100ms", 100},  {"0", 0},
    {"0s", 0},      {"1h0m0.5s", 3600500}, {"1500us", 2},     {"+2m", 120000},
};

START_TEST(minimum_run_times)
{
    char text[600];
    struct made made;
    (void)snprintf(text, sizeof text,
                   LIST(QUEUE("q", "\"preemptMinRuntime\": \"%s\", \"reclaimMinRuntime\": \"7s\"")),
                   spans[_i].text);
    make_of(&made, text);
    ck_assert_int_eq(queue(&made, "q")->preempt_min_runtime_ms, spans[_i].ms);
    ck_assert_int_eq(queue(&made, "q")->reclaim_min_runtime_ms, 7000);
    ck_assert_int_eq(queue(&made, "q")->created_ms, INT64_C(1767225600000));
    forget(&made);
}
END_TEST

START_TEST(no_run_times)
{
    static const char *const wrong[] = {"90", "1 h", "h", "-5s", "1d", "s1", "1..5s"};
    char text[600];
    struct err err = {.msg = ""};
    struct import *import = import_create();
    (void)snprintf(text, sizeof text, LIST(QUEUE("q", "\"preemptMinRuntime\": \"%s\"")), wrong[_i]);
    ck_assert_msg(!import_parse(import, "f", text, strlen(text), &err), "%s", wrong[_i]);
    harness_contains(err.msg, "f: items[0]: preemptMinRuntime: '");
    harness_contains(err.msg, "expected a duration such as 90s or 1h30m");
    import_destroy(import);
}
END_TEST

START_TEST(queues_without_run_times)
{
    struct made made;
    make_of(&made, LIST(QUEUE("q", "\"resources\": {\"gpu\": {\"quota\": 1}}")));
    ck_assert_int_eq(queue(&made, "q")->preempt_min_runtime_ms, POLICY_INHERIT);
    forget(&made);
}
END_TEST

/* An unreadable limit counts as none, with a note; a namespace without a queue is one. */
START_TEST(undescribed_queues)
{
    struct made made;
    make_of(&made, LIST(GROUP("g", "\"minMember\": 1, \"queue\": \"gone\"") ", " POD("", "")));
    ck_assert_int_eq(queue(&made, "gone")->gpu.limit, POLICY_UNLIMITED);
    ck_assert(says(&made, "queue gone: no file describes it: it has no quota and no limit"));
    ck_assert_uint_eq(noted(&made, "no file describes it"), 1);
    ck_assert_int_eq(queue(&made, "ml")->gpu.limit, POLICY_UNLIMITED);
    forget(&made);
}
END_TEST

/* ---- pods ---- */

#define GONE(name, group, at, rest)                                                                \
    "{\"apiVersion\": \"v1\", \"kind\": \"Pod\", " META(                                           \
        name,                                                                                      \
        ", \"deletionTimestamp\": \"" at                                                           \
        "\"" group rest) ", \"spec\": {\"nodeName\": \"n\", \"containers\": [{\"resources\": "     \
                         "{\"limits\": {\"nvidia.com/gpu\": 1}}}]}}"
#define IN_G ", \"annotations\": {\"pod-group-name\": \"g\"}"

/* Now is 12:00, by the node's heartbeat: 11:58:01 is recent, 11:57:59 is not. */
// clang-format off
static const char pods_that_are_deleted_for_ever_world[] = LIST(
    NODE("", ", \"conditions\": [{\"type\": \"Ready\", \"status\": \"True\", "
             "\"lastHeartbeatTime\": \"2026-01-01T12:00:00Z\"}]") ", "
    GONE("going", "", "2026-01-01T11:58:01Z", "") ", "
    GONE("stuck", "", "2026-01-01T11:57:59Z", "") ", "
    GONE("part", IN_G, "2026-01-01T10:00:00Z", "") ", "
    MEMBER("rest", "g", "", "\"nodeName\": \"n\", ") ", "
    GROUP("part", "\"minMember\": 1") ", "
    GROUP("g", "\"minMember\": 2, \"queue\": \"q\""));
// clang-format on

START_TEST(pods_that_are_deleted_for_ever)
{
    struct made made;
    make_of(&made, pods_that_are_deleted_for_ever_world);
    ck_assert_int_eq(job(&made, "ml/going")->tasks[0].state, SNAP_RELEASING);
    const struct snap_job *stuck = job(&made, "ml/stuck"), *part = job(&made, "ml/part (stuck)");
    ck_assert_int_eq(stuck->tasks[0].state, SNAP_RUNNING);
    ck_assert(!stuck->preemptible);
    ck_assert_int_eq(part->tasks[0].state, SNAP_RUNNING);
    ck_assert(!part->preemptible);
    ck_assert_str_eq(part->queue_name, "q");
    ck_assert(job(&made, "ml/g")->preemptible);           // the rest of its gang may be evicted
    ck_assert_uint_eq(job(&made, "ml/g")->task_count, 2); // rest, and a missing one
    ck_assert(says(&made, "pod ml/stuck: metadata.deletionTimestamp: over for 121 s: keeps what it "
                          "holds, and cannot be evicted"));
    forget(&made);
}
END_TEST

/* A deletion is an event, too: 30 s of grace before its end. */
START_TEST(deletions_are_events)
{
    struct made made;
    make_of(&made, LIST(NODE("", "") ", " GONE("p", "", "2026-01-01T12:00:30Z",
                                               ", \"deletionGracePeriodSeconds\": 30")));
    ck_assert_int_eq(made.snapshot->now_ms, INT64_C(1767268800000)); // 12:00:00
    forget(&made);
}
END_TEST

#define SHARED(name, rest, limits)                                                                 \
    "{\"apiVersion\": \"v1\", \"kind\": \"Pod\", \"metadata\": {\"name\": \"" name                 \
    "\", \"labels\": {\"runai-gpu-group\": \"x\"}" rest "}, \"spec\": {\"nodeName\": \"n\", "      \
    "\"containers\": [{\"resources\": {\"limits\": {" limits "}}}]}}"
#define HALF ", \"annotations\": {\"gpu-fraction\": \"0.5\"}"

// clang-format off
static const char reserved_devices_world[] = LIST(
    NODE("", "") ", "
    SHARED("gpu-reservation-n-abc", ", \"annotations\": {\"run.ai/reserve_for_gpu_index\": \"3\"}",
       "\"nvidia.com/gpu\": 1, \"cpu\": 1") ", "
    SHARED("a", HALF, "\"cpu\": 1") ", " SHARED("b", HALF, "\"cpu\": 1") ", "
    "{\"kind\": \"Pod\", \"metadata\": {\"name\": \"grow\", \"labels\": {\"app\": "
    "\"scaling-pod\"}}, \"spec\": {\"containers\": []}}");
// clang-format on

/* Two pods share one device, which a third reserves for them. */
START_TEST(reserved_devices)
{
    struct made made;
    make_of(&made, reserved_devices_world);
    const struct snap_job *keeper = job(&made, "default/gpu-reservation-n-abc");
    ck_assert_int_eq(keeper->tasks[0].request.devices, 0);
    ck_assert_int_eq(keeper->tasks[0].request.cpu_milli, 1000);
    ck_assert(!keeper->preemptible);
    ck_assert_uint_eq(job(&made, "default/a")->tasks[0].devices, 1);
    ck_assert_uint_eq(job(&made, "default/b")->tasks[0].devices, 1);
    ck_assert_uint_eq(made.snapshot->job_count, 3);
    ck_assert_uint_eq(noted(&made, "scale-up pods of KAI"), 1);
    forget(&made);
}
END_TEST

/* A request of 0 is a request; only a missing one defaults to the limit. */
START_TEST(requests_and_limits)
{
    struct made made;
    make_of(
        &made,
        LIST(POD("",
                 "\"activeDeadlineSeconds\": 600, \"containers\": [{\"resources\": {\"requests\": "
                 "{\"cpu\": 0}, \"limits\": {\"cpu\": 2, \"memory\": \"1Gi\"}}}]")));
    const struct snap_request *request = &job(&made, "ml/p")->tasks[0].request;
    ck_assert_int_eq(request->cpu_milli, 0);
    ck_assert_int_eq(request->mem_mib, 1024);
    ck_assert_int_eq(job(&made, "ml/p")->limit_ms, 600000);
    forget(&made);
}
END_TEST

static const struct {
    const char *text;
    int64_t milli; /* of a core */
} quantities[] = {
    {"\"1\"", 1000},     {"2", 2000},      {"\"0.5\"", 500},    {"\".5\"", 500},
    {"\"250m\"", 250},   {"\"+1\"", 1000}, {"\"1e1\"", 10000},  {"\"1E1\"", 10000},
    {"\"2k\"", 2000000}, {"\"100u\"", 1},  {"\"1500000n\"", 2}, {"\"0.0001Mi\"", 104858},
    {"0.25", 250},       {"\"1.\"", 1000}, {"\"1e-2\"", 10},
};

START_TEST(quantities_in_all_notations)
{
    char text[400];
    struct made made;
    (void)snprintf(
        text, sizeof text,
        LIST(POD("", "\"containers\": [{\"resources\": {\"requests\": {\"cpu\": %s}}}]")),
        quantities[_i].text);
    make_of(&made, text);
    ck_assert_int_eq(job(&made, "ml/p")->tasks[0].request.cpu_milli, quantities[_i].milli);
    forget(&made);
}
END_TEST

/* An init container that keeps running runs beside all later ones. */
START_TEST(instances_of_sidecars)
{
    struct made made;
    make_of(
        &made,
        LIST(POD(
            "",
            "\"initContainers\": [{\"restartPolicy\": \"Always\", \"resources\": {\"limits\": "
            "{\"nvidia.com/mig-1g.10gb\": 1}}}, "
            "{\"resources\": {\"limits\": {\"nvidia.com/mig-1g.10gb\": 2}}}], "
            "\"containers\": [{\"resources\": {\"limits\": {\"nvidia.com/mig-1g.10gb\": 1}}}]")));
    ck_assert_int_eq(job(&made, "ml/p")->tasks[0].request.mig[0].count,
                     3); // 1 stays while the other wants 2
    forget(&made);
}
END_TEST

#define REQUESTS(name)   "\"containers\": [{\"resources\": {\"limits\": {\"" name "\": \"1\"}}}]"
#define AFFINITY(inside) "\"affinity\": {" inside "}"

/* Fields of a pod that affect scheduling but that a snapshot cannot express. NULL: irrelevant or
 * imported. */
static const struct {
    const char *meta, *spec, *path;
} fields[] = {
    {"", AFFINITY("\"podAffinity\": {\"requiredDuringSchedulingIgnoredDuringExecution\": [{}]}"),
     "spec.affinity.podAffinity"},
    {"", AFFINITY("\"podAntiAffinity\": {\"a\": [{}]}"), "spec.affinity.podAntiAffinity"},
    {"", AFFINITY("\"podAntiAffinity\": {}"), NULL},
    {"",
     AFFINITY("\"nodeAffinity\": {\"preferredDuringSchedulingIgnoredDuringExecution\": "
              "[{\"weight\": 1}]}"),
     "spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution"},
    {"",
     AFFINITY("\"nodeAffinity\": {\"requiredDuringSchedulingIgnoredDuringExecution\": "
              "{\"nodeSelectorTerms\": []}}"),
     NULL},
    {"", "\"topologySpreadConstraints\": [{\"maxSkew\": 1}]", "spec.topologySpreadConstraints"},
    {"", "\"resourceClaims\": [{\"name\": \"gpu\"}]", "spec.resourceClaims"},
    {"", "\"containers\": [{\"resources\": {\"claims\": [{\"name\": \"gpu\"}]}}]",
     "spec.containers[].resources.claims"},
    {"", REQUESTS("nvidia.com/gpu.shared"),
     "spec.containers[].resources.limits.nvidia.com/gpu.shared"},
    {"", REQUESTS("rdma/hca"), "spec.containers[].resources.limits.rdma/hca"},
    {"", REQUESTS("ephemeral-storage"), "spec.containers[].resources.limits.ephemeral-storage"},
    {"", REQUESTS("hugepages-2Mi"), "spec.containers[].resources.limits.hugepages-2Mi"},
    {"", REQUESTS("nvidia.com/mig-1g.10gb"), NULL},
    {"", REQUESTS("amd.com/gpu"), NULL},
    {"", "\"containers\": [{\"ports\": [{\"containerPort\": 80, \"hostPort\": 80}]}]",
     "spec.containers[].ports[].hostPort"},
    {"",
     "\"containers\": [{\"ports\": [{\"containerPort\": 80}], \"image\": \"x\", \"env\": "
     "[{\"name\": \"a\"}]}]",
     NULL},
    {"", "\"overhead\": {\"rdma/hca\": 1}", "spec.overhead.rdma/hca"},
    {"", "\"volumes\": [{\"name\": \"v\", \"persistentVolumeClaim\": {\"claimName\": \"c\"}}]",
     "spec.volumes[].persistentVolumeClaim"},
    {"", "\"volumes\": [{\"name\": \"v\", \"emptyDir\": {}}, {\"configMap\": {\"name\": \"c\"}}]",
     NULL},
    {"", "\"preemptionPolicy\": \"Never\"", "spec.preemptionPolicy"},
    {"", "\"preemptionPolicy\": \"PreemptLowerPriority\"", NULL},
    {"",
     "\"hostNetwork\": true, \"dnsPolicy\": \"ClusterFirst\", \"serviceAccountName\": \"default\", "
     "\"terminationGracePeriodSeconds\": 30",
     NULL},
    {"",
     "\"schedulingGates\": [{\"name\": \"g\"}], \"nodeSelector\": {\"a\": \"b\"}, \"tolerations\": "
     "[{\"operator\": \"Exists\"}]",
     NULL},
    {"", "\"somethingNew\": 1", "spec.somethingNew"},
    {"", "\"somethingNew\": 0", NULL},
    {", \"annotations\": {\"kai.scheduler/preemption-delay\": \"5m\"}", "",
     "metadata.annotations.kai.scheduler/preemption-delay"},
    {", \"annotations\": {\"gpu-fraction\": \"0.5\", \"gpu-fraction-num-devices\": \"2\"}", "",
     NULL},
    {", \"annotations\": {\"gpu-memory\": \"4096\"}, \"labels\": {\"runai-gpu-group\": \"x\"}", "",
     NULL},
    {", \"annotations\": {\"mps\": \"true\"}", "", "metadata.annotations.mps"},
    {", \"annotations\": {\"kubectl.kubernetes.io/last-applied-configuration\": \"{}\"}", "", NULL},
    {", \"labels\": {\"kai.scheduler/node-pool\": \"a\"}", "",
     "metadata.labels.kai.scheduler/node-pool"},
    {", \"labels\": {\"app\": \"a\", \"kai.scheduler/preemptibility\": \"preemptible\"}", "", NULL},
    {", \"ownerReferences\": [{\"kind\": \"Job\"}], \"generation\": 3, \"resourceVersion\": \"5\"",
     "", NULL},
};

START_TEST(fields_of_pods)
{
    char text[1000], words[300];
    size_t count;
    struct made made;
    (void)snprintf(text, sizeof text,
                   LIST("{\"apiVersion\": \"v1\", \"kind\": \"Pod\", \"metadata\": {\"name\": "
                        "\"p\", \"namespace\": \"ml\"%s}, \"spec\": {%s}}"),
                   fields[_i].meta, fields[_i].spec);
    make_of(&made, text);
    const struct trace_note *notes = import_notes(made.import, &count);
    (void)snprintf(words, sizeof words, "pod ml/p: %s: not imported",
                   fields[_i].path ? fields[_i].path : "");
    ck_assert_msg(count == (fields[_i].path != NULL), "%zu notes, the first: %s", count,
                  count > 0 ? notes[0].what : "");
    if (fields[_i].path)
        ck_assert_str_eq(notes[0].what, words);
    forget(&made);
}
END_TEST

/* Another scheduler's nomination, and pods for several schedulers. */
START_TEST(other_schedulers)
{
#define FOR(name, scheduler, status)                                                               \
    "{\"apiVersion\": \"v1\", \"kind\": \"Pod\", " META(                                           \
        name, "") ", \"spec\": {\"schedulerName\": \"" scheduler "\"}, \"status\": {" status "}}"
    struct made made;
    make_of(&made, LIST(FOR("a", "kai-scheduler",
                            "\"nominatedNodeName\": \"n\"") ", " FOR("b", "kai-scheduler", "")));
    ck_assert(says(&made, "pod ml/a: status.nominatedNodeName: not imported"));
    ck_assert_uint_eq(noted(&made, "schedulerName"), 0);
    forget(&made);
    make_of(&made, LIST(FOR("a", "kai-scheduler", "") ", " FOR("b", "default-scheduler", "")));
    ck_assert_uint_eq(
        noted(&made,
              "kai-scheduler, default-scheduler: spec.schedulerName: pending pods of all of them"),
        2);
    forget(&made);
}
END_TEST

/* Nine similar objects give one note, which names eight. */
START_TEST(many_objects)
{
    char text[3000] = "{\"apiVersion\": \"v1\", \"kind\": \"List\", \"items\": [";
    struct made made;
    for (int i = 0; i < 9; i++)
        (void)snprintf(text + strlen(text), sizeof text - strlen(text),
                       "%s{\"kind\": \"Pod\", \"metadata\": {\"name\": \"p%d\"}, \"spec\": "
                       "{\"resourceClaims\": [{}, {}]}}",
                       i > 0 ? ", " : "", i);
    (void)snprintf(text + strlen(text), sizeof text - strlen(text), "]}");
    make_of(&made, text);
    ck_assert(says(
        &made, "pod p0, p1, p2, p3, p4, p5, p6, p7 and 1 more: spec.resourceClaims: not imported"));
    ck_assert_uint_eq(noted(&made, "resourceClaims"), 9);
    forget(&made);
}
END_TEST

/* ---- nodes ---- */

START_TEST(nodes)
{
    struct made made;
    make_of(&made, LIST(NODE(", \"labels\": {\"nvidia.com/mig.strategy\": \"single\", "
                             "\"nvidia.com/gpu.product\": \"H100-MIG-1g.10gb\"}",
                             ", \"conditions\": [{\"type\": \"DiskPressure\", \"status\": "
                             "\"True\"}, {\"type\": \"GpuFellOffBus\", \"status\": \"True\"}, "
                             "{\"type\": \"KernelDeadlock\", \"status\": \"False\"}], \"images\": "
                             "[{}], \"nodeInfo\": {\"a\": 1}, \"news\": \"x\"")));
    ck_assert_int_eq(node(&made, "n")->mig, POLICY_MIG_SINGLE);
    ck_assert(says(&made, "node n: status.conditions[GpuFellOffBus]: not imported"));
    ck_assert(says(&made, "node n: status.news: not imported"));
    size_t count;
    (void)import_notes(made.import, &count);
    ck_assert_uint_eq(count, 2);
    forget(&made);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("import_kube");
    TCase *tcase = tcase_create("import_kube");
    tcase_add_test(tcase, no_minimum);
    tcase_add_test(tcase, subgroups_without_a_minimum);
    tcase_add_test(tcase, nested_subgroups);
    tcase_add_test(tcase, broken_trees);
    tcase_add_test(tcase, fields_of_pod_groups);
    tcase_add_test(tcase, standing_of_groups);
    tcase_add_test(tcase, dates_of_groups);
    tcase_add_loop_test(tcase, minimum_run_times, 0, ROWS(spans));
    tcase_add_loop_test(tcase, no_run_times, 0, 7);
    tcase_add_test(tcase, queues_without_run_times);
    tcase_add_test(tcase, undescribed_queues);
    tcase_add_test(tcase, pods_that_are_deleted_for_ever);
    tcase_add_test(tcase, deletions_are_events);
    tcase_add_test(tcase, reserved_devices);
    tcase_add_test(tcase, requests_and_limits);
    tcase_add_loop_test(tcase, quantities_in_all_notations, 0, ROWS(quantities));
    tcase_add_test(tcase, instances_of_sidecars);
    tcase_add_loop_test(tcase, fields_of_pods, 0, ROWS(fields));
    tcase_add_test(tcase, other_schedulers);
    tcase_add_test(tcase, many_objects);
    tcase_add_test(tcase, nodes);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
