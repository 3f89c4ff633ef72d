/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of keys of a scenario, innermost first, and of the catalogue of nodes. */
#include "scenarios/schema/scenario.h"

#include "scenarios/schema/elastic.h"
#include "scenarios/schema/events.h"
#include "scenarios/schema/fabrics.h"
#include "scenarios/schema/faults.h"
#include "scenarios/schema/gpu_memory.h"
#include "scenarios/schema/interference.h"
#include "scenarios/schema/model.h"
#include "scenarios/schema/node.h"
#include "scenarios/schema/policy.h"
#include "scenarios/schema/services.h"
#include "scenarios/schema/spot.h"
#include "scenarios/schema/start.h"
#include "scenarios/schema/storage.h"

// clang-format off

static const struct schema_row text_element = {.type = SCHEMA_TEXT, .min = 1};

/* ---- pools; nodes are in node.c */

static const struct schema_row nodes_per = {.type = SCHEMA_INTEGER, .min = 1, .max = 4194304};
static const struct schema_row price_rows[] = {
    {.key = "usd", .type = SCHEMA_NUMBER, .max = 1e9, .summary = "to buy a node"},
    {.key = "rent_usd_per_hour", .type = SCHEMA_NUMBER, .max = 1e6,
     .summary = "to rent it on demand"},
    {.key = "reserved_usd_per_hour", .type = SCHEMA_NUMBER, .max = 1e6,
     .summary = "to rent it under a reservation"},
    {.key = "spot_usd_per_hour", .type = SCHEMA_NUMBER, .max = 1e6,
     .summary = "to rent it as spot capacity"},
    {0},
};
static const struct schema_row pool_rows[] = {
    {.key = "name", .type = SCHEMA_TEXT, .min = 1, .required = true,
     .summary = "unique name of the pool"},
    {.key = "node", .type = SCHEMA_TEXT, .min = 1, .required = true, .other = &schema_node,
     .summary = "name in the catalogue, or the node itself"},
    {.key = "count", .type = SCHEMA_INTEGER, .min = 1, .max = 4194304,
     .summary = "nodes; required unless the pool is elastic"},
    {.key = "elastic", .type = SCHEMA_OBJECT, .child = schema_elastic,
     .summary = "nodes are ordered on demand and given back, as the policy's option `provision` "
                "says"},
    {.key = "fabric", .type = SCHEMA_TEXT, .min = 1, .other = &schema_fabric,
     .summary = "fabric that connects the nodes: name in the catalogue, or the fabric itself"},
    {.key = "nodes_per", .type = SCHEMA_OBJECT, .open = &nodes_per,
     .summary = "nodes in one domain of a level, such as {\"rack\": 4, \"leaf\": 32} [each node "
                "its own]"},
    {.key = "vnic", .type = SCHEMA_CHOICE, .choices = SCHEMA_VNICS,
     .summary = "how tasks reach the NICs of the nodes: directly or by SR-IOV, a virtual NIC, the "
                "pod network [direct]"},
    {.key = "whole_only", .type = SCHEMA_BOOLEAN, .fallback = "false",
     .summary = "its nodes take only tasks that want all their GPUs, and none without GPUs"},
    SCHEMA_MIG_ROWS,
    {.key = "usd_per_hour", .type = SCHEMA_NUMBER, .max = 1e6,
     .summary = "your price of each of its nodes: overrides the catalogue's prices on both bases"},
    {.key = "prices", .type = SCHEMA_OBJECT, .child = price_rows,
     .summary = "prices of its nodes in place of the catalogue's, one by one"},
    {.key = "billing", .type = SCHEMA_CHOICE, .choices = "on-demand|reserved|spot",
     .summary = "which price its nodes are rented at, on any `cost.basis` [that of the basis; spot "
                "with `spot`]"},
    {.key = "spot", .type = SCHEMA_TEXT, .min = 1, .other = &schema_spot,
     .summary = "spot capacity: its nodes are reclaimed after a notice, and come back; an offer of "
                "the catalogue, or the offer itself"},
    {0},
};
static const struct schema_row pool_element = {.type = SCHEMA_OBJECT, .child = pool_rows};

