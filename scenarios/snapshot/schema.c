/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The keys of a snapshot and of a file of shares: tables as in scenarios/schema/schema.h, innermost
 * first.
 */
#include "scenarios/snapshot/internal.h"
#include "scenarios/snapshot/schema_history.h"
#include "scenarios/snapshot/schema_life.h"

#define MOST_AMOUNT 1e15
#define MOST_MS     SCHEMA_EXACT

// clang-format off

/* The Kubernetes object that it was made from. */
#define ORIGIN_ROWS \
    {.key = "origin", .type = SCHEMA_TEXT, .fallback = "\"\"", \
     .summary = "resource it was imported from, such as queues.scheduling.run.ai"}, \
    {.key = "generation", .type = SCHEMA_INTEGER, .max = SCHEMA_EXACT, .fallback = "0", \
     .summary = "generation of that object; 0 unknown"}

#define RANK_ROW(what) \
    {.key = "rank", .type = SCHEMA_INTEGER, .max = SCHEMA_EXACT, \
     .summary = "breaks ties among " what ", smallest first; those without one come last [by " \
                                          "age, then by name]"}

static const struct schema_row text_element = {.type = SCHEMA_TEXT, .min = 1};
static const struct schema_row any_text = {.type = SCHEMA_TEXT};
static const struct schema_row device_element = {.type = SCHEMA_INTEGER, .max = 63};
static const struct schema_row instances = {.type = SCHEMA_INTEGER, .max = 1000};
static const struct schema_row option = {.type = SCHEMA_OPTION};

/* ---- topologies and nodes */

static const struct schema_row topology_rows[] = {
    {.key = "name", .type = SCHEMA_TEXT, .min = 1, .required = true,
     .summary = "unique name of the topology"},
    {.key = "levels", .type = SCHEMA_LIST, .min = 1, .max = 16, .child = &text_element,
     .required = true,
     .summary = "keys of node labels from the top level down"},
    {0},
};
static const struct schema_row topology_element = {.type = SCHEMA_OBJECT, .child = topology_rows};

static const struct schema_row node_rows[] = {
    {.key = "name", .type = SCHEMA_TEXT, .min = 1, .required = true,
     .summary = "unique name of the node"},
    {.key = "gpus", .type = SCHEMA_INTEGER, .max = 64, .fallback = "0", .summary = "devices"},
    {.key = "gpu_type", .type = SCHEMA_TEXT, .fallback = "\"\"",
     .summary = "name of the device type"},
    {.key = "gpu_mem_mib", .type = SCHEMA_INTEGER, .max = 1e9, .fallback = "0",
     .summary = "memory of one device, 0 unknown"},
    {.key = "cpu_milli", .type = SCHEMA_INTEGER, .min = -1, .max = 1e12, .fallback = "-1",
     .summary = "thousandths of a core, -1 not modelled"},
    {.key = "mem_mib", .type = SCHEMA_INTEGER, .min = -1, .max = 1e12, .fallback = "-1",
     .summary = "host memory, -1 not modelled"},
    {.key = "max_tasks", .type = SCHEMA_INTEGER, .min = -1, .max = 1e6, .fallback = "-1",
     .summary = "tasks at one time, -1 unlimited"},
    {.key = "mig", .type = SCHEMA_CHOICE, .choices = "off|single|mixed|dynamic",
     .fallback = "\"off\"",
     .summary = "instances: none, as whole devices, the counted ones, or made where the geometry "
                "allows"},
    {.key = "mig_profiles", .type = SCHEMA_OBJECT, .open = &instances, .fallback = "{}",
     .summary = "instances of each profile, for mixed"},
    {.key = "state", .type = SCHEMA_CHOICE, .choices = "up|draining|down|off|ordered",
     .fallback = "\"up\"",
     .summary = "draining: no new tasks start; off, ordered: not there, and on its way, in a pool "
                "with an offer"},
    {.key = "burn_in", .type = SCHEMA_BOOLEAN, .fallback = "false",
     .summary = "it is down for its tests, for people"},
    {.key = "unusable_devices", .type = SCHEMA_LIST, .max = 64, .child = &device_element,
     .fallback = "[]",
     .summary = "devices that take no new tasks"},
    {.key = "labels", .type = SCHEMA_OBJECT, .open = &any_text, .fallback = "{}",
     .summary = "labels of the node"},
    {.key = "pool", .type = SCHEMA_TEXT, .fallback = "\"\"",
     .summary = "what queues may be bound to"},
    {.key = "whole_only", .type = SCHEMA_BOOLEAN, .fallback = "false",
     .summary = "takes only tasks that want all its devices, and none without devices"},
    RANK_ROW("nodes"),
    {0},
};
static const struct schema_row node_element = {.type = SCHEMA_OBJECT, .child = node_rows};

