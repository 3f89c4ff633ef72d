/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A scenario: what to simulate, read from JSON. Loading has three steps, each with errors that name
 * file, line and JSON path:
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
    const char *name; /* catalogue name, or "" when inline */
    const char *summary;
    int gpus;             /* 0..64 */
    const char *gpu_type; /* "any" when not said */
    const char *known_as; /* to models, where that is another name; else NULL */
    int64_t gpu_mem_mib;  /* 0 unknown */
    int64_t cpu_milli;    /* -1 not modelled */
    int64_t mem_mib;      /* -1 not modelled */
    int max_tasks;        /* -1 no bound */
    enum scen_mig mig;
    const struct scen_instances *instances; /* mixed: of one node */
    size_t instance_count;
    const struct node_traits *traits; /* never NULL */
    const struct perf_vnic *vnic;     /* of its pool; NULL: the NIC itself */
};

/* Nodes that their owner takes back at times (sim/faults/spot.h). */
struct scen_spot {
    bool given;
    int64_t notice_ms, away_ms;
    double monthly, correlated;
    int64_t together;
    double usd_per_gpu_hour; /* -1: as of the node */
};

struct scen_pool {
    const char *name;
    struct scen_node node;
    enum price_billing billing;
    int64_t count;
    bool whole_only;    /* takes only tasks that want all GPUs of a node */
    int64_t *nodes_per; /* nodes in one domain of each of the scenario's levels; 0 not said */
    const struct fabric_spec *fabric; /* what connects its nodes; NULL not said */
    const struct fabric_plan *plan;   /* the same for so many of them */
    struct scen_spot spot;
    struct sim_elastic_pool elastic;
};

struct snap_node;

/* One node of a node list (`fleet.nodes_file`). */
struct scen_listed_node {
    const char *name;
    struct scen_node node;
    /* of one of a snapshot: */
    const char *pool;            /* NULL: "all" */
    const char *const *domains;  /* on each level of the scenario; NULL none */
    const struct snap_node *own; /* whose labels it has; NULL: of an openb list */
    int64_t rank;                /* tie-break; -1: its place in the list */
    bool whole_only, added;      /* added: like `own`, but not it */
};

/* A quota that holds in some pools: an entry for each, all but the first joined. */
struct scen_pool_quota {
    const char *pool;
    bool joined;
    int64_t quota_milli;
};

struct scen_queue {
    const char *name, *parent; /* parent "" for a root */
    int priority;
    int64_t created_ms;
    int64_t gpu_quota_milli, gpu_limit_milli, gpu_weight_milli; /* -1 unlimited (quota, limit) */
    int64_t cpu_quota_milli, cpu_limit_milli, cpu_weight_milli;
    int64_t mem_quota_mib, mem_limit_mib, mem_weight_milli;
    const char *const *pools; /* bound to these; none: any */
    size_t pool_count;
    int64_t preempt_min_runtime_ms, reclaim_min_runtime_ms; /* -1: as the queue above */
    int64_t fixed_milli;                                    /* kept for its build sessions */
    bool suspended;
    const struct scen_pool_quota *by_pool; /* the quota is their sum; none: it holds anywhere */
    size_t by_pool_count;
    bool spans_pools; /* its gangs may span pools with different quotas */
};

enum scen_mode { SCEN_REPLAY, SCEN_FILL };

/* How long the jobs of a snapshot take; times in ms. */
enum scen_remaining {
    SCEN_REMAINING_KNOWN,  /* its duration, else its limit, else its estimate */
    SCEN_REMAINING_LIMITS, /* its limit, else its estimate */
    SCEN_REMAINING_EXPONENTIAL,
    SCEN_REMAINING_LOGNORMAL,
    SCEN_REMAINING_TRACE /* as jobs of a trace that took longer than it has run */
};

struct snapshot;     /* scenarios/snapshot/snapshot.h */
struct trace_outage; /* traces/nodes.h */

struct scen_start {
    const struct snapshot *snapshot; /* NULL: the run begins with the first submission */
    enum scen_remaining remaining;
    double mean_ms;    /* EXPONENTIAL; LOGNORMAL: the median */
    double sigma;      /* of the logarithm */
    const char *trace; /* path as to be opened */
    bool from_now;     /* the workload's clock begins now */
};

/* Nodes named by a pattern: of names (fnmatch), or KEY=VALUE of a level or label. */
struct scen_pattern {
    const char *text;
    bool away; /* they are lost; else they drain */
};

/* Before the name of a type of GPU: nothing else is known of the node on which a job was recorded.
 */
#define SCEN_RECORDED_BY_TYPE "gpu_type="

