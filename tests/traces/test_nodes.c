/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists of nodes, pools, queues and numbers. */
#include "tests/lib/harness.h"
#include "traces/nodes.h"

#include <stdlib.h>
#include <string.h>

#define PATH 256

static const char *given(char file[PATH], const char *text)
{
    harness_file(file, PATH, ".csv", text, strlen(text));
    return file;
}

START_TEST(list_of_nodes)
{
    char file[PATH];
    struct trace_node *list;
    size_t count;
    struct err err = {0};
    ck_assert(trace_read_nodes(
        given(file, "sn,cpu_milli,memory_mib,gpu,model\nn0,64000,262144,2,P100\nn1,96000,1,0,\n"),
        &list, &count, &err));
    ck_assert_uint_eq(count, 2);
    ck_assert_str_eq(list[0].name, "n0");
    ck_assert_int_eq(list[0].cpu_milli, 64000);
    ck_assert_int_eq(list[0].mem_mib, 262144);
    ck_assert_int_eq(list[0].gpus, 2);
    ck_assert_str_eq(list[0].gpu_type, "P100");
    ck_assert_str_eq(list[1].gpu_type, "");
    free(list);
    harness_forget(file);
}
END_TEST

START_TEST(list_of_pools)
{
    char file[PATH];
    struct trace_pool *list;
    size_t count;
    struct err err = {0};
    ck_assert(
        trace_read_pools(given(file, "gpus_per_node,name,nodes,gpu_type\n8,vcA,4,v100\n4,vcB,1,\n"),
                         &list, &count, &err));
    ck_assert_uint_eq(count, 2);
    ck_assert_str_eq(list[0].name, "vcA");
    ck_assert_int_eq(list[0].nodes, 4);
    ck_assert_int_eq(list[0].gpus_per_node, 8);
    ck_assert_str_eq(list[0].gpu_type, "v100");
    ck_assert_str_eq(list[1].gpu_type, "any");
    free(list);
    harness_forget(file);
}
END_TEST

START_TEST(list_of_loads)
{
    char file[PATH];
    struct trace_load *list;
    size_t count;
    struct err err = {0};
    ck_assert(
        trace_read_loads(given(file, "rps,time_s\n0.5,0\n1000,2.5\n0,60\n"), &list, &count, &err));
    ck_assert_uint_eq(count, 3);
    ck_assert_int_eq(list[0].milli, 500);
    ck_assert_int_eq(list[1].at_ms, 2500);
    ck_assert_int_eq(list[1].milli, 1000000);
    ck_assert_int_eq(list[2].at_ms, 60000);
    ck_assert_uint_eq(list[2].origin.line, 4);
    ck_assert_uint_eq(list[2].origin.name, 2);
    free(list);
    harness_forget(file);
    ck_assert(!trace_read_loads(given(file, "time_s,rps\n0,-1\n"), &list, &count, &err));
    harness_forget(file);
    ck_assert(!trace_read_loads(given(file, "time_s\n0\n"), &list, &count, &err));
    harness_forget(file);
}
END_TEST

START_TEST(list_of_outages)
{
    char file[PATH];
    struct trace_outage *list;
    size_t count;
    struct err err = {0};
    ck_assert(trace_read_outages(given(file, "down_s,node,up_s\n10.5,n1,20\n-3,n0,\n"), &list,
                                 &count, &err));
    ck_assert_uint_eq(count, 2);
    ck_assert_str_eq(list[0].node, "n1");
    ck_assert_int_eq(list[0].down_ms, 10500);
    ck_assert_int_eq(list[0].up_ms, 20000);
    ck_assert_str_eq(list[1].node, "n0");
    ck_assert_int_eq(list[1].down_ms, -3000);
    ck_assert(list[1].up_ms == INT64_MAX);
    ck_assert_uint_eq(list[1].origin.line, 3);
    ck_assert_uint_eq(list[1].origin.other, 3);
    free(list);
    harness_forget(file);
    ck_assert(!trace_read_outages(given(file, "node,down_s\nn0,\n"), &list, &count, &err));
    harness_forget(file);
    ck_assert(!trace_read_outages(given(file, "node,up_s\nn0,1\n"), &list, &count, &err));
    harness_forget(file);
}
END_TEST