static const struct schema_row offer_rows[] = {
    {.key = "pool", .type = SCHEMA_TEXT, .required = true,
     .summary = "whose nodes may be ordered"},
    {.key = "min", .type = SCHEMA_INTEGER, .max = 4194304, .fallback = "0",
     .summary = "nodes that are kept at any rate"},
    {.key = "max", .type = SCHEMA_INTEGER, .max = 4194304, .required = true,
     .summary = "nodes at most"},
    {.key = "usd_per_hour", .type = SCHEMA_NUMBER, .max = 1e6, .fallback = "0",
     .summary = "for a node"},
    {.key = "delay", .type = SCHEMA_DURATION, .fallback = "0",
     .summary = "from an order until the node takes jobs"},
    {.key = "idle_down", .type = SCHEMA_DURATION, .fallback = "0",
     .summary = "an empty node is given back after so long"},
    {.key = "after", .type = SCHEMA_DURATION, .fallback = "0",
     .summary = "only jobs that have waited for so long count"},
    {.key = "min_billing", .type = SCHEMA_DURATION, .fallback = "0",
     .summary = "an order costs at least as much"},
    {0},
};
static const struct schema_row offer_element = {.type = SCHEMA_OBJECT, .child = offer_rows};

/* ---- queues */

#define GPU_ROWS \
    {.key = "quota", .type = SCHEMA_INTEGER, .min = -1, .max = MOST_AMOUNT, .fallback = "0", \
     .summary = "guaranteed milli-GPUs, -1 unlimited"}, \
    {.key = "limit", .type = SCHEMA_INTEGER, .min = -1, .max = MOST_AMOUNT, .fallback = "-1", \
     .summary = "most milli-GPUs, -1 unlimited"}, \
    {.key = "weight", .type = SCHEMA_NUMBER, .max = 1e9, .fallback = "1", \
     .summary = "weight in the division of what quotas leave"}, \
    {.key = "fixed", .type = SCHEMA_INTEGER, .max = MOST_AMOUNT, .fallback = "0", \
     .summary = "milli-GPUs kept for its interactive (build) sessions"}

static const struct schema_row share_gpu_rows[] = {GPU_ROWS, {0}};
static const struct schema_row pool_quota = {
    .type = SCHEMA_INTEGER, .max = MOST_AMOUNT,
    .summary = "guaranteed milli-GPUs of the pool, of the type, or of the pools together"};
