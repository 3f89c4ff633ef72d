/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kube-default as plainly as possible: tries every task in turn on every node, counts all
 * allocations anew each time, and remembers nothing between decisions except promises. Whole
 * devices, CPU, memory, task slots, pools, and limits of queues two levels deep. policy_decide()
 * must return the same.
 */
#ifndef TESTS_LIB_PODS_TWIN_H
#define TESTS_LIB_PODS_TWIN_H

#include "policies/policy.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    PODS_NODES = 5,
    PODS_QUEUES = 5,
    PODS_JOBS = 14,
    PODS_TASKS = 6,
    PODS_ROLES = 2,
    PODS_NOWHERE = -1
};

struct pods_amounts {
    int64_t of[4]; /* devices, thousandths of cores, MiB, task slots */
};

struct pods_node {
    struct pods_amounts has; /* CPU and memory -1: not modelled */
    uint32_t pool;
    bool up;
};

struct pods_queue {
    int parent;     /* or -1 */
    int64_t limit;  /* thousandths of devices, or -1 */
    uint32_t pools; /* bit set; 0: any */
};

enum pods_state { PODS_PENDING, PODS_RUNS, PODS_LEAVES, PODS_OVER };

struct pods_task {
    enum pods_state state;
    int node;     /* where it holds its request */
    int promised; /* PODS_NOWHERE: no promise */
    struct pods_amounts wants;
};

struct pods_job {
    bool lives, preemptible;
    int queue, tasks;
    int32_t priority;
    int64_t submitted, started; /* when its first running task started */
    uint64_t rank;
    struct pods_task task[PODS_TASKS];
};

struct pods_answer {
    int32_t kind, action; /* 0: no answer for the task */
    int node, for_job;
};

struct pods_world {
    int64_t now;
    struct policy_pod_options options;
    bool preempts;
    struct pods_node nodes[PODS_NODES];
    struct pods_queue queues[PODS_QUEUES];
    struct pods_job jobs[PODS_JOBS]; /* by job and task number */
    struct pods_answer answer[PODS_JOBS][PODS_TASKS];
};

/* Decides: fills `answer` and changes the world as if it were carried out; evicted tasks begin to
 * leave. */
void pods_decide(struct pods_world *);

#endif
