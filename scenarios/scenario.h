/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A scenario describes a simulation in JSON. Loading has three steps, whose errors name file, line
 * and JSON path:
 *
 *   1. read   the file and what it `extends`, each checked against the schema (unknown keys are
 *             refused with the nearest known one), merged by key; then the `--set KEY=VALUE`
 *             changes, checked in the same way;
 *   2. fill   the typed structs below, with defaults;
 *   3. check  what spans several keys (names that must exist, pools that are bound, files that can
 *             be read).
 *
 * Paths in a scenario file are relative to that file; paths given with --set or --trace are
 * relative to the working directory. Everything here is owned by the scenario and lives until
 * scenario_destroy().
 */
#ifndef SCENARIOS_SCENARIO_H
#define SCENARIOS_SCENARIO_H

#include "sim/base/digest.h"
#include "sim/base/err.h"
#include "sim/elastic_nodes.h"
#include "sim/fabric/plan.h"
#include "sim/faults/burn_in.h"
#include "sim/faults/classes.h"
#include "sim/fleet/traits.h"
#include "sim/memory/rules.h"
#include "sim/perf/share.h"
#include "sim/power/price.h"
#include "sim/power/store_price.h"
#include "sim/services/backlog.h"
#include "sim/services/scaler.h"
#include "sim/storage_rules.h"
#include "sim/work/overhead.h"
#include "traces/trace.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum scen_mig { SCEN_MIG_OFF, SCEN_MIG_SINGLE, SCEN_MIG_MIXED, SCEN_MIG_DYNAMIC };

struct scen_instances {
    const char *profile; /* "3g.40gb" */
    int count;
};

/* A kind of node: a row of the catalogue, or given inline. */
struct scen_node {
    const char *name; /* catalogue name, or "" if inline */
    const char *summary;
    int gpus;             /* 0..64 */
    const char *gpu_type; /* "any" if not stated */
    const char *known_as; /* what models call it, if different; else NULL */
    int64_t gpu_mem_mib;  /* 0: unknown */
    int64_t cpu_milli;    /* -1: not modelled */
    int64_t mem_mib;      /* -1: not modelled */
    int max_tasks;        /* -1: unlimited */
    enum scen_mig mig;
    const struct scen_instances *instances; /* mixed: those of one node */
    size_t instance_count;
    const struct node_traits *traits; /* never NULL */
    const struct perf_vnic *vnic;     /* of its pool; NULL: the plain NIC */
};

/* Nodes that the provider may take back (sim/faults/spot.h). */
struct scen_spot {
    bool given;
    int64_t notice_ms, away_ms;
    double monthly, correlated;
    int64_t together;
    double usd_per_gpu_hour; /* -1: as for the node */
};

struct scen_pool {
    const char *name;
    struct scen_node node;
    enum price_billing billing;
    int64_t count;
    bool whole_only;    /* takes only tasks that request all GPUs of a node */
    int64_t *nodes_per; /* nodes in a domain of each of the scenario's levels; 0: not stated */
    const struct fabric_spec *fabric; /* its interconnect; NULL: not stated */
    const struct fabric_plan *plan;   /* laid out for its number of nodes */
    struct scen_spot spot;
    struct sim_elastic_pool elastic;
};

/* Nodes that planned changes add to those configured: loads do not refer to them. */
static inline int64_t scen_pool_extra(const struct scen_pool *pool)
{
    const struct sim_elastic_pool *e = &pool->elastic;
    return e->planned && !e->reserved ? (int64_t)e->most - e->least : 0;
}

struct snap_node;

/* One node of a node list (`fleet.nodes_file`). */
struct scen_listed_node {
    const char *name;
    struct scen_node node;
    /* of one of a snapshot: */
    const char *pool;            /* NULL: "all" */
    const char *const *domains;  /* on each level of the scenario; NULL: none */
    const struct snap_node *own; /* its labels; NULL in an openb list */
    int64_t rank;                /* tie-break; -1: its place in the list */
    bool whole_only, added;      /* added: like `own`, but another node */
};

/* A quota that applies in some pools: an entry per pool, all but the first joined. */
struct scen_pool_quota {
    const char *pool;
    bool joined;
    int64_t quota_milli;
};