static const struct schema_row gpu_rows[] = {
    GPU_ROWS,
    {.key = "by_pool", .type = SCHEMA_OBJECT, .open = &pool_quota, .fallback = "{}",
     .summary = "guaranteed milli-GPUs by name of a pool or GPU type, or of pools with | between "
                "them; the quota is their sum"},
    {0},
};
static const struct schema_row side_rows[] = {
    {.key = "quota", .type = SCHEMA_INTEGER, .min = -1, .max = MOST_AMOUNT, .fallback = "-1",
     .summary = "milli-cores or MiB, -1 unlimited"},
    {.key = "limit", .type = SCHEMA_INTEGER, .min = -1, .max = MOST_AMOUNT, .fallback = "-1",
     .summary = "milli-cores or MiB, -1 unlimited"},
    {.key = "weight", .type = SCHEMA_NUMBER, .max = 1e9, .fallback = "1", .summary = "as for gpu"},
    {0},
};
static const struct schema_row usage_rows[] = {
    {.key = "gpu", .type = SCHEMA_NUMBER, .max = 1e6, .fallback = "0",
     .summary = "share of the cluster's, 1 all of it"},
    {.key = "cpu", .type = SCHEMA_NUMBER, .max = 1e6, .fallback = "0", .summary = "as for gpu"},
    {.key = "mem", .type = SCHEMA_NUMBER, .max = 1e6, .fallback = "0", .summary = "as for gpu"},
    {0},
};
static const struct schema_row usage_object = {.type = SCHEMA_OBJECT, .child = usage_rows};
static const struct schema_row amount_rows[] = {
    {.key = "gpu", .type = SCHEMA_INTEGER, .max = MOST_AMOUNT, .fallback = "0",
     .summary = "milli-GPUs"},
    {.key = "cpu", .type = SCHEMA_INTEGER, .max = MOST_AMOUNT, .fallback = "0",
     .summary = "milli-cores"},
    {.key = "mem", .type = SCHEMA_INTEGER, .max = MOST_AMOUNT, .fallback = "0", .summary = "MiB"},
    {0},
};

#define QUEUE_ROWS(gpu_row) \
    {.key = "name", .type = SCHEMA_TEXT, .min = 1, .required = true, \
     .summary = "unique name of the queue"}, \
    {.key = "parent", .type = SCHEMA_TEXT, .fallback = "\"\"", \
     .summary = "queue above it, \"\" none"}, \
    {.key = "priority", .type = SCHEMA_INTEGER, .min = -1e9, .max = 1e9, .fallback = "100", \
     .summary = "larger goes first"}, \
    {.key = "created_ms", .type = SCHEMA_INTEGER, .min = -MOST_MS, .max = MOST_MS, \
     .fallback = "0", \
     .summary = "the older of two equal queues goes first"}, \
    {.key = "gpu", .type = SCHEMA_OBJECT, .child = gpu_row, .fallback = "{}", \
     .summary = "share of GPUs"}, \
    {.key = "cpu", .type = SCHEMA_OBJECT, .child = side_rows, .fallback = "{}", \
     .summary = "share of cores"}, \
    {.key = "mem", .type = SCHEMA_OBJECT, .child = side_rows, .fallback = "{}", \
     .summary = "share of memory"}, \
    {.key = "preempt_min_runtime_s", .type = SCHEMA_DURATION, .fallback = "null", \
     .summary = "minimum run time before its jobs are preempted [as the parent]"}, \
    {.key = "reclaim_min_runtime_s", .type = SCHEMA_DURATION, .fallback = "null", \
     .summary = "minimum run time before its jobs are reclaimed [as the parent]"}, \
    {.key = "usage", .type = SCHEMA_NUMBER, .max = 1e6, .other = &usage_object, .fallback = "0", \
     .summary = "its past use, as a share of the cluster"}

static const struct schema_row queue_rows[] = {
    QUEUE_ROWS(gpu_rows),
    {.key = "suspended", .type = SCHEMA_BOOLEAN, .fallback = "false",
     .summary = "starts nothing, nor do queues below it"},
    {.key = "pools", .type = SCHEMA_LIST, .max = 4096, .child = &any_text, .fallback = "[]",
     .summary = "the only pools that its jobs may use [any]"},
    {.key = "ordered_pools", .type = SCHEMA_BOOLEAN, .fallback = "false",
     .summary = "its jobs use the pools in their order"},
    {.key = "strict_order", .type = SCHEMA_BOOLEAN, .fallback = "false",
     .summary = "and quotas do not make them leave the first ones to other queues"},
    {.key = "gangs_span_pools", .type = SCHEMA_BOOLEAN, .fallback = "false",
     .summary = "its gangs may span pools with different quotas, see gpu.by_pool"},
    ORIGIN_ROWS,
    RANK_ROW("queues"),
    {0},
};
static const struct schema_row queue_element = {.type = SCHEMA_OBJECT, .child = queue_rows};