static const struct schema_row fleet_rows[] = {
    {.key = "pools", .type = SCHEMA_LIST, .min = 1, .max = 4096, .child = &pool_element,
     .group = "fleet source",
     .summary = "pools of equal nodes"},
    {.key = "levels", .type = SCHEMA_LIST, .min = 1, .max = 15, .child = &text_element,
     .with = "pools",
     .summary = "levels of the fabric above the node, from the top [core, pod, leaf, rack, nvlink]"},
    {.key = "pools_file", .type = SCHEMA_PATH, .group = "fleet source",
     .summary = "CSV of pools: name,nodes,gpus_per_node,gpu_type"},
    {.key = "nodes_file", .type = SCHEMA_PATH, .group = "fleet source",
     .summary = "list of single nodes; known GPUs get their watts"},
    {.key = "format", .type = SCHEMA_CHOICE, .choices = "openb|snapshot", .fallback = "\"openb\"",
     .with = "nodes_file",
     .summary = "format of nodes_file: openb's list, or a snapshot of a cluster, with its pools "
                "and topology"},
    {.key = "count", .type = SCHEMA_INTEGER, .min = 1, .max = 4194304, .with = "nodes_file",
     .summary = "number of nodes in the mixture of openb's list: fewer are taken evenly, more by "
                "repeating the list [all]"},
    SCHEMA_FLEET_CHANGES,
    {0},
};

/* ---- queues */

static const struct schema_row pool_quota = {
    .type = SCHEMA_NUMBER, .max = 1e9, .summary = "guaranteed GPUs of the pool, of the type, or of the pools together"};
static const struct schema_row gpu_share_rows[] = {
    {.key = "quota", .type = SCHEMA_AMOUNT, .max = 1e9, .fallback = "0",
     .summary = "guaranteed GPUs, -1 unlimited"},
    {.key = "limit", .type = SCHEMA_AMOUNT, .max = 1e9, .fallback = "-1",
     .summary = "most GPUs, -1 unlimited"},
    {.key = "fixed", .type = SCHEMA_NUMBER, .max = 1e9, .fallback = "0",
     .summary = "GPUs kept for its interactive (build) sessions alone; at most quota and limit"},
    {.key = "weight", .type = SCHEMA_NUMBER, .max = 1e9,
     .summary = "weight in the division of what quotas leave [the quota, or 1]"},
    {.key = "by_pool", .type = SCHEMA_OBJECT, .open = &pool_quota, .whole = true,
     .summary = "guaranteed GPUs by name of a pool or GPU type, or of pools with | between them; the quota is "
                "their sum"},
    {0},
};
static const struct schema_row cpu_share_rows[] = {
    {.key = "quota", .type = SCHEMA_AMOUNT, .max = 1e9, .fallback = "-1",
     .summary = "cores, -1 unlimited"},
    {.key = "limit", .type = SCHEMA_AMOUNT, .max = 1e9, .fallback = "-1",
     .summary = "cores, -1 unlimited"},
    {.key = "weight", .type = SCHEMA_NUMBER, .max = 1e9, .summary = "as for gpu"},
    {0},
};
static const struct schema_row mem_share_rows[] = {
    {.key = "quota", .type = SCHEMA_AMOUNT, .max = 1e12, .fallback = "-1",
     .summary = "MiB, -1 unlimited"},
    {.key = "limit", .type = SCHEMA_AMOUNT, .max = 1e12, .fallback = "-1",
     .summary = "MiB, -1 unlimited"},
    {.key = "weight", .type = SCHEMA_NUMBER, .max = 1e12, .summary = "as for gpu"},
    {0},
};
static const struct schema_row queue_rows[] = {
    {.key = "name", .type = SCHEMA_TEXT, .min = 1, .required = true,
     .summary = "unique name of the queue"},
    {.key = "parent", .type = SCHEMA_TEXT, .fallback = "\"\"",
     .summary = "its parent queue, \"\" none"},
    {.key = "priority", .type = SCHEMA_INTEGER, .min = -1e9, .max = 1e9, .fallback = "100",
     .summary = "larger goes first"},
    {.key = "created_ms", .type = SCHEMA_INTEGER, .min = -SCHEMA_EXACT, .max = SCHEMA_EXACT,
     .fallback = "0",
     .summary = "the older of two equal queues goes first"},
    {.key = "gpu", .type = SCHEMA_OBJECT, .child = gpu_share_rows, .fallback = "{}",
     .summary = "share of GPUs"},
    {.key = "cpu", .type = SCHEMA_OBJECT, .child = cpu_share_rows, .fallback = "{}",
     .summary = "share of cores"},
    {.key = "mem", .type = SCHEMA_OBJECT, .child = mem_share_rows, .fallback = "{}",
     .summary = "share of memory"},
    {.key = "suspended", .type = SCHEMA_BOOLEAN, .fallback = "false",
     .summary = "it starts nothing, nor do queues below it"},
    {.key = "pools", .type = SCHEMA_LIST, .max = 4096, .child = &text_element,
     .summary = "the only pools that its jobs may use, in order of preference; quotas leave pools "
                "to queues that depend on them [any]"},
    {.key = "strict", .type = SCHEMA_BOOLEAN,
     .summary = "`pools` in exactly this order; true: and no others, false: then all others [no others, "
                "order as above]"},
    {.key = "gangs_span_pools", .type = SCHEMA_BOOLEAN,
     .summary = "its gangs may span pools with different quotas, see gpu.by_pool [false]"},
    {.key = "preempt_min_runtime_s", .type = SCHEMA_DURATION,
     .summary = "minimum run time before jobs of the queue may preempt its jobs [as the parent]"},
    {.key = "reclaim_min_runtime_s", .type = SCHEMA_DURATION,
     .summary = "minimum run time before other queues may reclaim from them [as the parent]"},
    {0},
};
static const struct schema_row queue_element = {.type = SCHEMA_OBJECT, .child = queue_rows};
static const struct schema_row queue_list = 
    {.type = SCHEMA_LIST, .min = 1, .max = 1e6, .child = &queue_element};