struct scen_queue {
    const char *name, *parent; /* parent "" for a root */
    int priority;
    int64_t created_ms;
    int64_t gpu_quota_milli, gpu_limit_milli, gpu_weight_milli; /* -1: unlimited (quota, limit) */
    int64_t cpu_quota_milli, cpu_limit_milli, cpu_weight_milli;
    int64_t mem_quota_mib, mem_limit_mib, mem_weight_milli;
    const char *const *pools; /* bound to these pools; none: any */
    size_t pool_count;
    bool ordered_pools, strict_order; /* in order of preference; before any other rule */
    bool others_too;                  /* and then all other pools */
    int64_t preempt_min_runtime_ms, reclaim_min_runtime_ms; /* -1: as for the queue above */
    int64_t fixed_milli;                                    /* kept for its build sessions */
    bool suspended;
    const struct scen_pool_quota
        *by_pool; /* their sum is the quota; none: it applies in all pools */
    size_t by_pool_count;
    bool spans_pools; /* its gangs may span pools with different quotas */
};

enum scen_mode { SCEN_REPLAY, SCEN_FILL };

/* How long the jobs of a snapshot run; times in ms. */
enum scen_remaining {
    SCEN_REMAINING_KNOWN,  /* its duration, else its limit, else its estimate */
    SCEN_REMAINING_LIMITS, /* its limit, else its estimate */
    SCEN_REMAINING_EXPONENTIAL,
    SCEN_REMAINING_LOGNORMAL,
    SCEN_REMAINING_TRACE /* like jobs of a trace that ran longer than it has so far */
};

struct snapshot;     /* scenarios/snapshot/snapshot.h */
struct trace_outage; /* traces/nodes.h */

struct scen_start {
    const struct snapshot *snapshot; /* NULL: the run begins with the first submission */
    enum scen_remaining remaining;
    double mean_ms;    /* EXPONENTIAL; LOGNORMAL: the median */
    double sigma;      /* of the logarithm */
    const char *trace; /* path to open */
    bool from_now;     /* the workload's clock starts now */
};

/* Nodes selected by a pattern: of names (fnmatch), or KEY=VALUE of a level or label. */
struct scen_pattern {
    const char *text;
    bool away; /* they are lost; else they drain */
};

/* Prefix of a GPU type: nothing else is known about the node on which a job was recorded. */
#define SCEN_RECORDED_BY_TYPE "gpu_type="

/* One part of the workload: a trace or a generator. */
struct scen_source {
    const struct scen_node *recorded_on; /* the hardware of its run times; NULL: unknown */
    const char *recorded_name; /* name of that node, in the catalogue or its own; NULL like it */
    const char *trace;         /* path to open, or NULL for a generator */
    const char *format;        /* "auto" */
    struct trace_setting *settings; /* what its format leaves open */
    size_t setting_count;
    int64_t jobs;       /* at most this many of its jobs; -1: all */
    double time_scale;  /* submit times are multiplied by this, counted from the first */
    double load_scale;  /* submit times are divided by this, so load is this many times as dense */
    double users_scale; /* scales the GPU time by the number of users; 1: unchanged
                           (traces/vary/perturb.h) */
    bool resample_users;
    int64_t block_ms;         /* of a bootstrap; 0: none */
    const char *assign_queue; /* all jobs go to this queue, or NULL */
    const char *assign_class; /* all jobs have this class, or NULL */
    struct {
        const char *profile;
        struct trace_parameter *parameters;
        size_t parameter_count;
        bool gpus_given; /* else the simulator sets `gpus` to the fleet's */
        struct trace_team *teams;
        size_t team_count;
    } generate;
};

struct scen_option {
    const char *name, *value; /* as the policy core reads it: "skip", "3" */
};

struct scen_policy {
    const char *name;
    int64_t cycle_ms; /* 0: decide at every event */
    int64_t grace_ms; /* time from an eviction until the devices are free */
    bool gangs;       /* it sees which tasks belong together */
    bool skip_idle_cycles;
    struct scen_option *options; /* of the policy core */
    size_t option_count;
    struct work_overheads overheads;
};

/* How often checkpoints are written: at a given interval, or by a formula for each job. */
enum scen_interval { SCEN_INTERVAL_GIVEN, SCEN_INTERVAL_YOUNG, SCEN_INTERVAL_DALY };

