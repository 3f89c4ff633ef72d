/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Snapshots from the output of kubectl and Slurm. The two clusters are the seeds of the fuzz
 * target; expected values were computed from them by hand. Every result must be a snapshot that
 * loads.
 */
#include "tests/scenarios/imports.h"

START_TEST(kubernetes)
{
    struct made made;
    make(&made, "tests/fuzz/corpus/import/kube.json", NULL);
    ck_assert_int_eq(made.snapshot->now_ms,
                     INT64_C(1767225660000)); // 2026-01-01 00:01:00, the last start
    const struct snap_node *g0 = node(&made, "g0");
    ck_assert_int_eq(g0->gpus, 4);
    ck_assert_int_eq(g0->cpu_milli, 95900);
    ck_assert_int_eq(g0->mem_mib, 1055762868 / 1024);
    ck_assert_int_eq(g0->max_tasks, 110);
    ck_assert_int_eq(g0->gpu_mem_mib, 81920);
    ck_assert_str_eq(g0->gpu_type, "A100");
    ck_assert_int_eq(g0->state, POLICY_NODE_UP);
    ck_assert_int_eq(node(&made, "g1")->state, POLICY_NODE_DRAINING);
    ck_assert_int_eq(node(&made, "g1")->mig, POLICY_MIG_FIXED);
    ck_assert_int_eq(node(&made, "c0")->state, POLICY_NODE_DOWN);
    ck_assert_int_eq(node(&made, "c0")->mem_mib, 15258); // 16e9 bytes

    // The init container needs 4 cores before the others need 1.5 + 0.5.
    const struct snap_job *w = job(&made, "ml/w");
    ck_assert_int_eq(w->submit_ms, INT64_C(1767225609000));
    ck_assert_int_eq(w->priority, 50);
    ck_assert_uint_eq(w->task_count, 2);
    ck_assert_int_eq(w->tasks[0].request.cpu_milli, 4000);
    ck_assert_int_eq(w->tasks[0].request.mem_mib, 1024);
    ck_assert_int_eq(w->tasks[0].request.devices, 2);
    ck_assert_int_eq(w->roles[0].min_tasks, 2);
    ck_assert_int_eq(job(&made, "ml/share")->tasks[0].request.device_milli, 250);
    ck_assert_int_eq(job(&made, "ml/share")->priority, 1000000000);
    ck_assert_uint_eq(made.snapshot->job_count, 2);
    ck_assert_uint_eq(made.snapshot->queue_count, 3); // team, dept, and the namespace ml
    ck_assert_int_eq(made.snapshot->queues[0].gpu.quota, 1500);
    ck_assert_int_eq(made.snapshot->queues[0].mem.quota, 1000000); // 1048576 MB are 10^6 MiB
    // No pod tolerates the taint of g0, so its one tenant keeps the node and the others need
    // another one.
    ck_assert_str_eq(label(g0, "taint gpu:NoSchedule"), "");
    ck_assert_ptr_null(label(g0, "tolerates nothing"));
    ck_assert_str_eq(label(node(&made, "g1"), "tolerates nothing"), "yes");
    ck_assert_uint_eq(noted(&made, "have ended"), 1);
    ck_assert_uint_eq(noted(&made, "objects of kind service"), 1);
    forget(&made);
}
END_TEST

#define POD(spec)                                                                                  \
    "{\"apiVersion\": \"v1\", \"kind\": \"List\", \"items\": [{\"kind\": \"Service\"}, "           \
    "{\"kind\": \"Pod\", "                                                                         \
    "\"metadata\": {\"name\": \"p\", \"annotations\": {\"gpu-fraction\": \"0.5\"}}, "              \
    "\"spec\": " spec "}]}"

#define WANTS(limits) "{\"containers\": [{\"resources\": {\"limits\": {" limits "}}}]}"

#define GANGS "tests/fuzz/corpus/import/kube-gangs.json"