/* ---- workload */

static const struct schema_row team_rows[] = {
    {.key = "queue", .type = SCHEMA_TEXT, .min = 1, .required = true,
     .summary = "queue of the team's jobs"},
    {.key = "weight", .type = SCHEMA_NUMBER, .max = 1e9, .fallback = "1",
     .summary = "share of the load, relative"},
    {.key = "users", .type = SCHEMA_INTEGER, .min = 1, .max = 1e6, .fallback = "10",
     .summary = "people in the team"},
    {0},
};
static const struct schema_row team_element = {.type = SCHEMA_OBJECT, .child = team_rows};
/* A parameter of a profile: a number, or for a time a duration; the profile knows the names. */
static const struct schema_row parameter_time = {.type = SCHEMA_DURATION};
static const struct schema_row parameter = {
    .type = SCHEMA_NUMBER, .min = -SCHEMA_EXACT, .max = SCHEMA_EXACT, .other = &parameter_time};

static const struct schema_row generate_rows[] = {
    {.key = "profile", .type = SCHEMA_TEXT, .min = 1, .required = true,
     .summary = "a row of the built-in profiles"},
    {.key = "teams", .type = SCHEMA_LIST, .max = 1e5, .child = &team_element,
     .summary = "who submits the jobs"},
    {0},
};

static const struct schema_row assign_rows[] = {
    {.key = "queue", .type = SCHEMA_TEXT, .min = 1, .summary = "all jobs go to this queue"},
    {.key = "class", .type = SCHEMA_CHOICE, .choices = "build|train|distributed|inference|batch",
     .summary = "all jobs have this class"},
    {0},
};

static const struct schema_row trace_option = {.type = SCHEMA_OPTION};

/*
 * Keys of every part of a workload; the rows of the first part continue with those of the whole
 * workload.
 */
#define PART_ROWS \
    {.key = "trace", .type = SCHEMA_PATH, .group = "workload source", \
     .summary = "job trace to replay"}, \
    {.key = "generate", .type = SCHEMA_OBJECT, .child = generate_rows, .open = &parameter, \
     .group = "workload source", .summary = "a generated trace: a profile and its parameters"}, \
    {.key = "format", .type = SCHEMA_TEXT, .min = 1, .fallback = "\"auto\"", \
     .summary = "format of the trace"}, \
    {.key = "options", .type = SCHEMA_OBJECT, .open = &trace_option, .with = "trace", \
     .summary = "options of the format, see 'list trace-options'"}, \
    {.key = "jobs", .type = SCHEMA_INTEGER, .min = -1, .max = SCHEMA_EXACT, .fallback = "-1", \
     .summary = "number of jobs at most, -1 all"}, \
    {.key = "time_scale", .type = SCHEMA_NUMBER, .min = 1e-6, .max = 1e6, .fallback = "1", \
     .summary = "factor on arrival times"},                                            \
    {.key = "load_scale", .type = SCHEMA_NUMBER, .min = 1e-6, .max = 1e6, .fallback = "1", \
     .summary = "factor on the arrival rate: hours and weeks shrink too (growth keeps them)"}, \
    {.key = "users_scale", .type = SCHEMA_NUMBER, .min = 1e-3, .max = 1000, .fallback = "1", \
     .summary = "factor on the GPU time, by more or fewer users with unchanged jobs"}, \
    {.key = "resample_users", .type = SCHEMA_BOOLEAN, .fallback = "false", \
     .summary = "users drawn with replacement, each with all their jobs"}, \
    {.key = "block_s", .type = SCHEMA_DURATION, .fallback = "null", \
     .summary = "blocks of this length, such as 7d, drawn with replacement [time stays]"}, \
    {.key = "recorded_on", .type = SCHEMA_TEXT, .min = 1, .other = &schema_node, \
     .summary = "node on which run times were recorded, in the catalogue or itself [that of the " \
                "first pool in the file]"}, \
    {.key = "assign", .type = SCHEMA_OBJECT, .child = assign_rows, .fallback = "{}", \
     .summary = "queue or class for all its jobs"}

