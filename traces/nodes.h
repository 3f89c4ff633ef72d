/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The small files beside a trace: lists of nodes, pools, queues, outages and numbers. Files are
 * read whole, compressed or not, with the errors of csv.h; an empty list is an error.
 *
 * A list and its texts are one allocation: the caller frees everything with free(*rows).
 */
#ifndef TRACES_NODES_H
#define TRACES_NODES_H

#include "sim/base/err.h"

#include <stddef.h>
#include <stdint.h>

/* The place of a row, for messages about its values: its line and the 1-based numbers of two of its
 * fields. */
struct trace_origin {
    uint64_t line;
    size_t name, gpus; /* 0: the file has no such column */
    size_t other;      /* a pool's nodes, a queue's parent */
};

/* A row of openb's node list: sn,cpu_milli,memory_mib,gpu,model. */
struct trace_node {
    struct trace_origin origin;
    const char *name;
    int64_t cpu_milli, mem_mib;
    int64_t gpus;
    const char *gpu_type; /* "" for a node without GPUs */
};

/* A row of a pools file: name,nodes,gpus_per_node,gpu_type. */
struct trace_pool {
    struct trace_origin origin;
    const char *name;
    int64_t nodes, gpus_per_node;
    const char *gpu_type; /* "any" if not given */
};

/* A row of a queues file: name,parent,gpu_quota,gpu_limit,gpu_weight; the file gives quota and
 * limit in GPUs. */
struct trace_queue {
    struct trace_origin origin;
    const char *name, *parent; /* "" if there is none */
    int64_t quota_milli;       /* -1 unlimited */
    int64_t limit_milli;       /* -1 unlimited, the default */
    int64_t weight_milli;      /* 1000 by default */
};

/* A step of a load: time_s,rps. */
struct trace_load {
    struct trace_origin origin; /* name: of time_s */
    int64_t at_ms, milli;       /* beginning of the step; thousandths of a request per second */
};

/* A row of a list of outages: node,down_s,up_s. */
struct trace_outage {
    struct trace_origin origin; /* other: of up_s */
    const char *node;
    int64_t down_ms, up_ms; /* INT64_MAX if not given: the node did not return */
};

bool trace_read_nodes(const char *path, struct trace_node **nodes, size_t *count, struct err *err);
bool trace_read_pools(const char *path, struct trace_pool **pools, size_t *count, struct err *err);
bool trace_read_queues(const char *path, struct trace_queue **queues, size_t *count,
                       struct err *err);
bool trace_read_loads(const char *path, struct trace_load **loads, size_t *count, struct err *err);
bool trace_read_outages(const char *path, struct trace_outage **outages, size_t *count,
                        struct err *err);

/* Reads whole numbers, one per line; blank lines are skipped. */
bool trace_read_integers(const char *path, int64_t **values, size_t *count, struct err *err);

#endif
