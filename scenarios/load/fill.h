/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fills the typed structs of scenario.h from the resolved tree, with the checks that span several
 * keys. Each part is a function that reads its branch of the tree. The tree has passed the schema
 * and has all defaults, so every key exists with the right type. Texts in the structs point into
 * the tree or into memory of the build.
 */
#ifndef SCENARIOS_LOAD_FILL_H
#define SCENARIOS_LOAD_FILL_H

#include "scenarios/load/layers.h"
#include "scenarios/scenario.h"
#include "scenarios/schema/values.h"
#include "sim/base/symbols.h"
#include "traces/nodes.h"

struct build {
    struct scenario scenario; /* first: the public part */
    struct layers layers;
    cJSON *tree;           /* resolved */
    struct symbols *pools; /* names in use */
    struct symbols *queues;
    struct digest digest; /* digest of the contents of other files */
    void **blocks;        /* everything allocated by build_alloc() */
    size_t block_count, block_capacity;
    /*
     * Opened snapshots: that of the start as in the file and as set by --set, that of the fleet;
     * NULL: none.
     */
    struct snapshot *snapshots[4];
    cJSON *recorded_on; /* default for parts of the workload; NULL: unknown; owned */
    bool files;         /* false: opens no file but the scenario (fuzzing) */
    struct err *err;
};

/* Returns zeroed memory that lives as long as the scenario. */
void *build_alloc(struct build *, size_t count, size_t size);
const char *build_text(struct build *, const char *text);
void build_keep(struct build *,
                void *block); /* from malloc; freed with the scenario; NULL is allowed */

/* Sets the error with the location of a value in the scenario; returns false. */
bool build_fail(struct build *, const char *path, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/*
 * Returns the name to open for the file named at `path`. build_blame() puts the location of the key
 * before an error set while reading the file, and returns false.
 */
const char *build_file(struct build *, const char *path, const char *value);
bool build_blame(struct build *, const char *path);

/*
 * The same for a row of that file that is well-formed but wrong: puts file, line and field first.
 */
bool build_fail_row(struct build *, const char *path, const char *file, const struct trace_origin *,
                    size_t column, const char *format, ...) __attribute__((format(printf, 6, 7)));

/*
 * Returns the snapshot named at `path`; two paths that name the same file share it. NULL with err
 * set.
 */
const struct snapshot *build_snapshot(struct build *, const char *path, const char *name);

/*
 * recorded_on.c: the default node on which durations were recorded. recorded_remember() takes the
 * node of the first pool before the changes of the command line; recorded_complete() sets it
 * afterwards for parts without one.
 */
void recorded_remember(struct build *);
void recorded_complete(struct build *);
bool fill_recorded_on(struct build *, const char *part, const cJSON *tree, struct scen_source *);

/* Fills the node that a value names in the catalogue, or describes. */
bool build_node(struct build *, const char *path, const cJSON *value, struct scen_node *);

bool fill_fleet(struct build *);
bool fill_snapshot_nodes(struct build *, const char *name,
                         const cJSON *add); /* a fleet.nodes_file of that format */
bool fill_set_aside(struct build *);
bool fill_start(struct build *);
bool fill_queues(struct build *);   /* after the fleet */
bool fill_events(struct build *);   /* after the queues */
bool fill_workload(struct build *); /* after the queues */
bool fill_policy(struct build *);
bool fill_checkpoint(struct build *);
bool fill_storage(struct build *);                     /* after checkpoints */
bool fill_startup(struct build *);                     /* after storage */
bool fill_faults(struct build *);                      /* after the fleet */
bool fill_spares(struct build *, const cJSON *spares); /* the value of faults.spares; NULL: none */
bool fill_outages(struct build *);
bool fill_gpu_memory(struct build *);
bool fill_cost(struct build *);
bool fill_window(struct build *);
bool fill_metrics(struct build *);
bool fill_services(struct build *); /* after all of these */
void fill_network(struct build *);
bool fill_models(struct build *);
void fill_interference(struct build *);
const struct perf_vnic *fill_vnic(const cJSON *pool); /* NULL: not stated */

/*
 * Fill the levels of the fleet; then, for each pool with known count and node, its nodes per domain
 * of each level.
 */
bool fill_levels(struct build *);
bool fill_pool_levels(struct build *, size_t index, const cJSON *entry, struct scen_pool *);

/* Fills the spot offer `value` at `path`; NULL: not spot capacity. */
bool fill_spot(struct build *, const char *path, const cJSON *value, struct scen_pool *);

/*
 * Fills the `elastic` terms of the pool `entry` at `path`, and the nodes that `events` add to it;
 * sets its count.
 */
bool fill_elastic(struct build *, const char *path, const cJSON *entry, struct scen_pool *);

struct sim_change;
struct sim_moment;

/* Fills the times at which the nodes of a reserved pool exist. */
bool fill_reservation(struct build *, size_t pool, struct sim_change *);

/* Reads a time of the run, a date, or a time of the week. */
bool fill_moment(struct build *, const char *path, const cJSON *value, struct sim_moment *);

const char *fill_option(struct build *, const cJSON *value); /* a SCHEMA_OPTION as text */

/* Like scenario_load() for a scenario in memory; for tests and fuzzing. */
bool scenario_parse(struct scenario **, const char *name, const char *text, size_t n,
                    const struct scen_overrides *, bool files, struct err *err);

/*
 * Fills the quotas by pool of a queue (`gpu.by_pool`), which comes after the queues filled so far.
 */
bool fill_pool_quotas(struct build *, const char *path, const cJSON *list, struct scen_queue *);

struct sim_change;

/*
 * Fills the quotas of the queue's `gpu.by_pool` that a planned change sets; `path` is that of the
 * change.
 */
bool fill_pool_changes(struct build *, const char *path, const cJSON *list,
                       const struct scen_queue *, struct sim_change *);

#endif
