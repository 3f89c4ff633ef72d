/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Snapshots from what kubectl and Slurm print. The two clusters are the seeds of the fuzz target; values were worked out
 * by hand from them. Every result has to be a snapshot that loads.
 */
#include "scenarios/import.h"
#include "scenarios/snapshot.h"

#include "tests/lib/harness.h"

#include <stdlib.h>
#include <string.h>

struct made {
    struct import *import;
    struct snapshot *snapshot;
};

static void make(struct made *made, const char *first, const char *second)
{
    struct err err = {.msg = ""};
    struct out *out = out_memory();
    size_t n;
    made->import = import_create();
    ck_assert_msg(import_add(made->import, first, &err), "%s", err.msg);
    ck_assert_msg(!second || import_add(made->import, second, &err), "%s", err.msg);
    import_print(made->import, out);
    const char *text = out_memory_text(out, &n);
    ck_assert_msg(snapshot_parse(&made->snapshot, "made", text, n, &err), "%s\n%s", err.msg, text);
    out_discard(out);
}

static void forget(struct made *made)
{
    snapshot_destroy(made->snapshot);
    import_destroy(made->import);
}

static const struct snap_node *node(const struct made *made, const char *name)
{
    for (size_t i = 0; i < made->snapshot->node_count; i++)
        if (strcmp(made->snapshot->nodes[i].name, name) == 0)
            return &made->snapshot->nodes[i];
    ck_abort_msg("no node %s", name);
}

static const struct snap_job *job(const struct made *made, const char *id)
{
    for (size_t i = 0; i < made->snapshot->job_count; i++)
        if (strcmp(made->snapshot->jobs[i].id, id) == 0)
            return &made->snapshot->jobs[i];
    ck_abort_msg("no job %s", id);
}

static uint64_t noted(const struct made *made, const char *part)
{
    size_t count;
    const struct trace_note *notes = import_notes(made->import, &count);
    for (size_t i = 0; i < count; i++)
        if (strstr(notes[i].what, part))
            return notes[i].rows;
    return 0;
}

START_TEST(kubernetes)
{
    struct made made;
    make(&made, "tests/fuzz/corpus/import/kube.json", NULL);
    ck_assert_int_eq(made.snapshot->now_ms, INT64_C(1767225660000)); // 2026-01-01 00:01:00, the last start
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
    ck_assert_uint_eq(noted(&made, "taints"), 1);
    ck_assert_uint_eq(noted(&made, "have ended"), 1);
    ck_assert_uint_eq(noted(&made, "other kinds"), 1);
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
    ck_assert_int_eq(running->tasks[0].request.cpu_milli + running->tasks[1].request.cpu_milli, 33000);
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

#define POD(spec)                                                                                            \
    "{\"apiVersion\": \"v1\", \"kind\": \"List\", \"items\": [{\"kind\": \"Service\"}, {\"kind\": \"Pod\", " \
    "\"metadata\": {\"name\": \"p\", \"annotations\": {\"gpu-fraction\": \"0.5\"}}, \"spec\": " spec "}]}"
#define CPU(quantity) POD("{\"containers\": [{\"resources\": {\"requests\": {\"cpu\": \"" quantity "\"}}}]}")
#define SLURM_JOB(rest)                                                                                      \
    "{\"jobs\": [{\"job_id\": 1, \"job_state\": \"RUNNING\", \"submit_time\": 1" rest "}]}"

// clang-format off
static const struct {
    const char *text, *message; /* NULL: taken */
} texts[] = {
    {CPU("100m"), NULL},
    {CPU("many"), "f: items[1]: cpu: expected a quantity such as 4, 500m or 16Gi"},
    {CPU("-1"), "f: items[1]: cpu: expected a quantity"},
    {CPU("1Gib"), "f: items[1]: cpu: expected a quantity"},
    {"{\"apiVersion\": \"v1\", \"kind\": \"Node\"}", "f: items[0]: a node without metadata.name"},
    {"{\"apiVersion\": \"v1\"}", "f: expected what 'kubectl get ... -o json'"},
    {"[]", "f: expected what"},
    {"{\"sinfo\": []}", "scontrol show nodes --json"},
    {SLURM_JOB(", \"nodes\": \"n[08-10],m1\", \"tres_alloc_str\": \"cpu=4,node=4\""), NULL},
    {SLURM_JOB(", \"nodes\": \"n[1-3]\", \"tres_alloc_str\": \"cpu=4,node=4\""), "f: jobs[0]: job 1: nodes 'n[1-3]', expected a list of its 4 nodes"},
    {SLURM_JOB(", \"nodes\": \"n[3-1\", \"tres_alloc_str\": \"cpu=4,node=1\""), "expected a list of its 1 nodes"},
    {SLURM_JOB(", \"nodes\": \"n1\", \"tres_alloc_str\": \"cpu\""), "f: jobs[0]: resources 'cpu', expected a list"},
    {"{\"jobs\": [{\"job_id\": 1, \"job_state\": \"PENDING\", \"submit_time\": 1e85}]}", "f: jobs[0]: submit_time: 1e+85, expected seconds since 1970"},
    {"{\"jobs\": [{\"job_id\": 1, \"job_state\": \"PENDING\", \"node_count\": 1e85}]}", "f: jobs[0]: more than 100000 nodes"},
    {"{\"jobs\": [{\"job_state\": \"RUNNING\"}]}", "f: jobs[0]: a job without job_id"},
    {"{\"nodes\": [{\"name\": \"n\", \"gres\": \"gpu:65\"}]}", "f: nodes[0]: a node with 65 GPUs"},
};
// clang-format on

START_TEST(what_is_taken_and_refused)
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

/* "n[08-10],m1" are four hosts, with their zeros. */
START_TEST(lists_of_hosts)
{
    const char *text = SLURM_JOB(", \"nodes\": \"n[08-10],m1\", \"tres_alloc_str\": \"cpu=4,node=4\"");
    struct import *import = import_create();
    struct err err = {.msg = ""};
    struct out *out = out_memory();
    ck_assert(import_parse(import, "f", text, strlen(text), &err));
    import_print(import, out);
    static const char *const hosts[] = {"\"n08\"", "\"n09\"", "\"n10\"", "\"m1\""};
    for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++)
        harness_contains(out_memory_text(out, NULL), hosts[i]);
    out_discard(out);
    import_destroy(import);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("import");
    TCase *tcase = tcase_create("import");
    tcase_add_test(tcase, kubernetes);
    tcase_add_test(tcase, slurm);
    tcase_add_test(tcase, several_files);
    tcase_add_loop_test(tcase, what_is_taken_and_refused, 0, ROWS(texts));
    tcase_add_test(tcase, lists_of_hosts);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