static const struct schema_row part_rows[] = {PART_ROWS, {0}};
static const struct schema_row first_part_rows[] = {
    {.key = "mode", .type = SCHEMA_CHOICE, .choices = "replay|fill|closed",
     .fallback = "\"replay\"",
     .summary = "replay: arrivals at their times; fill: one by one, and nothing leaves; closed: by "
                "users who react to the ends of their jobs"},
    PART_ROWS,
    {.key = "think_max_s", .type = SCHEMA_DURATION, .fallback = "null",
     .summary = "closed: after a longer break users come at their recorded time, whatever became "
                "of their jobs [they always react]"},
    {.key = "tune", .type = SCHEMA_NUMBER, .max = 1000, .fallback = "0",
     .summary = "fill: stop when requests reach this share of the capacity, 0 never"},
    {.key = "arrivals", .type = SCHEMA_PATH,
     .summary = "fill: rows of the trace in order of arrival"},
    {.key = "node_rank", .type = SCHEMA_PATH,
     .summary = "line i: tie-break rank of node i, smallest first"},
    {.key = "growth", .type = SCHEMA_NUMBER, .min = 1e-3, .max = 1000, .fallback = "1",
     .summary = "factor on the demand over the same span: new users drawn from existing ones, "
                "below 1 fewer users; the load of a generator or service"},
    {.key = "replicate", .type = SCHEMA_CHOICE, .choices = "jitter|resample|none",
     .fallback = "null",
     .summary = "how replicas of a recorded trace differ: by jitter of shake_s; by resampled users "
                "and weeks; or not [several: jitter; plan and whatif: resample unless shake_s is "
                "given]"},
    {.key = "replicate_block", .type = SCHEMA_DURATION, .fallback = "null",
     .summary = "resample: length of the resampled blocks [7d; 1d for traces below two weeks]"},
    {.key = "shake_s", .type = SCHEMA_DURATION, .fallback = "null",
     .summary = "maximum jitter added to each arrival [30 when several replicas jitter, else 0]"},
    {.key = "shake_seed", .type = SCHEMA_SEED,
     .summary = "seed of the jitter alone, of the first replica: another jitter of the same jobs "
                "[the scenario's seed]"},
    {0},
};
static const struct schema_row part_element = {.type = SCHEMA_OBJECT, .child = part_rows};
static const struct schema_row first_part = {.type = SCHEMA_OBJECT, .child = first_part_rows};
static const struct schema_row part_list = {
    .type = SCHEMA_LIST, .min = 1, .max = 1000, .child = &part_element, .first = &first_part};

/* ---- policy, window, outputs */

static const struct schema_row policy_rows[] = {
    {.key = "name", .type = SCHEMA_POLICY, .min = 1, .fallback = "\"fifo\"",
     .summary = "a policy preset, or the path of a shared library"},
    {.key = "cycle_s", .type = SCHEMA_DURATION, .fallback = "0",
     .summary = "time between scheduling cycles, 0 at every event"},
    {.key = "grace_s", .type = SCHEMA_DURATION, .fallback = "30",
     .summary = "an evicted task keeps its devices this long, in which it may write a checkpoint"},
    {.key = "gangs", .type = SCHEMA_BOOLEAN, .fallback = "true",
     .summary = "false: the policy sees single tasks, and may start part of a gang, which waits "
                "for the rest; always so under kube-default"},
    {.key = "skip_idle_cycles", .type = SCHEMA_BOOLEAN, .fallback = "true",
     .summary = "skip cycles in which nothing can have changed (false is for debugging: slow, the "
                "same result)"},
    {.key = "options", .type = SCHEMA_OBJECT, .child = schema_policy_option_rows,
     .open = &schema_policy_option,
     .fallback = "{}", .belongs = "name",
     .summary = "its options; with another name they replace those of the previous policy"},
    {0},
};