START_TEST(list_of_queues)
{
    char file[PATH];
    struct trace_queue *list;
    size_t count;
    struct err err = {0};
    ck_assert(
        trace_read_queues(given(file, "name,parent,gpu_quota,gpu_limit,gpu_weight\norg,,-1,-1,1\n"
                                      "team,org,2.5,8,0.5\nrest,org,0,,\n"),
                          &list, &count, &err));
    ck_assert_uint_eq(count, 3);
    ck_assert_int_eq(list[0].quota_milli, -1);
    ck_assert_int_eq(list[0].limit_milli, -1);
    ck_assert_str_eq(list[0].parent, "");
    ck_assert_str_eq(list[1].parent, "org");
    ck_assert_int_eq(list[1].quota_milli, 2500);
    ck_assert_int_eq(list[1].limit_milli, 8000);
    ck_assert_int_eq(list[1].weight_milli, 500);
    ck_assert_int_eq(list[2].quota_milli, 0);
    ck_assert_int_eq(list[2].limit_milli, -1);
    ck_assert_int_eq(list[2].weight_milli, 1000);
    free(list);
    harness_forget(file);
}
END_TEST

START_TEST(many_rows)
{
    char file[PATH];
    size_t size = 400000, used = 0;
    char *text = malloc(size);
    ck_assert_ptr_nonnull(text);
    used += (size_t)snprintf(text, size, "name,nodes,gpus_per_node\n");
    for (int i = 0; i < 10000; i++)
        used += (size_t)snprintf(text + used, size - used, "pool-%d,%d,8\n", i, i);
    struct trace_pool *list;
    size_t count;
    struct err err = {0};
    ck_assert(trace_read_pools(given(file, text), &list, &count, &err));
    ck_assert_uint_eq(count, 10000);
    char name[32];
    for (int i = 0; i < 10000; i++) {
        (void)snprintf(name, sizeof name, "pool-%d", i);
        ck_assert_str_eq(list[i].name, name);
        ck_assert_int_eq(list[i].nodes, i);
    }
    free(list);
    free(text);
    harness_forget(file);
}
END_TEST

START_TEST(list_of_integers)
{
    char file[PATH];
    int64_t *values;
    size_t count;
    struct err err = {0};
    ck_assert(trace_read_integers(given(file, "3\r\n-1\n\n9000000000"), &values, &count, &err));
    ck_assert_uint_eq(count, 3);
    ck_assert_int_eq(values[0], 3);
    ck_assert_int_eq(values[1], -1);
    ck_assert_int_eq(values[2], INT64_C(9000000000));
    free(values);
    harness_forget(file);
}
END_TEST

enum kind { NODES, POOLS, QUEUES, INTEGERS };

static const struct {
    enum kind kind;
    const char *text, *message;
} wrong[] = {
    {NODES, "", ":1: the file is empty"},
    {NODES, "sn,cpu_milli,memory_mib,gpu,model\n", ":2:1: no rows below the header"},
    {NODES, "sn,cpu_milli,memory_mib,model\n", ":1:5: the header has no column 'gpu'"},
    {NODES, "sn,cpu_milli,memory_mib,gpu,modle\n", "did you mean 'model'?"},
    {NODES, "sn,cpu_milli,memory_mib,gpu\nn,1,1,9999\n", ":2:4: column 'gpu': '9999' is not valid"},
    {NODES, "sn,cpu_milli,memory_mib,gpu\nn,-1,1,1\n", ":2: column 'cpu_milli': '-1' is not valid"},
    {POOLS, "name,nodes,gpus_per_node\n,1,8\n", ":2:1: column 'name': '' is not valid"},
    {QUEUES, "name,gpu_quota\nq,-3\n", ":2: column 'gpu_quota': '-3' is not valid"},
    {QUEUES, "name,gpu_qouta\nq,1\n", "did you mean 'gpu_quota'?"},
    {INTEGERS, "", ":1:1: no numbers, expected one a line"},
    {INTEGERS, "1\n2x\n", ":2:1: '2x' is not valid, expected a whole number"},
    {INTEGERS, "99999999999999999999\n", ":1: '99999999999999999999' is not valid"},
};