static const struct schema_row share_rows[] = {
    QUEUE_ROWS(share_gpu_rows),
    {.key = "request", .type = SCHEMA_OBJECT, .child = amount_rows, .fallback = "{}",
     .summary = "total request of the jobs of a leaf"},
    {0},
};
static const struct schema_row share_element = {.type = SCHEMA_OBJECT, .child = share_rows};

/* ---- jobs */

static const struct schema_row constraint_rows[] = {
    {.key = "topology", .type = SCHEMA_TEXT, .fallback = "\"\"",
     .summary = "name of the topology, \"\" no constraint"},
    {.key = "required", .type = SCHEMA_TEXT, .fallback = "\"\"",
     .summary = "all tasks inside one domain of this level, \"\" none"},
    {.key = "preferred", .type = SCHEMA_TEXT, .fallback = "\"\"",
     .summary = "inside this one if possible, \"\" none"},
    {0},
};
static const struct schema_row constraint_object = {.type = SCHEMA_OBJECT,
   .child = constraint_rows};
#define CONSTRAINT_ROW \
    {.key = "topology", .type = SCHEMA_TEXT, .other = &constraint_object, .fallback = "null", \
     .summary = "topology that its tasks have to share, null none"}

static const struct schema_row group_rows[5]; /* groups hold groups */
static const struct schema_row group_element = {.type = SCHEMA_OBJECT, .child = group_rows};
static const struct schema_row group_rows[5] = {
    {.key = "name", .type = SCHEMA_TEXT, .min = 1, .required = true,
     .summary = "unique name within the job"},
    CONSTRAINT_ROW,
    {.key = "roles", .type = SCHEMA_LIST, .max = 4096, .child = &text_element, .fallback = "[]",
     .summary = "names of the roles directly in it"},
    {.key = "groups", .type = SCHEMA_LIST, .max = 256, .child = &group_element, .fallback = "[]",
     .summary = "groups inside it"},
    {0},
};

static const struct schema_row role_rows[] = {
    {.key = "name", .type = SCHEMA_TEXT, .min = 1, .required = true,
     .summary = "unique name within the job"},
    {.key = "min_tasks", .type = SCHEMA_INTEGER, .min = 1, .max = 1e6,
     .summary = "gang minimum [all its tasks]"},
    CONSTRAINT_ROW,
    {0},
};
static const struct schema_row role_element = {.type = SCHEMA_OBJECT, .child = role_rows};

static const struct schema_row affinity_element = {
    .type = SCHEMA_LIST, .max = 100000, .child = &any_text};