static const struct schema_row async_rows[] = {
    {.key = "stall", .type = SCHEMA_DURATION, .required = true,
     .summary = "the job pauses for this time, then works while the rest is written"},
    {0},
};
static const struct schema_row checkpoint_rows[] = {
    {.key = "interval", .type = SCHEMA_DURATION, .choices = "young|daly", .fallback = "\"1h\"",
     .summary = "work between two checkpoints, 0 none; young, daly: from the job's failure rate "
                "(`faults`) and write time"},
    {.key = "write", .type = SCHEMA_DURATION, .fallback = "\"30s\"",
     .summary = "time to write one, during which the job pauses"},
    {.key = "gb", .type = SCHEMA_NUMBER, .max = 1e6, .group = "size",
     .summary = "GB of a job's checkpoint: `storage` then gives the time to write it, and to read "
                "it at a restart"},
    {.key = "gb_per_gpu", .type = SCHEMA_NUMBER, .max = 1e4, .group = "size",
     .summary = "the same, for each of its GPUs"},
    {.key = "parameters", .type = SCHEMA_NUMBER, .max = 1e15, .group = "size",
     .summary = "parameters of the model that a checkpoint holds:"},
    {.key = "bytes_per_parameter", .type = SCHEMA_NUMBER, .min = 0.01, .max = 1000,
     .fallback = "14", .with = "parameters",
     .summary = "bytes each: weights and the state of Adam are 12 to 16"},
    {.key = "async", .type = SCHEMA_OBJECT, .child = async_rows,
     .summary = "it keeps working while one is written [it pauses for all of `write`]"},
    {.key = "restart", .type = SCHEMA_DURATION, .fallback = "\"5m\"",
     .summary = "time until a restarted job works again"},
    {.key = "on_evict", .type = SCHEMA_BOOLEAN, .fallback = "true",
     .summary = "write one when the job is evicted, if it takes no longer than policy.grace_s"},
    {0},
};

static const struct schema_row cost_rows[] = {
    {.key = "basis", .type = SCHEMA_CHOICE, .choices = "rent|own", .fallback = "null",
     .summary = "prices of nodes: rent on demand, energy included; own: capex, hosting, and energy "
                "on top [rent; own with depreciation_years]"},
    {.key = "pue", .type = SCHEMA_NUMBER, .min = 1, .max = 10, .fallback = "null",
     .summary = "power of the site over that of its nodes [1; own: 1.3]"},
    {.key = "usd_per_kwh", .type = SCHEMA_NUMBER, .max = 1000, .fallback = "null",
     .summary = "tariff; on top of what is owned, and of your own usd_per_hour where you give a "
                "tariff; rents include energy [own: 0.09]"},
    {.key = "depreciation_years", .type = SCHEMA_NUMBER, .min = 0.01, .max = 100,
     .fallback = "null",
     .summary = "own: years over which a node is paid off [5]"},
    {.key = "interest", .type = SCHEMA_NUMBER, .max = 1, .fallback = "null",
     .summary = "own: interest rate per year [0.1]"},
    {.key = "network_share", .type = SCHEMA_NUMBER, .max = 10, .fallback = "null",
     .summary = "own: cost of the network, as a share of the price of the nodes [0.15]"},
    {.key = "hosting_usd_kw_month", .type = SCHEMA_NUMBER, .max = 1e5, .fallback = "null",
     .summary = "own: space and cooling without electricity, for each kW of peak power [180]"},
    {0},
};

static const struct schema_row drain_cap = {.type = SCHEMA_DURATION};
static const struct schema_row window_rows[] = {
    {.key = "warmup", .type = SCHEMA_DURATION, .choices = "auto", .fallback = "0",
     .summary = "jobs submitted earlier do not count; auto: until the queue length of replica 1 is "
                "steady (MSER-5)"},
    {.key = "horizon", .type = SCHEMA_DURATION, .choices = "last-submission|all",
     .fallback = "\"last-submission\"",
     .summary = "measurement and submissions end this long after the first submission; or with the "
                "last submission; or, all, with the end of the last job"},
    {.key = "drain", .type = SCHEMA_BOOLEAN, .other = &drain_cap, .fallback = "true",
     .summary = "continue after the window until all jobs have ended, or for this time; reported "
                "separately"},
    {0},
};

