/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An independent model of a small cluster under the quota policy, made from facts and decisions
 * alone: arrays and plain scans, no cached values. Its auditor, quota_audit(), carries out the
 * decisions of one call and fails the test if one is impossible or breaks a rule:
 *
 *   - nothing is allocated twice: whole devices, shares, MIG instances, CPU, memory, task slots;
 *   and promises fit beside the tasks that keep running
 *   - gangs are complete or absent, and inside the domain that they require
 *   - only sessions get devices kept for sessions
 *   - starts and promises exceed neither limits nor the quotas of non-preemptible jobs
 *   - only preemptible jobs give way to others: to reclaim only those of queues above their share,
 *   to preemption only those of lower priority in the same queue, to consolidation only those with
 *   another place
 *
 * If tasks are taken one by one (kube-default), gangs, domains, quotas and devices kept for
 * sessions do not matter, and jobs of lower priority in any queue give way to preemption,
 * preemptible or not as the option `victims` says.
 */
#ifndef TESTS_LIB_QUOTA_WORLD_H
#define TESTS_LIB_QUOTA_WORLD_H

#include "policies/policy.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    QUOTA_NODES = 16, /* ids of the policy, which are small because they are dense */
    QUOTA_QUEUES = 16,
    QUOTA_JOBS = 24,
    QUOTA_ROLES = 4,
    QUOTA_GROUPS = 2,
    QUOTA_TASKS = 16,
    QUOTA_LABELS = 3,
    QUOTA_POOLS = 3,
};

struct quota_amounts {
    int64_t of[3]; /* thousandths of devices, of cores, MiB */
};

struct quota_node {
    bool exists;
    int32_t state;
    struct policy_node_spec spec;
    struct policy_label labels[QUOTA_LABELS]; /* keys 1 and 2: the levels of topology 1 */
    uint64_t usable;
};

struct quota_queue {
    bool exists;
    struct policy_queue_spec spec;
    uint32_t pools; /* bit set; 0: any */
};

enum quota_state {
    QUOTA_PENDING = 0,
    QUOTA_GATED,
    QUOTA_RUNS,
    QUOTA_LEAVES,
    QUOTA_SUCCEEDED,
    QUOTA_FAILED
};

struct quota_task {
    enum quota_state state;
    bool fresh;     /* started by a decision, start not yet reported */
    bool nominated; /* by the last decision */
    bool evicted;   /* by the last decision */
    uint32_t node, promised;
    uint64_t devices, promised_devices;
};

enum quota_life { QUOTA_NONE = 0, QUOTA_HELD, QUOTA_LIVE };

struct quota_job {
    enum quota_life life;
    policy_job id;
    struct policy_job_spec spec;
    struct policy_role roles[QUOTA_ROLES];
    struct policy_group groups[QUOTA_GROUPS];
    uint32_t tasks;
    struct quota_task task[QUOTA_TASKS];
    bool odd;       /* facts ended single tasks of a gang */
    bool elsewhere; /* facts placed a task regardless of its constraint */
    policy_time last_start;
    policy_time below_since; /* below its minimum since; POLICY_NEVER: not below */
    policy_time told_stale;  /* the reported beginning of that */
};

/* The place of a run, for failures. */
struct quota_run_name {
    uint64_t seed;
    uint32_t step;
    const char *doing;
};

struct quota_world {
    struct quota_node nodes[QUOTA_NODES];
    struct quota_queue queues[QUOTA_QUEUES];
    struct quota_job jobs[QUOTA_JOBS]; /* by job number */
    int32_t slices[POLICY_MAX_PROFILES], memory_slices[POLICY_MAX_PROFILES];
    struct policy_quota_options options;
    struct policy_pod_options pods; /* `on`: one task at a time, like kube-default */
    policy_time now;
    struct quota_run_name name;
};

/* Fails the test with the run's seed before the message, unless the condition holds. */
#define QUOTA_CHECK(world, condition, ...)                                                         \
    ((condition) ? (void)0 : quota_fail(&(world)->name, #condition, __VA_ARGS__))
_Noreturn void quota_fail(const struct quota_run_name *, const char *condition, const char *format,
                          ...) __attribute__((format(printf, 3, 4)));

/* ---- requests ---- */

/* The number of the task's pod set in the job, the minimum of a set, and the task's role. */
uint32_t quota_set_of(const struct quota_job *, uint32_t task);
uint32_t quota_sets(const struct quota_job *);
int32_t quota_minimum(const struct quota_job *, uint32_t set);
const struct policy_role *quota_role_of(const struct quota_job *, uint32_t task);
bool quota_is_share(const struct policy_request *);

/* The weight of a task in its queue, on a node and while it is pending. */
struct quota_amounts quota_weigh_on(const struct quota_world *, const struct policy_request *,
                                    uint32_t node);
struct quota_amounts quota_weigh_pending(const struct quota_world *, const struct policy_request *);
void quota_add(struct quota_amounts *, const struct quota_amounts *, int64_t times);
bool quota_within(const struct quota_amounts *,
                  const struct quota_amounts *bound); /* -1: unlimited */

/* ---- state ---- */

bool quota_is_active(const struct quota_task *); /* runs, or is promised a place */
bool quota_holds(const struct quota_task *);
int32_t quota_count(const struct quota_job *, uint32_t set, bool (*is)(const struct quota_task *));
bool quota_runs(const struct quota_task *);

/* Returns true if the node is up, in the queue's pools, and of a kind that the request may use. */
bool quota_suits(const struct quota_world *, const struct quota_job *,
                 const struct policy_request *, uint32_t node);

/* The node's first overcommitted resource, or NULL. `soon`: with promised tasks, without leaving
 * ones. */
const char *quota_overfull(const struct quota_world *, uint32_t node, bool soon);

/* Thousandths of devices on the node that will be free soon; MIG instances of fixed counts as
 * quotas weigh them. */
int64_t quota_room(const struct quota_world *, uint32_t node);

/* Amounts of active tasks at and below the queue; requests; quota or limit. */
struct quota_amounts quota_allocated(const struct quota_world *, uint32_t queue, bool only_fixed);
struct quota_amounts quota_requested(const struct quota_world *, uint32_t queue);
struct quota_amounts quota_bound(const struct quota_world *, uint32_t queue, bool limit);
bool quota_is_leaf(const struct quota_world *, uint32_t queue);

/* ---- facts ---- */

void quota_add_job(struct quota_world *, policy_job, const struct policy_job_spec *);

/* Ends one task; the job is gone after the last. */
void quota_end_task(struct quota_world *, struct quota_job *, uint32_t task, int32_t outcome);
void quota_start_failed(struct quota_job *);

/* Clears all nominations: some facts and questions make the policy forget them. */
void quota_forget_promises(struct quota_world *);

/* Notes which jobs are below their minimum, and since when; called after every fact and decision.
 */
void quota_note_gangs(struct quota_world *);

/* ---- decisions ---- */

/* Carries out the decisions of policy_decide(); fails the test if they break a rule. */
void quota_audit(struct quota_world *, const struct policy *, const struct policy_decision *,
                 size_t count);

/* Checks that the fair shares used by a decision follow from the requests before it. */
void quota_audit_shares(const struct quota_world *before, const struct policy *);

/* Checks that only sessions were given devices kept for sessions; see quota_kept.c. */
void quota_audit_kept(const struct quota_world *after, const struct policy_decision *,
                      size_t count);

/* Checks the evictions of reclaim in a decision; see quota_reclaim.c. */
void quota_audit_reclaim(const struct quota_world *before, const struct quota_world *after,
                         const struct policy *, const struct policy_decision *, size_t count);

#endif