static const struct schema_row task_rows[] = {
    {.key = "id", .type = SCHEMA_TEXT, .min = 1, .required = true,
     .summary = "unique id within the job"},
    {.key = "uid", .type = SCHEMA_TEXT, .fallback = "\"\"",
     .summary = "tells it from another task of that id, as in Kubernetes"},
    {.key = "role", .type = SCHEMA_TEXT, .min = 1,
     .summary = "name of its role [the only one, or \"default\"]"},
    {.key = "state", .type = SCHEMA_CHOICE,
     .choices = "pending|gated|running|releasing|succeeded|failed",
     .fallback = "\"pending\"", .summary = "its state"},
    {.key = "release_ms", .type = SCHEMA_INTEGER, .min = -MOST_MS, .max = MOST_MS,
     .summary = "releasing: time at which its devices become free, for a simulation [after "
                "policy.grace_s]"},
    {.key = "node", .type = SCHEMA_TEXT, .fallback = "\"\"",
     .summary = "where it runs or is being released"},
    {.key = "devices", .type = SCHEMA_LIST, .max = 64, .child = &device_element, .fallback = "[]",
     .summary = "the devices that it holds"},
    {.key = "priority", .type = SCHEMA_INTEGER, .min = -1e9, .max = 1e9, .fallback = "0",
     .summary = "larger starts first and is evicted last"},
    {.key = "gpus", .type = SCHEMA_INTEGER, .max = 64, .fallback = "0", .summary = "whole devices"},
    {.key = "gpu_milli", .type = SCHEMA_INTEGER, .max = 1000, .fallback = "0",
     .summary = "share of each of devices_wanted devices, in thousandths"},
    {.key = "gpu_mem_mib", .type = SCHEMA_INTEGER, .max = 1e9, .fallback = "0",
     .summary = "memory on each of devices_wanted devices"},
    {.key = "devices_wanted", .type = SCHEMA_INTEGER, .max = 64, .fallback = "1",
     .summary = "number of devices of which it wants a share or memory"},
    {.key = "mig", .type = SCHEMA_OBJECT, .open = &instances, .fallback = "{}",
     .summary = "MIG instances of each profile"},
    {.key = "cpu_milli", .type = SCHEMA_INTEGER, .max = 1e12, .fallback = "0",
     .summary = "thousandths of a core"},
    {.key = "mem_mib", .type = SCHEMA_INTEGER, .max = 1e12, .fallback = "0",
     .summary = "host memory"},
    {.key = "node_labels", .type = SCHEMA_OBJECT, .open = &any_text, .fallback = "{}",
     .summary = "labels that the node has to have"},
    {.key = "node_affinity", .type = SCHEMA_OBJECT, .open = &affinity_element, .fallback = "{}",
     .summary = "accepted values of node labels, by label"},
    {.key = "gpu_types", .type = SCHEMA_TEXT, .fallback = "\"\"",
     .summary = "device types that will do, separated by |"},
    {0},
};
static const struct schema_row task_element = {.type = SCHEMA_OBJECT, .child = task_rows};

static const struct schema_row job_rows[] = {
    {.key = "id", .type = SCHEMA_TEXT, .min = 1, .required = true,
     .summary = "unique id of the job"},
    {.key = "queue", .type = SCHEMA_TEXT, .fallback = "\"default\"",
     .summary = "name of its queue"},
    {.key = "priority", .type = SCHEMA_INTEGER, .min = -1e9, .max = 1e9, .fallback = "50",
     .summary = "larger is more urgent"},
    {.key = "preemptible", .type = SCHEMA_BOOLEAN,
     .summary = "may be evicted for others [priority below 100]"},
    {.key = "submit_ms", .type = SCHEMA_INTEGER, .min = -MOST_MS, .max = MOST_MS,
     .fallback = "null",
     .summary = "older jobs go first [now]"},
    {.key = "last_start_ms", .type = SCHEMA_INTEGER, .min = -MOST_MS, .max = MOST_MS,
     .fallback = "null",
     .summary = "when it last began to run, null never"},
    {.key = "stale_since_ms", .type = SCHEMA_INTEGER, .min = -MOST_MS, .max = MOST_MS,
     .fallback = "null",
     .summary = "time since which it has run below its minimum, null only now"},
    {.key = "eligible_ms", .type = SCHEMA_INTEGER, .min = -MOST_MS, .max = MOST_MS,
     .fallback = "null",
     .summary = "not started before [at once]"},
    {.key = "run_s", .type = SCHEMA_DURATION, .fallback = "null",
     .summary = "expected run time [unknown]"},
    {.key = "deadline_ms", .type = SCHEMA_INTEGER, .min = -MOST_MS, .max = MOST_MS,
     .fallback = "null",
     .summary = "it should be over by then, for the order edf [none]"},
    {.key = "suspended", .type = SCHEMA_BOOLEAN, .fallback = "false",
     .summary = "starts nothing; what runs of it goes on"},
    {.key = "limit_s", .type = SCHEMA_DURATION, .group = "limit",
     .summary = "declared time limit [none]"},
    {.key = "time_limit_s", .type = SCHEMA_DURATION, .group = "limit", .summary = "the same"},
    {.key = "workload", .type = SCHEMA_CHOICE, .choices = "train|build|inference",
     .fallback = "\"train\"",
     .summary = "build: an interactive session"},
    {.key = "interactive_limit_s", .type = SCHEMA_DURATION, .fallback = "null",
     .summary = "a build session ends after this, 0 never [what the policy says]"},
    CONSTRAINT_ROW,
    {.key = "groups", .type = SCHEMA_LIST, .max = 256, .child = &group_element, .fallback = "[]",
     .summary = "roles with a common constraint"},
    {.key = "roles", .type = SCHEMA_LIST, .max = 4096, .child = &role_element, .fallback = "[]",
     .summary = "pod sets: gang minima over tasks [one for each role that tasks name]"},
    {.key = "tasks", .type = SCHEMA_LIST, .max = 1e6, .child = &task_element, .fallback = "[]",
     .summary = "its tasks"},
    ORIGIN_ROWS,
    RANK_ROW("jobs"),
    LIFE_ROWS,
    {0},
};
static const struct schema_row job_element = {.type = SCHEMA_OBJECT, .child = job_rows};