struct scen_checkpoint {
    bool given; /* else checkpoints cost nothing and no work is lost */
    enum scen_interval rule;
    int64_t interval_ms, write_ms, restart_ms;
    bool async; /* a write stops the job only for stall_ms */
    int64_t stall_ms;
    bool on_evict;
};

/* The time before a job works, in each of its runs. */
struct scen_startup {
    bool given;
    uint32_t classes; /* classes that have it, a bit for each enum trace_class */
    int64_t image_ms, load_ms, engine_ms;
};

struct scen_faults {
    bool given;
    struct fault_profile profile; /* scaled, with the selected fault classes */
    bool catch_lemons, patient;
    bool dual_homed, nic_failover, fixed_routing;
    bool user_failures;     /* jobs may fail on their own */
    const uint32_t *spares; /* spare nodes of each pool ("all" for a node list), fewer than it has;
                               NULL: none */
    int64_t swap_ms;
    struct fault_burn_in burn_in;
    const bool *new_pools; /* by pool: its nodes are new at the start of the run; NULL: none */
};

/* Recorded times when nodes were down; outages of a node do not overlap. */
struct scen_outages {
    const char *file; /* path to open; NULL: none */
    const struct trace_outage *rows;
    size_t count;
};

/* What affects the speed of jobs. */
enum scen_network {
    SCEN_NETWORK_OFF,
    SCEN_NETWORK_PLACEMENT, /* placement */
    SCEN_NETWORK_CONTENTION /* placement and contention for uplinks */
};

/* Replicas that follow a load (sim/services.h). */
struct scen_service {
    const char *name, *queue;
    int gpus, gpu_milli;  /* of a replica; gpu_milli 0: whole GPUs */
    const char *roles;    /* of a replica whose tasks differ; "": none */
    const char *gpu_type; /* "" any */
    int priority;
    bool preemptible;
    int64_t startup_ms; /* -1: as for all jobs of its class */
    struct scaler_rule rule;
    struct backlog_rule requests;
    int64_t late_ppm;            /* share of requests that may be late; -1: no SLO */
    struct load_shape shape;     /* of a generated load */
    const struct load_row *rows; /* or the load as given */
    size_t row_count;
};

struct scen_window {
    int64_t warmup_ms;
    bool warmup_auto;   /* the warm-up is found by a pilot run (sim/study/steady.h); 0 until then */
    int64_t horizon_ms; /* from the first submission; or SIM_TO_LAST_SUBMISSION, SIM_TO_LAST_JOB
                           (sim/sim.h) */
    bool drain;         /* continue until all measured jobs have ended */
    int64_t drain_cap_ms; /* but at most this long after the horizon; -1: unlimited */
};

struct scen_outputs {
    bool jobs, journal;
    bool facts;          /* the journal includes the policy's facts */
    int64_t timeline_ms; /* 0: none */
};

/* How replicas of a recorded trace differ; generated workloads are drawn anew for each. */
enum scen_replicate {
    SCEN_REPLICATE_UNSET,    /* jitter if there are several replicas */
    SCEN_REPLICATE_JITTER,   /* arrivals move by up to jitter_ms */
    SCEN_REPLICATE_RESAMPLE, /* users and weeks are resampled (traces/vary/replicate.h) */
    SCEN_REPLICATE_NONE
};

struct catalog_model; /* scenarios/catalog/models.h */

struct scenario {
    const char *name, *description;
    uint64_t seed;
    int replicas;

    struct scen_pool *pools; /* either pools ... */
    size_t pool_count;
    bool spot;                 /* some are spot capacity */
    bool elastic;              /* some are elastic */
    const char *const *levels; /* of the fabric above the node, from the top */
    size_t level_count;
    struct scen_listed_node *nodes; /* ... or a node list; that of a snapshot is ordered by pool */
    size_t node_count;
    struct scen_pattern *set_aside; /* nodes that drain or are lost at the start of the run */
    size_t set_aside_count;
    struct scen_start start;

    bool queues_from_trace;
    struct scen_queue *queues;
    size_t queue_count;

    /*
     * The default hardware of recorded run times: that of the first part; NULL: unknown. `assumed`:
     * not stated, so it is the node of the first pool in the file, before any change on the command
     * line.
     */
    const struct scen_node *recorded_on;
    bool recorded_assumed;