/* The whole request of a pod. */
START_TEST(requests_of_pods)
{
    struct made made;
    make(&made, GANGS, NULL);
    // Together 1500m + 500m and the proxy's 500m; init b runs beside the proxy: 2500m + 500m; a
    // alone: 3. And 250m.
    const struct snap_request *init = &job(&made, "ml/init")->tasks[0].request;
    ck_assert_int_eq(init->cpu_milli, 3250);
    ck_assert_int_eq(init->mem_mib, 4096 + 64 + 120); // init b, the proxy, the overhead
    ck_assert_int_eq(init->devices, 2);
    ck_assert_str_eq(job(&made, "ml/init")->tasks[0].uid, "u-init");
    // Instances: 1 + 1 in the containers, 3 before them; and 1.
    const struct snap_request *slice = &job(&made, "ml/slice")->tasks[0].request;
    ck_assert_uint_eq(slice->mig_count, 2);
    ck_assert_str_eq(slice->mig[0].profile, "1g.10gb");
    ck_assert_int_eq(slice->mig[0].count, 3);
    ck_assert_int_eq(slice->mig[1].count, 1);
    ck_assert_int_eq(node(&made, "dgx-02")->cpu_milli, 100000); // 1e3Mi
    ck_assert_int_eq(node(&made, "dgx-02")->mem_mib, 1000);     // 1e3Mi
    // Two shares of one group are on one device, the third on another.
    ck_assert_uint_eq(job(&made, "ml/half-a")->tasks[0].devices, 1);
    ck_assert_uint_eq(job(&made, "ml/half-b")->tasks[0].devices, 2);
    ck_assert_uint_eq(job(&made, "ml/half-c")->tasks[0].devices, 1);
    forget(&made);
}
END_TEST

START_TEST(states_and_priorities)
{
    struct made made;
    make(&made, GANGS, NULL);
    ck_assert_int_eq(made.snapshot->now_ms,
                     INT64_C(1769905200000)); // 00:20, not the end of its grace
    const struct snap_job *leaving = job(&made, "ml/leaving");
    ck_assert_int_eq(leaving->tasks[0].state, SNAP_RELEASING);
    ck_assert_int_eq(leaving->tasks[0].release_ms, INT64_C(1769907630000)); // 01:00:30
    ck_assert_int_eq(leaving->priority, -10);                               // of its class
    ck_assert_uint_eq(noted(&made, "before they started"), 1);
    // KAI: non-preemptible from 100 on, or if it says so; Volcano: if it says so.
    ck_assert(!job(&made, "ml/init")->preemptible);
    ck_assert(!job(&made, "ml/slice")->preemptible);
    ck_assert(job(&made, "ml/half-a")->preemptible);
    ck_assert(!job(&made, "hpc/mpi")->preemptible);
    forget(&made);
}
END_TEST

START_TEST(wishes_for_nodes)
{
    static const char gen[] = "wants gen DoesNotExist; or gen Gt 9, rack NotIn r1";
    static const char nvidia[] = "tolerates nvidia.com/gpu:NoSchedule";
    struct made made;
    make(&made, GANGS, NULL);
    // dgx-01 is of generation 9, dgx-02 of 10 in rack r2, mig-01 of none.
    ck_assert_ptr_null(label(node(&made, "dgx-01"), gen));
    ck_assert_str_eq(label(node(&made, "dgx-02"), gen), "yes");
    ck_assert_str_eq(label(node(&made, "mig-01"), gen), "yes");
    ck_assert_str_eq(asks(job(&made, "ml/slice"), gen), "yes");
    // A pod that tolerates everything needs no label; of the taints only team=b excludes the other
    // one.
    ck_assert_uint_eq(job(&made, "ml/slice")->tasks[0].request.term_count, 1);
    ck_assert_str_eq(asks(job(&made, "ml/init"), nvidia), "yes");
    ck_assert_str_eq(label(node(&made, "dgx-01"), nvidia), "yes");
    ck_assert_str_eq(label(node(&made, "dgx-02"), nvidia), "yes");
    ck_assert_ptr_null(label(node(&made, "mig-01"), nvidia));
    ck_assert_ptr_null(label(node(&made, "dgx-01"), "tolerates nothing"));
    // A cordon is a state.
    ck_assert_int_eq(node(&made, "dgx-02")->state, POLICY_NODE_DRAINING);
    ck_assert_ptr_null(
        label(node(&made, "dgx-02"), "taint node.kubernetes.io/unschedulable:NoSchedule"));
    forget(&made);
}
END_TEST