/* One part of the workload: a trace or a generator. */
struct scen_source {
    const struct scen_node *recorded_on; /* its run times; NULL: not known */
    const char *recorded_name; /* of that node: of the catalogue, else of its own; NULL with it */
    const char *trace;         /* path as to be opened, or NULL for a generator */
    const char *format;        /* "auto" */
    struct trace_setting *settings; /* what its format leaves open */
    size_t setting_count;
    int64_t jobs;      /* at most so many of its jobs; -1 all */
    double time_scale; /* submit times are multiplied by this, from the first one on */
    double load_scale; /* arrivals come this many times as densely: submit times divided by it */
    double
        users_scale; /* as much GPU time by more or fewer users; 1 none (traces/vary/perturb.h) */
    bool resample_users;
    int64_t block_ms;         /* of a bootstrap; 0 none */
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
    const char *name, *value; /* text as the policy core takes it: "skip", "3" */
};

struct scen_policy {
    const char *name;
    int64_t cycle_ms; /* 0: decide at every event */
    int64_t grace_ms; /* from an eviction until the devices are free */
    bool gangs;       /* it is told what belongs together */
    bool skip_idle_cycles;
    struct scen_option *options; /* of the policy core */
    size_t option_count;
    struct work_overheads overheads;
};

/* How often checkpoints are written: so often, or as a formula says for each job. */
enum scen_interval { SCEN_INTERVAL_GIVEN, SCEN_INTERVAL_YOUNG, SCEN_INTERVAL_DALY };

struct scen_checkpoint {
    bool given; /* else checkpoints cost nothing and nothing is lost */
    enum scen_interval rule;
    int64_t interval_ms, write_ms, restart_ms;
    bool async; /* a write stops the job for stall_ms only */
    int64_t stall_ms;
    bool on_evict;
};

/* What passes before a job works, at each run of it. */
struct scen_startup {
    bool given;
    uint32_t classes; /* that have it: a bit for each enum trace_class */
    int64_t image_ms, load_ms, engine_ms;
};

struct scen_faults {
    bool given;
    struct fault_profile profile; /* scaled, and with the classes that are wanted */
    bool catch_lemons, patient;
    bool dual_homed, nic_failover, fixed_routing;
    bool user_failures; /* jobs fail by their own doing */
    const uint32_t
        *spares; /* nodes of each pool ("all" of a node list), fewer than it has; NULL none */
    int64_t swap_ms;
    struct fault_burn_in burn_in;
    const bool *new_pools; /* by pool: its nodes are new when the run begins; NULL: none */
};

/* When nodes were down, by recorded times: at most one outage of a node at a time. */
struct scen_outages {
    const char *file; /* path as to be opened; NULL: none */
    const struct trace_outage *rows;
    size_t count;
};

/* What decides about the speed of jobs. */
enum scen_network {
    SCEN_NETWORK_OFF,
    SCEN_NETWORK_PLACEMENT, /* where they run */
    SCEN_NETWORK_CONTENTION /* and what others leave them of the uplinks */
};

/* Replicas that follow a load (sim/services.h). */
struct scen_service {
    const char *name, *queue;
    int gpus, gpu_milli;  /* of a replica; gpu_milli 0: whole ones */
    const char *roles;    /* of a replica whose tasks are not all alike; "" none */
    const char *gpu_type; /* "" any */
    int priority;
    bool preemptible;
    int64_t startup_ms; /* -1: as of all jobs of its class */
    struct scaler_rule rule;
    struct backlog_rule requests;
    int64_t late_ppm;            /* share of requests that may be late; -1: no SLO */
    struct load_shape shape;     /* of a made load, */
    const struct load_row *rows; /* or the load as given */
    size_t row_count;
};

struct scen_window {
    int64_t warmup_ms;
    bool warmup_auto;     /* it is still to be found (sim/study/steady.h), and 0 until then */
    int64_t horizon_ms;   /* from the first submission; or SIM_TO_LAST_SUBMISSION, SIM_TO_LAST_JOB
                             (sim/sim.h) */
    bool drain;           /* run on until all counted jobs have ended */
    int64_t drain_cap_ms; /* but no longer than this after the horizon; -1 no cap */
};

struct scen_outputs {
    bool jobs, journal;
    bool facts;          /* the journal has what the policy was told, too */
    int64_t timeline_ms; /* 0: none */
};

/* How replicas of a recorded trace differ; what is made is drawn anew for each. */
enum scen_replicate {
    SCEN_REPLICATE_UNSET,    /* jitter when there are several */
    SCEN_REPLICATE_JITTER,   /* arrivals move by up to jitter_ms */
    SCEN_REPLICATE_RESAMPLE, /* users and weeks are drawn anew (traces/vary/replicate.h) */
    SCEN_REPLICATE_NONE
};

struct catalog_model; /* scenarios/catalog/models.h */

struct scenario {
    const char *name, *description;
    uint64_t seed;
    int replicas;

