/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes as each of the lists beside a trace: nodes, pools, queues, loads, outages, numbers.
 * Accepted ones have rows with values in range.
 */
#include "tests/fuzz/folder.h"
#include "traces/nodes.h"

static void check_refusal(struct err *err)
{
    BUG_ON(err->code != EXIT_INPUT || err->msg[0] == '\0');
    *err = (struct err){0};
}

static void read_fleet(const char *path, struct err *err)
{
    struct trace_node *nodes;
    struct trace_pool *pools;
    size_t count;
    if (!trace_read_nodes(path, &nodes, &count, err)) {
        check_refusal(err);
    } else {
        BUG_ON(count == 0);
        for (size_t i = 0; i < count; i++)
            BUG_ON(nodes[i].gpus < 0 || nodes[i].cpu_milli < 0 || nodes[i].mem_mib < 0 ||
                   !nodes[i].gpu_type);
        free(nodes);
    }
    if (!trace_read_pools(path, &pools, &count, err)) {
        check_refusal(err);
    } else {
        BUG_ON(count == 0);
        for (size_t i = 0; i < count; i++)
            BUG_ON(pools[i].nodes < 0 || pools[i].gpus_per_node < 0 || *pools[i].gpu_type == '\0');
        free(pools);
    }
}

static void read_queues(const char *path, struct err *err)
{
    struct trace_queue *queues;
    size_t count;
    if (!trace_read_queues(path, &queues, &count, err)) {
        check_refusal(err);
        return;
    }
    BUG_ON(count == 0);
    for (size_t i = 0; i < count; i++)
        BUG_ON(queues[i].quota_milli < -1 || queues[i].limit_milli < -1 ||
               queues[i].weight_milli < 0);
    free(queues);
}

static void read_times(const char *path, struct err *err)
{
    struct trace_load *loads;
    struct trace_outage *outages;
    size_t count;
    if (!trace_read_loads(path, &loads, &count, err)) {
        check_refusal(err);
    } else {
        BUG_ON(count == 0);
        for (size_t i = 0; i < count; i++)
            BUG_ON(loads[i].milli < 0);
        free(loads);
    }
    if (!trace_read_outages(path, &outages, &count, err)) {
        check_refusal(err);
    } else {
        BUG_ON(count == 0);
        free(outages);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[FUZZ_PATH];
    struct err err = {0};
    int64_t *values;
    size_t count;
    fuzz_put("list", data, size);
    (void)fuzz_path(path, "list");
    read_fleet(path, &err);
    read_queues(path, &err);
    read_times(path, &err);
    if (trace_read_integers(path, &values, &count, &err)) {
        BUG_ON(count == 0);
        free(values);
    } else {
        check_refusal(&err);
    }
    return 0;
}