START_TEST(gangs)
{
    struct made made;
    make(&made, GANGS, NULL);
    const struct snap_job *mpi = job(&made, "hpc/mpi"), *set = job(&made, "ai/set"),
                          *rl = job(&made, "ml/rl");
    ck_assert_int_eq(mpi->roles[0].min_tasks, 2); // of three one has succeeded
    ck_assert_uint_eq(mpi->task_count, 2);        // one exists, one represents the missing ones
    ck_assert_uint_eq(set->task_count, 2);        // of two Jobs of one JobSet
    ck_assert_int_eq(set->roles[0].min_tasks, 2);
    ck_assert_int_eq(job(&made, "ai/plain")->roles[0].min_tasks, 2);
    ck_assert_uint_eq(job(&made, "ai/alone-x")->task_count,
                      1); // of a Job that is not admitted as one
    ck_assert_uint_eq(rl->role_count, 2);
    ck_assert_str_eq(rl->roles[0].name, "actors");
    ck_assert_str_eq(rl->tasks[1].id, "rl-l");
    ck_assert_uint_eq(rl->tasks[1].role, 1);
    ck_assert_str_eq(rl->topology.required, "rack");
    ck_assert_uint_eq(made.snapshot->topology_count, 1);
    forget(&made);
}
END_TEST

START_TEST(queues_of_all_kinds)
{
    struct made made;
    make(&made, GANGS, NULL);
    const struct snap_queue *vq = queue(&made, "vq"), *cq = queue(&made, "cq"),
                            *island = queue(&made, "island");
    ck_assert_int_eq(vq->gpu.quota, 4000);
    ck_assert_int_eq(vq->gpu.limit, 12000);
    ck_assert_int_eq(vq->cpu.quota, 32000);
    ck_assert_int_eq(vq->mem.limit, 1 << 20);
    ck_assert_str_eq(vq->parent, "");
    ck_assert_int_eq(cq->gpu.quota, 10000); // 8 + 2 of two flavors, and 4 + 2 borrowed
    ck_assert_int_eq(cq->gpu.limit, 16000);
    ck_assert_int_eq(cq->cpu.quota, 101500);
    ck_assert_int_eq(cq->cpu.limit, POLICY_UNLIMITED);
    ck_assert_str_eq(cq->parent, "all");
    ck_assert_int_eq(queue(&made, "all")->gpu.quota, POLICY_UNLIMITED);
    ck_assert_int_eq(island->gpu.limit, 4000); // nothing to borrow from
    ck_assert_str_eq(job(&made, "ai/set")->queue_name, "cq");
    ck_assert_uint_eq(made.snapshot->queue_count,
                      6); // vq, cq, island, team, all, and the namespace ai of alone-x
    forget(&made);
}
END_TEST

/* A snapshot is taken unchanged, and later inputs are added to it. */
START_TEST(added_to_a_snapshot)
{
    struct made first, both;
    struct err err = {.msg = ""};
    struct out *out = out_memory();
    size_t n;
    make(&first, GANGS, NULL);
    import_print(first.import, out, NULL);
    both.import = import_create();
    const char *text = out_memory_text(out, &n);
    ck_assert_msg(import_parse(both.import, "s", text, n, &err), "%s", err.msg);
    static const char pod[] = POD("{\"containers\": [{}]}");
    ck_assert_msg(import_parse(both.import, "p", pod, sizeof pod - 1, &err), "%s", err.msg);
    ck_assert(!import_parse(both.import, "s", text, n, &err));
    harness_contains(err.msg, "s: a snapshot has to be the first of the files");
    struct out *all = out_memory();
    import_print(both.import, all, NULL);
    text = out_memory_text(all, &n);
    ck_assert_msg(snapshot_parse(&both.snapshot, "both", text, n, &err), "%s", err.msg);
    ck_assert_uint_eq(both.snapshot->node_count, 3);
    ck_assert_uint_eq(both.snapshot->job_count, first.snapshot->job_count + 1);
    // The taints of the snapshot's nodes apply to the pods added to it.
    ck_assert_ptr_null(label(node(&both, "mig-01"), "tolerates nothing"));
    ck_assert_str_eq(asks(job(&both, "default/p"), "tolerates nothing"), "yes");
    out_discard(out);
    out_discard(all);
    forget(&first);
    forget(&both);
}
END_TEST