    struct scen_pool *pools; /* either pools ... */
    size_t pool_count;
    bool spot;                 /* some of them are spot capacity, */
    bool elastic;              /* or grow and shrink */
    const char *const *levels; /* of the fabric above the node, from the top */
    size_t level_count;
    struct scen_listed_node *nodes; /* ... or a node list: of a snapshot pool by pool */
    size_t node_count;
    struct scen_pattern *set_aside; /* nodes that drain or are lost when the run begins */
    size_t set_aside_count;
    struct scen_start start;

    bool queues_from_trace;
    struct scen_queue *queues;
    size_t queue_count;

    /*
     * On which run times were recorded that do not say: the first part's; NULL: nothing is known.
     * `assumed`: nobody said so, it is the node of the first pool of the file, before any change of
     * the command line.
     */
    const struct scen_node *recorded_on;
    bool recorded_assumed;

    enum scen_mode mode;
    struct scen_source *sources;
    size_t source_count;
    enum scen_replicate replicate;
    int64_t replicate_block_ms; /* 0: as the trace has it */
    double growth; /* demand times this: users of traces, load of generators and services; 1 none */
    int64_t jitter_ms;    /* -1: 30 s when several replicas jitter, else 0 */
    bool has_jitter_seed; /* else shakes are drawn with `seed` as everything else */
    uint64_t jitter_seed; /* of replica 1 */
    bool closed;          /* a replay in which users react to the ends of their jobs */
    int64_t think_max_ms; /* -1: whatever the break was */
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
    enum trace_on_failure on_failure; /* of elastic jobs that do not say it */
    struct scen_outages outages;
    const struct sim_change *changes; /* planned, of queues */
    size_t change_count;
    struct price_terms cost;          /* what nodes cost */
    struct store_prices store_prices; /* what shared storage costs */
    struct memory_rules gpu_memory;   /* MEMORY_OFF: limits of device memory mean nothing */
    enum scen_network network;
    struct perf_interference interference;
    const struct catalog_model *models; /* its own */
    size_t model_count;
    struct scen_window window;
    int64_t tau_ms; /* of the bounded slowdown */
    bool rho;       /* each queue is simulated alone, too, for finish-time fairness */
    struct scen_outputs outputs;
    struct scen_service *services;
    size_t service_count;

    /*
     * The merged scenario as JSON text, all defaults written out; itself a scenario. Names of files
     * are relative to the folder of the scenario file (load it again with base_dir naming that
     * folder); names given with --set or --trace stay as given, relative to the working directory.
     */
    char *resolved;
    /*
     * Of `resolved` without names of files, and of what those files hold (pools, nodes, queues,
     * arrivals, ranks; the trace has its own digest).
     */
    char digest[DIGEST_HEX];
};

/* A change as --set makes it, that was said in a file. */
struct scen_change {
    const char *label; /* stands in messages: "plan.json:12: policy.cycle_s" */
    const char *path;  /* "policy.cycle_s" */
    const char *value; /* as JSON text */
    const char
        *folder; /* names of files in it are relative to this one, "" the working directory */
};

/*
 * What the command line adds, in this order: --set policies..., --policy, --trace, --seed,
 * --replicas, then every other --set; the changes of a file follow its --set. So --set
 * policy.options.x=1 refines what --policy chose. --trace replaces trace or generator; of a list of
 * parts the first stays.
 */
struct scen_overrides {
    const char *policy; /* --policy NAME: replaces name and options (see scenario's "policies") */
    const char *policy_option; /* how messages call where it comes from; NULL: "--policy" */
    const char *trace;         /* --trace FILE */
    const char *const *map;    /* --map ROLE=COLUMN,... */
    size_t map_count;
    const char *const *set; /* --set KEY=VALUE */
    size_t set_count;
    size_t both_count; /* of them, the first so many were given with --both */
    const struct scen_change *changes;
    size_t change_count;
    bool has_seed, has_replicas;
    uint64_t seed;
    int replicas;
    bool resample; /* several replicas resample the workload unless it says how they differ (plan,
                      whatif) */
    const char *
        base_dir; /* paths in the file are relative to this instead of the file's folder, or NULL */
};

bool scenario_load(struct scenario **, const char *path, const struct scen_overrides *,
                   struct err *);
void scenario_destroy(struct scenario *); /* NULL is fine */

/*
 * Where the value at a JSON path of the resolved scenario was said, for messages about it:
 * "x.json:12: policy.name", "--set policy.name". Defaults and unknown paths name the place where
 * they would stand. Returns buffer.
 */
const char *scenario_where(const struct scenario *, const char *path, char *buffer, size_t size);

/* The catalogue of nodes: rows of `list nodes`. Compiled in from scenarios/catalog/. */
bool catalog_nodes(struct scen_node **nodes, size_t *count, struct err *err);
void catalog_free(struct scen_node *nodes, size_t count);

#endif