/* ---- the whole */

static const struct schema_row policy_rows[] = {
    {.key = "name", .type = SCHEMA_POLICY, .min = 1, .fallback = "\"runai\"",
     .summary = "a policy preset, or the path of a shared library"},
    {.key = "options", .type = SCHEMA_OBJECT, .open = &option, .fallback = "{}",
     .summary = "its options"},
    {0},
};

static const struct schema_row snapshot_rows[] = {
    {.key = "fauxfleet_snapshot", .type = SCHEMA_INTEGER, .min = 1, .max = 1, .required = true,
     .summary = "version of this format"},
    {.key = "now_ms", .type = SCHEMA_INTEGER, .min = -MOST_MS, .max = MOST_MS, .fallback = "0",
     .summary = "the time it shows"},
    {.key = "policy", .type = SCHEMA_OBJECT, .child = policy_rows, .fallback = "{}",
     .summary = "who decides"},
    {.key = "topologies", .type = SCHEMA_LIST, .max = 16, .child = &topology_element,
     .fallback = "[]",
     .summary = "node labels that describe the topology"},
    {.key = "nodes", .type = SCHEMA_LIST, .max = 4194304, .child = &node_element, .fallback = "[]",
     .summary = "the cluster"},
    {.key = "offers", .type = SCHEMA_LIST, .max = 4096, .child = &offer_element,
     .summary = "pools whose nodes may be ordered (option provision)"},
    {.key = "queues", .type = SCHEMA_LIST, .max = 1e6, .child = &queue_element, .fallback = "[]",
     .summary = "who shares it"},
    {.key = "jobs", .type = SCHEMA_LIST, .max = 1e7, .child = &job_element, .fallback = "[]",
     .summary = "running and waiting"},
    {.key = "history", .type = SCHEMA_LIST, .max = 1e8, .child = &schema_history,
     .summary = "the policy's history [unknown]"},
    {0},
};
const struct schema_row schema_snapshot = {.type = SCHEMA_OBJECT, .child = snapshot_rows};

static const struct schema_row shares_rows[] = {
    {.key = "fauxfleet_shares", .type = SCHEMA_INTEGER, .min = 1, .max = 1, .required = true,
     .summary = "version of this format"},
    {.key = "capacity", .type = SCHEMA_OBJECT, .child = amount_rows, .fallback = "{}",
     .summary = "the capacity to divide"},
    {.key = "usage_k", .type = SCHEMA_NUMBER, .min = -1e6, .max = 1e6, .fallback = "1",
     .summary = "weight of past use in the division beyond the quotas"},
    {.key = "queues", .type = SCHEMA_LIST, .max = 1e6, .child = &share_element, .fallback = "[]",
     .summary = "the queues that share it"},
    {0},
};
const struct schema_row schema_shares = {.type = SCHEMA_OBJECT, .child = shares_rows};

// clang-format on