    enum scen_mode mode;
    struct scen_source *sources;
    size_t source_count;
    enum scen_replicate replicate;
    int64_t replicate_block_ms; /* 0: as in the trace */
    double
        growth; /* scales demand: users of traces, load of generators and services; 1: unchanged */
    int64_t jitter_ms;    /* -1: 30 s if several replicas use jitter, else 0 */
    bool has_jitter_seed; /* else jitter is drawn with `seed` like everything else */
    uint64_t jitter_seed; /* for replica 1 */
    bool closed;          /* a replay in which users react to the ends of their jobs */
    int64_t think_max_ms; /* -1: however long the break was */
    double fill_tune; /* fill: stop when requests reach this share of the capacity; 0: whole list */
    int64_t *fill_arrivals; /* fill: row of the trace that arrives next; NULL: order of the trace */
    size_t fill_arrival_count;
    int64_t *node_rank; /* tie-break rank of node i, or NULL */
    size_t node_rank_count;

    struct scen_policy policy;
    struct scen_checkpoint checkpoint;
    struct sim_storage_rules storage;
    struct scen_startup startup;
    struct scen_faults faults;
    enum trace_on_failure on_failure; /* of elastic jobs that do not state it */
    struct scen_outages outages;
    const struct sim_change *changes; /* planned changes of queues and pools */
    size_t change_count;
    struct price_terms cost;          /* what nodes cost */
    struct store_prices store_prices; /* what shared storage costs */
    struct memory_rules gpu_memory;   /* MEMORY_OFF: limits of device memory have no effect */
    enum scen_network network;
    struct perf_interference interference;
    const struct catalog_model *models; /* its own */
    size_t model_count;
    struct scen_window window;
    int64_t tau_ms; /* of the bounded slowdown */
    bool rho;       /* also simulate each queue alone, for finish-time fairness */
    struct scen_outputs outputs;
    struct scen_service *services;
    size_t service_count;

    /*
     * The merged scenario as JSON text with all defaults, itself a scenario. File names are
     * relative to the folder of the scenario file (to load it again, set base_dir to that folder);
     * names given with --set or --trace stay relative to the working directory.
     */
    char *resolved;
    /*
     * Of `resolved` without file names, and of the contents of these files (pools, nodes, queues,
     * arrivals, ranks; the trace has its own digest).
     */
    char digest[DIGEST_HEX];
};

/* A change like --set, from a file. */
struct scen_change {
    const char *label; /* used in messages: "plan.json:12: policy.cycle_s" */
    const char *path;  /* "policy.cycle_s" */
    const char *value; /* as JSON text */
    const char
        *folder; /* file names in it are relative to this folder; "": the working directory */
};

/*
 * Additions of the command line, applied in this order: --set policies..., --policy, --trace,
 * --seed, --replicas, then every other --set; the changes of a file follow its --set. So --set
 * policy.options.x=1 refines what --policy selected. --trace replaces the trace or generator, and
 * reduces a list of parts to its first one.
 */
struct scen_overrides {
    const char *policy; /* --policy NAME: replaces name and options (see scenario's "policies") */
    const char *policy_option; /* its source in messages; NULL: "--policy" */
    const char *trace;         /* --trace FILE */
    const char *const *map;    /* --map ROLE=COLUMN,... */
    size_t map_count;
    const char *const *set; /* --set KEY=VALUE */
    size_t set_count;
    size_t both_count; /* the first ones, given with --both */
    const struct scen_change *changes;
    size_t change_count;
    bool has_seed, has_replicas;
    uint64_t seed;
    int replicas;
    bool resample; /* resample the workload of several replicas unless the scenario says how they
                      differ (plan, whatif) */
    const char *
        base_dir; /* paths in the file are relative to this instead of the file's folder, or NULL */
};

bool scenario_load(struct scenario **, const char *path, const struct scen_overrides *,
                   struct err *);
void scenario_destroy(struct scenario *); /* NULL is allowed */

/*
 * Returns where the value at a JSON path of the resolved scenario was set, for messages:
 * "x.json:12: policy.name", "--set policy.name". For defaults and unknown paths, it is the place
 * where they would be set. Returns buffer.
 */
const char *scenario_where(const struct scenario *, const char *path, char *buffer, size_t size);

/* The catalogue of nodes: rows of `list nodes`. Compiled in from scenarios/catalog/. */
bool catalog_nodes(struct scen_node **nodes, size_t *count, struct err *err);
void catalog_free(struct scen_node *nodes, size_t count);

#endif
