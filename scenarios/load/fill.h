/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From the resolved tree to the typed structs of scenario.h, with the checks that span several
 * keys. Each part is one function that reads its branch of the tree; the tree passed the schema and
 * has all defaults, so every key exists and has the right type. Texts in the structs point into the
 * tree or into blocks that belong to the build.
 */
#ifndef SCENARIOS_LOAD_FILL_H
#define SCENARIOS_LOAD_FILL_H

#include "scenarios/load/layers.h"
#include "scenarios/scenario.h"
#include "scenarios/schema/values.h"
#include "sim/base/symbols.h"
#include "traces/nodes.h"

struct build {
    struct scenario scenario; /* first: the part visible to the caller */
    struct layers layers;
    cJSON *tree;           /* resolved */
    struct symbols *pools; /* names in use */
    struct symbols *queues;
    struct digest digest; /* of the contents of other files */
    void **blocks;        /* everything allocated by build_alloc() */
    size_t block_count, block_capacity;
    /* That were opened: of the start as the file has it and as --set does, of the fleet; NULL none.
     */
    struct snapshot *snapshots[4];
    cJSON *recorded_on; /* for parts of the workload that do not say; NULL: unknown. Owned */
    bool files;         /* false: no file but the scenario is opened (fuzzing) */
    struct err *err;
};

/* Zeroed memory that lives as long as the scenario. */
void *build_alloc(struct build *, size_t count, size_t size);
const char *build_text(struct build *, const char *text);
void build_keep(struct build *,
                void *block); /* from malloc: freed with the scenario; NULL is fine */

/* Sets the error with the place of a value in the scenario; returns false. */
bool build_fail(struct build *, const char *path, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/*
 * The name under which the file named at `path` is opened. An error that was set while reading it
 * gets the place of the key before it by build_blame(), which returns false.
 */
const char *build_file(struct build *, const char *path, const char *value);
bool build_blame(struct build *, const char *path);

/* The same for a row of that file that was read well and is wrong nevertheless: puts file, line and
 * field first. */
bool build_fail_row(struct build *, const char *path, const char *file, const struct trace_origin *,
                    size_t column, const char *format, ...) __attribute__((format(printf, 6, 7)));

/* The snapshot named at `path`; two paths that name one file share it. NULL with the error set. */
const struct snapshot *build_snapshot(struct build *, const char *path, const char *name);

/*
 * recorded_on.c: the node on which durations were recorded, for parts of the workload that do not
 * say. Before the changes of the command line the node of the first pool is recorded; after them it
 * is assigned to those parts.
 */
void recorded_remember(struct build *);
void recorded_complete(struct build *);
bool fill_recorded_on(struct build *, const char *part, const cJSON *tree, struct scen_source *);

/* The node that a value names in the catalogue, or describes. */
bool build_node(struct build *, const char *path, const cJSON *value, struct scen_node *);

bool fill_fleet(struct build *);
bool fill_snapshot_nodes(struct build *, const char *name,
                         const cJSON *add); /* fleet.nodes_file of that format */
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
const struct perf_vnic *fill_vnic(const cJSON *pool); /* NULL: not said */

/* The levels of the fleet; then for each pool, whose count and node are known, its nodes per domain
 * of each. */
bool fill_levels(struct build *);
bool fill_pool_levels(struct build *, size_t index, const cJSON *entry, struct scen_pool *);

/* The spot offer `value` at `path`; NULL: the pool is not spot capacity. */
bool fill_spot(struct build *, const char *path, const cJSON *value, struct scen_pool *);

/* The `elastic` terms of the pool `entry` at `path`, and the nodes that `events` add to it; sets
 * its count. */
bool fill_elastic(struct build *, const char *path, const cJSON *entry, struct scen_pool *);

struct sim_change;
struct sim_moment;

/* When the nodes of a reserved pool are there. */
bool fill_reservation(struct build *, size_t pool, struct sim_change *);

/* A time of the run, a date, or a time of the week. */
bool fill_moment(struct build *, const char *path, const cJSON *value, struct sim_moment *);

const char *fill_option(struct build *, const cJSON *value); /* of SCHEMA_OPTION, as text */

/* The scenario in memory, as scenario_load() does with a file; for tests and fuzzing. */
bool scenario_parse(struct scenario **, const char *name, const char *text, size_t n,
                    const struct scen_overrides *, bool files, struct err *err);

/* The quotas by pool of a queue (`gpu.by_pool`), which stands in the scenario behind those before
 * it. */
bool fill_pool_quotas(struct build *, const char *path, const cJSON *list, struct scen_queue *);

struct sim_change;

/* The quotas of the queue's `gpu.by_pool` that a planned change sets; `path` is that of the change.
 */
bool fill_pool_changes(struct build *, const char *path, const cJSON *list,
                       const struct scen_queue *, struct sim_change *);

#endif
