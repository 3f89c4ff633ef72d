/* SPDX-License-Identifier: MIT */
/*
 * What the adapter is told in a file: the policy, the queues, and what Slurm does not know of jobs.
 * All of it is optional.
 *
 *     {"fauxfleet_slurm": 1,
 *      "policy": {"name": "runai", "options": {"gpu_placement": "spread"}},
 *      "queue_by": "partition",
 *      "queues": [{"name": "lab", "gpu": {"quota": 64}},
 *                 {"name": "train", "parent": "lab", "gpu": {"quota": 48, "limit": 96, "weight":
 *                 2}, "priority": 100}],
 *      "jobs": [{"partition": "build", "priority": 100, "preemptible": false, "class": "build"}]}
 *
 * Quotas and limits are plain GPUs ("gpu"), cores ("cpu") and MiB ("mem"); -1 means unlimited. A
 * queue is a leaf where jobs of the partition or account of its name wait; one that is not in the
 * list is made at the root when its first job comes, with no quota, no limit and weight 1. Of
 * "jobs" the first row counts whose partition, account and qos, as far as they are given, are those
 * of the job. Without any, jobs are training of priority 50, preemptible if Slurm may requeue them.
 */
#ifndef ADAPTERS_SLURM_CONFIG_H
#define ADAPTERS_SLURM_CONFIG_H

#include "policies/policy.h"

#include <stdbool.h>
#include <stddef.h>

struct config_queue {
    char *name, *parent; /* parent "": a root */
    int32_t priority;
    struct policy_share gpu, cpu, mem; /* thousandths, thousandths, MiB */
    int64_t preempt_min_runtime_ms, reclaim_min_runtime_ms;
};

struct config_rule {
    char *partition, *account, *qos; /* "": any */
    int32_t priority;
    int32_t workload;
    bool preemptible;
};

struct config {
    char *policy;             /* name of a preset */
    char **options, **values; /* of the policy, as text */
    size_t option_count;
    bool by_account;
    struct config_queue *queues; /* parents before their children */
    size_t queue_count;
    struct config_rule *rules;
    size_t rule_count;
};

#define CONFIG_ERROR 512

/*
 * Reads the file; NULL: the defaults, policy runai. False with the error set, which says where and
 * what was expected; to be given back with config_fini() all the same.
 */
bool config_read(struct config *, const char *file, char error[CONFIG_ERROR]);

/* The same of a text of n bytes; `name` stands for the file in errors. A text may have no zero
 * bytes. */
bool config_parse(struct config *, const char *name, const char *text, size_t n,
                  char error[CONFIG_ERROR]);

/* The policy is this instead: a preset, or the name of a file {"name": ..., "options": {...}} that
 * ends in .json. */
bool config_policy(struct config *, const char *policy, char error[CONFIG_ERROR]);

/* The policy core's configuration; false with the error set when it does not know the preset or an
 * option. */
bool config_core(const struct config *, struct policy_config *, char error[CONFIG_ERROR]);

/* A queue of which nothing is said: no quota, no limit, weight 1. The texts stay whose they are. */
struct config_queue config_plain_queue(char *name, char *parent);

void config_fini(struct config *);

#endif