static const struct schema_row metrics_rows[] = {
    {.key = "tau", .type = SCHEMA_DURATION, .fallback = "60",
     .summary = "bounded slowdown: shorter jobs count as this long"},
    {.key = "rho", .type = SCHEMA_BOOLEAN, .fallback = "false",
     .summary = "finish-time fairness (fairness.rho): simulate each queue alone on its slice, too; "
                "about twice the time"},
    {0},
};

static const struct schema_row journal_kind = {.type = SCHEMA_CHOICE, .choices = "decisions|facts"};
static const struct schema_row output_rows[] = {
    {.key = "jobs", .type = SCHEMA_BOOLEAN, .fallback = "true", .summary = "jobs.csv"},
    {.key = "timeline_s", .type = SCHEMA_DURATION, .fallback = "300",
     .summary = "step of timeline.csv, 0 none"},
    {.key = "events", .type = SCHEMA_BOOLEAN, .later = "true", .fallback = "false",
     .summary = "every event"},
    {.key = "journal", .type = SCHEMA_BOOLEAN, .other = &journal_kind, .fallback = "true",
     .summary = "journal.jsonl: every decision; facts: also all facts that the policy saw, for "
                "replay"},
    {0},
};

/* ---- the whole */

static const struct schema_row figure_rows[] = {
    {.key = "value", .type = SCHEMA_NUMBER, .min = -1e300, .max = 1e300,
     .summary = "the published value"},
    {.key = "low", .type = SCHEMA_NUMBER, .min = -1e300, .max = 1e300,
     .summary = "or a range: from"},
    {.key = "high", .type = SCHEMA_NUMBER, .min = -1e300, .max = 1e300, .summary = "to"},
    {.key = "tolerance", .type = SCHEMA_NUMBER, .max = 10, .with = "value",
     .summary = "tolerated difference from the value, such as 0.02"},
    {.key = "source", .type = SCHEMA_TEXT, .min = 1, .required = true, .summary = "source"},
    {0},
};
static const struct schema_row figure = {.type = SCHEMA_OBJECT, .child = figure_rows};

static const struct schema_row storage_object = {.type = SCHEMA_OBJECT,
   .child = schema_storage_rows};
