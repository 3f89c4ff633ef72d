/* SPDX-License-Identifier: MIT */
/*
 * The adapter's configuration file: the policy, the queues, and what Slurm does not know about
 * jobs. All of it is optional.
 *     {"fauxfleet_slurm": 1,
 *      "policy": {"name": "runai", "options": {"gpu_placement": "spread"}},
 *      "queue_by": "partition",
 *      "queues": [{"name": "lab", "gpu": {"quota": 64}},
 *                 {"name": "train", "parent": "lab", "priority": 100,
 *                  "gpu": {"quota": 48, "limit": 96, "weight": 2}}],
 *      "jobs": [{"partition": "build", "priority": 100, "preemptible": false, "class": "build"}]}
 *
 * A queue with "suspended": true starts nothing, nor do queues below it.
 *
 * Quotas and limits are plain GPUs ("gpu"), cores ("cpu") and MiB ("mem"); -1 means unlimited. A
 * leaf queue holds the pending jobs of the partition or account of its name; a queue that is not
 * listed is created at the root with its first job, with no quota, no limit and weight 1. In "jobs"
 * the first row applies whose partition, account and qos, where given, match the job. If none does,
 * jobs are training jobs of priority 50, preemptible if Slurm may requeue them.
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
    bool suspended;
};

struct config_rule {
    char *partition, *account, *qos; /* "": any */
    int32_t priority;
    int32_t workload;
    bool preemptible;
};

struct config {
    char *policy;             /* name of a preset */
    char **options, **values; /* options of the policy, as text */
    size_t option_count;
    bool by_account;
    struct config_queue *queues; /* parents before their children */
    size_t queue_count;
    struct config_rule *rules;
    size_t rule_count;
    uint32_t edition; /* 0: as first read; each config_replace() adds 1 */
};

#define CONFIG_ERROR 512

/*
 * Reads the file; NULL: the defaults, policy runai. Returns false with the error set, stating place
 * and expectation; config_fini() must be called in any case.
 */
bool config_read(struct config *, const char *file, char error[CONFIG_ERROR]);

/* The same for a text of n bytes without zero bytes; `name` stands for the file in errors. */
bool config_parse(struct config *, const char *name, const char *text, size_t n,
                  char error[CONFIG_ERROR]);

/* Replaces the policy: a preset, or the name of a .json file {"name": ..., "options": {...}}. */
bool config_policy(struct config *, const char *policy, char error[CONFIG_ERROR]);

/*
 * Takes the queues and job rules of `fresh` into a configuration in use; `fresh` gets the old ones.
 * Returns false with the error set and changes nothing if the policy, its options, "queue_by", or a
 * queue's parent differ: these take effect only at the next start.
 */
bool config_replace(struct config *, struct config *fresh, char error[CONFIG_ERROR]);

/* Builds the policy core's configuration. Returns false with the error set if the preset or an
 * option is unknown. */
bool config_core(const struct config *, struct policy_config *, char error[CONFIG_ERROR]);

/* The queue of that name, or NULL. */
const struct config_queue *config_find_queue(const struct config *, const char *name);

/* A queue with default values: no quota, no limit, weight 1. Does not take over the texts. */
struct config_queue config_plain_queue(char *name, char *parent);

void config_fini(struct config *);

#endif