/* Labels are looked up by key; elements of a list have no keys, so there are none. */
START_TEST(labels_in_a_list)
{
    static const char *const texts[] = {
        "{\"fauxfleet_snapshot\": 1, \"nodes\": [{\"name\": \"n\", \"gpus\": 1, \"labels\": "
        "[\"a\"]}], \"jobs\": []}",
        "{\"apiVersion\": \"v1\", \"kind\": \"Pod\", \"metadata\": {\"name\": \"p\", \"labels\": "
        "[\"a\"], \"annotations\": {\"gpu-fraction\": \"0.5\"}}, \"spec\": {\"nodeName\": \"n\"}}"};
    struct import *import = import_create();
    struct err err = {.msg = ""};
    struct out *out = out_memory();
    size_t n;
    for (size_t i = 0; i < 2; i++)
        ck_assert_msg(import_parse(import, "f", texts[i], strlen(texts[i]), &err), "%s", err.msg);
    import_print(import, out, NULL);
    harness_contains(out_memory_text(out, &n), "\"devices\":\t[0]");
    out_discard(out);
    import_destroy(import);
}
END_TEST

/* A share that names its device keeps it; the other one gets the first device without shares of
 * groups. */
START_TEST(pods_on_a_snapshot)
{
    struct made made;
    struct err err = {.msg = ""};
    static const char pod[] = POD("{\"containers\": [{}]}");
    made.import = import_create();
    ck_assert(import_add(made.import, "tests/fuzz/corpus/import/base.json", &err));
    ck_assert_msg(import_parse(made.import, "p", pod, sizeof pod - 1, &err), "%s", err.msg);
    struct out *out = out_memory();
    size_t n;
    import_print(made.import, out, NULL);
    const char *text = out_memory_text(out, &n);
    ck_assert_msg(snapshot_parse(&made.snapshot, "made", text, n, &err), "%s", err.msg);
    ck_assert_uint_eq(job(&made, "q/j")->tasks[0].devices, 2);
    ck_assert_uint_eq(job(&made, "q/j")->tasks[1].devices, 1);
    // A label list of null takes the default.
    ck_assert_str_eq(label(node(&made, "n"), "tolerates nothing"), "yes");
    ck_assert_ptr_null(label(node(&made, "m"), "tolerates nothing"));
    out_discard(out);
    forget(&made);
}
END_TEST

START_TEST(slurm)
{
    struct made made;
    make(&made, "tests/fuzz/corpus/import/slurm.json", NULL);
    ck_assert_int_eq(made.snapshot->now_ms, INT64_C(1767225700000));
    ck_assert_int_eq(node(&made, "n01")->gpus, 8);
    ck_assert_str_eq(node(&made, "n01")->gpu_type, "a100");
    ck_assert_int_eq(node(&made, "n01")->mem_mib, 1031000);
    ck_assert_int_eq(node(&made, "n02")->state, POLICY_NODE_DRAINING);
    ck_assert_int_eq(node(&made, "n03")->state, POLICY_NODE_DOWN);
    const struct snap_job *running = job(&made, "7"), *pending = job(&made, "8");
    ck_assert_uint_eq(running->task_count, 2);
    ck_assert_int_eq(running->tasks[0].request.devices, 4);
    ck_assert_int_eq(running->tasks[0].request.cpu_milli + running->tasks[1].request.cpu_milli,
                     33000);
    ck_assert_int_eq(running->tasks[1].request.mem_mib, 32768);
    ck_assert_int_eq(running->last_start_ms, INT64_C(1767225700000));
    ck_assert_int_eq(running->priority, 1000000000);
    ck_assert_int_eq(pending->tasks[0].request.devices + pending->tasks[1].request.devices, 3);
    ck_assert_int_eq(pending->priority, 12);
    ck_assert_uint_eq(made.snapshot->job_count, 3);
    ck_assert_uint_eq(noted(&made, "several partitions"), 1);
    ck_assert_uint_eq(noted(&made, "do not divide"), 1);
    forget(&made);
}
END_TEST

/* Nodes of one file and jobs of another make one cluster. */
START_TEST(several_files)
{
    struct made made;
    make(&made, "tests/fuzz/corpus/import/kube.json", "tests/fuzz/corpus/import/slurm.json");
    ck_assert_uint_eq(made.snapshot->node_count, 6);
    ck_assert_uint_eq(made.snapshot->job_count, 5);
    forget(&made);
}
END_TEST

#define CPU(quantity)                                                                              \
    POD("{\"containers\": [{\"resources\": {\"requests\": {\"cpu\": \"" quantity "\"}}}]}")
#define SLURM_JOB(rest)                                                                            \
    "{\"jobs\": [{\"job_id\": 1, \"job_state\": \"RUNNING\", \"submit_time\": 1" rest "}]}"