static bool read_kind(enum kind kind, const char *path, struct err *err)
{
    struct trace_node *nodes = NULL;
    struct trace_pool *pools = NULL;
    struct trace_queue *queues = NULL;
    int64_t *integers = NULL;
    size_t count;
    bool ok = false;
    if (kind == NODES)
        ok = trace_read_nodes(path, &nodes, &count, err);
    else if (kind == POOLS)
        ok = trace_read_pools(path, &pools, &count, err);
    else if (kind == QUEUES)
        ok = trace_read_queues(path, &queues, &count, err);
    else
        ok = trace_read_integers(path, &integers, &count, err);
    free(nodes);
    free(pools);
    free(queues);
    free(integers);
    return ok;
}

START_TEST(what_is_refused)
{
    char file[PATH];
    struct err err = {0};
    ck_assert(!read_kind(wrong[_i].kind, given(file, wrong[_i].text), &err));
    ck_assert_int_eq(err.code, EXIT_INPUT);
    harness_contains(err.msg, file);
    harness_contains(err.msg, wrong[_i].message);
    harness_forget(file);
    ck_assert(!read_kind(wrong[_i].kind, file, &err));
    harness_contains(err.msg, "cannot read");
}
END_TEST

START_TEST(the_published_cluster)
{
    char path[512];
    struct trace_node *list;
    size_t count;
    struct err err = {0};
    if (!harness_shared(path, sizeof path, "traces/alibaba-gpu-2023/openb_node_list_gpu_node.csv"))
        return;
    ck_assert_msg(trace_read_nodes(path, &list, &count, &err), "%s", err.msg);
    int64_t gpus = 0, cpu = 0, mem = 0;
    for (size_t i = 0; i < count; i++) {
        gpus += list[i].gpus;
        cpu += list[i].cpu_milli;
        mem += list[i].mem_mib;
    }
    ck_assert_uint_eq(count, 1213);
    ck_assert_int_eq(gpus, 6212);
    ck_assert_int_eq(cpu, 107018000);
    ck_assert_int_eq(mem, 503828480);
    free(list);
}
END_TEST

START_TEST(the_published_order)
{
    char path[512];
    int64_t *values;
    size_t count;
    struct err err = {0};
    if (!harness_shared(path, sizeof path,
                        "traces/alibaba-gpu-2023/orders/default-s42-noderank.txt"))
        return;
    ck_assert_msg(trace_read_integers(path, &values, &count, &err), "%s", err.msg);
    ck_assert_uint_eq(count, 1213);
    int64_t sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += values[i];
    ck_assert_int_eq(sum, 1213 * 1212 / 2); // a permutation of 0..1212
    free(values);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("nodes");
    TCase *tcase = tcase_create("nodes");
    tcase_add_test(tcase, list_of_nodes);
    tcase_add_test(tcase, list_of_pools);
    tcase_add_test(tcase, list_of_loads);
    tcase_add_test(tcase, list_of_outages);
    tcase_add_test(tcase, list_of_queues);
    tcase_add_test(tcase, many_rows);
    tcase_add_test(tcase, list_of_integers);
    tcase_add_loop_test(tcase, what_is_refused, 0, ROWS(wrong));
    tcase_add_test(tcase, the_published_cluster);
    tcase_add_test(tcase, the_published_order);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