static const struct schema_row scenario_rows[] = {
    {.key = "fauxfleet_scenario", .type = SCHEMA_INTEGER, .min = 1, .max = 1, .required = true,
     .summary = "version of this format"},
    {.key = "extends", .type = SCHEMA_PATH,
     .summary = "another scenario whose keys this one overrides"},
    {.key = "name", .type = SCHEMA_TEXT, .min = 1, .summary = "of the scenario [of the file]"},
    {.key = "description", .type = SCHEMA_TEXT, .fallback = "\"\"", .summary = "a note to readers"},
    {.key = "seed", .type = SCHEMA_SEED, .fallback = "1", .summary = "of all random numbers"},
    {.key = "replicas", .type = SCHEMA_INTEGER, .min = 1, .max = 100000, .fallback = "1",
     .summary = "number of runs that differ in their seeds"},
    {.key = "fleet", .type = SCHEMA_OBJECT, .child = fleet_rows, .fallback = "{}",
     .summary = "the nodes"},
    {.key = "queues", .type = SCHEMA_CHOICE, .choices = "from-trace", .other = &queue_list,
     .group = "queues",
     .fallback = "\"from-trace\"", .summary = "the queues that share the fleet"},
    {.key = "queues_file", .type = SCHEMA_PATH, .group = "queues",
     .summary = "CSV of queues: name,parent,gpu_quota,gpu_limit,gpu_weight"},
    {.key = "events", .type = SCHEMA_LIST, .max = 100000, .child = &schema_event,
     .summary = "a calendar of planned changes of queues and pools"},
    {.key = "workload", .type = SCHEMA_OBJECT, .child = first_part_rows, .other = &part_list,
     .fallback = "{}",
     .summary = "the jobs: a trace, a generator, or a list of them merged by time"},
    {.key = "start", .type = SCHEMA_OBJECT, .child = schema_start_rows,
     .summary = "the run begins with the state of a snapshot; fleet, queues and policy are those "
                "of the snapshot unless given"},
    {.key = "services", .type = SCHEMA_LIST, .max = 1000, .child = &schema_service,
     .summary = "inference services, whose replicas follow a load"},
    {.key = "policy", .type = SCHEMA_OBJECT, .child = policy_rows, .fallback = "{}",
     .summary = "the policy"},
    {.key = "policies", .type = SCHEMA_OBJECT, .open = &schema_policy_options, .fallback = "{}",
     .summary = "options that --policy NAME takes"},
    {.key = "faults", .type = SCHEMA_OBJECT, .child = schema_faults, .fallback = "null",
     .summary = "failures and repairs; jobs then (and on spot capacity) write checkpoints every "
                "hour unless `checkpoint` says otherwise"},
    {.key = "on_failure", .type = SCHEMA_CHOICE, .choices = "restart|shrink|continue",
     .fallback = "\"restart\"",
     .summary = "elastic jobs that lose tasks to a failure and have their minimum left: restart; "
                "shrink: those left go on from the last checkpoint; continue: from where they are, "
                "as workers of parameter servers do. Both grow back; column on_failure of a job "
                "overrides it"},
    {.key = "outages_file", .type = SCHEMA_PATH,
     .summary = "CSV of recorded outages: node,down_s,up_s; jobs on the node are interrupted"},
    {.key = "checkpoint", .type = SCHEMA_OBJECT, .child = checkpoint_rows, .fallback = "null",
     .summary = "checkpoints and restarts of training jobs; without it an eviction costs only time"},
    {.key = "storage", .type = SCHEMA_TEXT, .min = 1, .other = &storage_object,
     .summary = "shared storage of the jobs: name in the catalogue, or the storage itself"},
    {.key = "startup", .type = SCHEMA_OBJECT, .child = schema_startup_rows,
     .summary = "start of each run of a job: image, model, engine"},
    {.key = "gpu_memory", .type = SCHEMA_OBJECT, .child = schema_gpu_memory,
     .summary = "tasks that share a device sometimes need more of its memory, up to "
                "gpu_mem_limit_mib [only their request]"},
    {.key = "network", .type = SCHEMA_CHOICE, .choices = "off|placement|contention",
     .fallback = "\"off\"",
     .summary = "speed of jobs: full, by their placement, or also by the load of the uplinks"},
    {.key = "interference", .type = SCHEMA_OBJECT, .child = schema_interference_rows,
     .summary = "with `network`: contention for devices and cores [none: devices run side by side, "
                "with enough cores next to them]"},
    {.key = "models", .type = SCHEMA_OBJECT, .open = &schema_model,
     .summary = "models by name, in addition to the catalogue; a name of the catalogue is "
                "overridden"},
    {.key = "cost", .type = SCHEMA_OBJECT, .child = cost_rows, .fallback = "{}",
     .summary = "cost of energy and nodes, from the watts and prices of the nodes"},
    {.key = "window", .type = SCHEMA_OBJECT, .child = window_rows, .fallback = "{}",
     .summary = "the measured part of the run"},
    {.key = "metrics", .type = SCHEMA_OBJECT, .child = metrics_rows, .fallback = "{}",
     .summary = "definitions of metrics"},
    {.key = "published", .type = SCHEMA_OBJECT, .open = &figure, .fallback = "{}",
     .summary = "published figures by path in summary.json, printed beside the simulated ones"},
    {.key = "outputs", .type = SCHEMA_OBJECT, .child = output_rows, .fallback = "{}",
     .summary = "outputs to write"},
    {.key = "$schema", .type = SCHEMA_TEXT,
     .summary = "JSON Schema of the file, for editors (see 'fauxfleet schema'); not read"},
    {0},
};
const struct schema_row schema_scenario = {.type = SCHEMA_OBJECT, .child = scenario_rows};

static const struct schema_row catalog_rows[] = {
    {.key = "fauxfleet_catalog", .type = SCHEMA_INTEGER, .min = 1, .max = 1, .required = true,
     .summary = "version of this format"},
    {.key = "nodes", .type = SCHEMA_OBJECT, .open = &schema_node, .required = true,
     .summary = "kinds of nodes"},
    {0},
};
const struct schema_row schema_catalog = {.type = SCHEMA_OBJECT, .child = catalog_rows};

// clang-format on