static const struct {
    const char *text, *message; /* NULL: accepted */
} texts[] = {
    {CPU("100m"), NULL},
    {CPU("many"), "f: items[1]: cpu: expected a quantity such as 4, 500m or 16Gi"},
    {CPU("-1"), "f: items[1]: cpu: expected a quantity"},
    {CPU("1Gib"), "f: items[1]: cpu: expected a quantity"},
    {POD("{\"containers\": [{\"resources\": {\"requests\": [1]}}]}"),
     "f: items[1]: a list where quantities by name are expected"},
    {POD("{\"containers\": [{\"resources\": {\"limits\": [1]}}]}"),
     "f: items[1]: a list where quantities by name are expected"},
    {POD("{\"overhead\": [1]}"), "f: items[1]: a list where quantities by name are expected"},
    {"{\"apiVersion\": \"v1\", \"kind\": \"Node\", \"metadata\": {\"name\": \"n\"}, \"status\": "
     "{\"allocatable\": [1]}}",
     "f: items[0]: a list where quantities"},
    {"{\"apiVersion\": \"v1\", \"kind\": \"Node\"}", "f: items[0]: a node without metadata.name"},
    {POD(WANTS("\"nvidia.com/gpu\": \"1.5\"")),
     "f: items[1]: nvidia.com/gpu: expected a whole number"},
    {POD(WANTS("\"nvidia.com/gpu\": \"500m\"")),
     "f: items[1]: nvidia.com/gpu: expected a whole number"},
    {POD(WANTS("\"nvidia.com/mig-1g.5gb\": \"xx\"")),
     "f: items[1]: nvidia.com/mig-1g.5gb: expected a quantity"},
    {POD(WANTS("\"nvidia.com/mig-1g.5gb\": \"0.5\"")),
     "f: items[1]: nvidia.com/mig-1g.5gb: expected a whole number up to 1000"},
    {POD(WANTS("\"nvidia.com/mig-1g.5gb\": \"1001\"")),
     "f: items[1]: nvidia.com/mig-1g.5gb: expected a whole number up to 1000"},
    {POD(WANTS("\"cpu\": \"1E\"")), "f: items[1]: cpu: expected a quantity"},
    {POD(WANTS("\"cpu\": \"1e3m\"")), NULL},
    {"{\"apiVersion\": \"v1\"}", "f: expected what 'kubectl get ... -o json'"},
    {"[]", "f: expected what"},
    {"{\"sinfo\": []}", "scontrol show nodes --json"},
    {SLURM_JOB(", \"nodes\": \"n[08-10],m1\", \"tres_alloc_str\": \"cpu=4,node=4\""), NULL},
    {SLURM_JOB(", \"nodes\": \"n[1-3]\", \"tres_alloc_str\": \"cpu=4,node=4\""),
     "f: jobs[0]: job 1: nodes 'n[1-3]', expected a list of its 4 nodes"},
    {SLURM_JOB(", \"nodes\": \"n[3-1\", \"tres_alloc_str\": \"cpu=4,node=1\""),
     "expected a list of its 1 nodes"},
    {SLURM_JOB(", \"nodes\": \"n1\", \"tres_alloc_str\": \"cpu\""),
     "f: jobs[0]: resources 'cpu', expected a list"},
    {"{\"jobs\": [{\"job_id\": 1, \"job_state\": \"PENDING\", \"submit_time\": 1e85}]}",
     "f: jobs[0]: submit_time: 1e+85, expected seconds since 1970"},
    {"{\"jobs\": [{\"job_id\": 1, \"job_state\": \"PENDING\", \"node_count\": 1e85}]}",
     "f: jobs[0]: more than 100000 nodes"},
    {"{\"jobs\": [{\"job_state\": \"RUNNING\"}]}", "f: jobs[0]: a job without job_id"},
    {"{\"nodes\": [{\"name\": \"n\", \"gres\": \"gpu:65\"}]}", "f: nodes[0]: a node with 65 GPUs"},
};

START_TEST(valid_and_invalid_text)
{
    struct import *import = import_create();
    struct err err = {.msg = ""};
    bool ok = import_parse(import, "f", texts[_i].text, strlen(texts[_i].text), &err);
    ck_assert_msg(ok == !texts[_i].message, "%s: %s", texts[_i].text, err.msg);
    if (!ok) {
        ck_assert_int_eq(err.code, EXIT_INPUT);
        harness_contains(err.msg, texts[_i].message);
    }
    import_destroy(import);
}
END_TEST

/* "n[08-10],m1" are four hosts, with leading zeros. */
START_TEST(lists_of_hosts)
{
    const char *text =
        SLURM_JOB(", \"nodes\": \"n[08-10],m1\", \"tres_alloc_str\": \"cpu=4,node=4\"");
    struct import *import = import_create();
    struct err err = {.msg = ""};
    struct out *out = out_memory();
    ck_assert(import_parse(import, "f", text, strlen(text), &err));
    import_print(import, out, NULL);
    static const char *const hosts[] = {"\"n08\"", "\"n09\"", "\"n10\"", "\"m1\""};
    for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++)
        harness_contains(out_memory_text(out, NULL), hosts[i]);
    out_discard(out);
    import_destroy(import);
}
END_TEST

/*
 * Three pods of one GPU on a node with two allocatable ones, with more CPU than it has; one on a
 * node that is gone. The third device only exists for the pod that runs on it. Items of a NodeList
 * do not name their kind.
 */
START_TEST(nodes_with_less_than_their_pods_hold)
{
#define HELD(name, node)                                                                           \
    "{\"kind\": \"Pod\", \"metadata\": {\"name\": \"" name "\"}, \"spec\": {\"nodeName\": \"" node \
    "\", \"containers\": [{\"resources\": {\"limits\": {\"nvidia.com/gpu\": \"1\", \"cpu\": "      \
    "\"3\"}}}]}, "                                                                                 \
    "\"status\": {\"phase\": \"Running\"}}"
    static const char nodes[] = "{\"apiVersion\": \"v1\", \"kind\": \"NodeList\", \"items\": "
                                "[{\"metadata\": {\"name\": \"n\"}, \"status\": "
                                "{\"allocatable\": {\"nvidia.com/gpu\": \"2\", \"cpu\": \"8\", "
                                "\"memory\": \"1Gi\", \"pods\": \"2\"}}}]}";
    static const char pods[] = "{\"apiVersion\": \"v1\", \"kind\": \"List\", \"items\": [" HELD(
        "a", "n") ", " HELD("b", "n") ", " HELD("c", "n") ", " HELD("d", "gone") "]}";
    struct made made = {.import = import_create()};
    struct err err = {.msg = ""};
    struct out *out = out_memory();
    size_t n;
    ck_assert_msg(import_parse(made.import, "n", nodes, sizeof nodes - 1, &err), "%s", err.msg);
    ck_assert_msg(import_parse(made.import, "p", pods, sizeof pods - 1, &err), "%s", err.msg);
    import_print(made.import, out, NULL);
    const char *text = out_memory_text(out, &n);
    ck_assert_msg(snapshot_parse(&made.snapshot, "made", text, n, &err), "%s\n%s", err.msg, text);
    const struct snap_node *there = node(&made, "n");
    ck_assert_int_eq(there->gpus, 3);
    ck_assert_uint_eq(there->unusable, 4);
    ck_assert_int_eq(there->cpu_milli, 9000);
    ck_assert_int_eq(there->mem_mib, 1024);
    ck_assert_int_eq(there->max_tasks, 3);
    ck_assert_uint_eq(job(&made, "default/c")->task_count, 1);
    ck_assert_msg(strstr(text, "gone") == NULL, "%s", text);
    ck_assert_uint_eq(noted(&made, "less than their tasks hold"), 1);
    ck_assert_uint_eq(noted(&made, "that no file describes"), 1);
    out_discard(out);
    forget(&made);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("import");
    TCase *tcase = tcase_create("import");
    tcase_add_test(tcase, kubernetes);
    tcase_add_test(tcase, requests_of_pods);
    tcase_add_test(tcase, states_and_priorities);
    tcase_add_test(tcase, wishes_for_nodes);
    tcase_add_test(tcase, gangs);
    tcase_add_test(tcase, queues_of_all_kinds);
    tcase_add_test(tcase, added_to_a_snapshot);
    tcase_add_test(tcase, labels_in_a_list);
    tcase_add_test(tcase, pods_on_a_snapshot);
    tcase_add_test(tcase, slurm);
    tcase_add_test(tcase, several_files);
    tcase_add_loop_test(tcase, valid_and_invalid_text, 0, ROWS(texts));
    tcase_add_test(tcase, lists_of_hosts);
    tcase_add_test(tcase, nodes_with_less_than_their_pods_hold);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
