/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The state of the decision service as a cluster snapshot, for `decide`, `explain`, `whatif` and
 * runs that begin with one. Facts have numbers where a snapshot has names, so what clients named
 * has their names (with "#" and the number where two have the same), and the rest is called by its
 * number:
 *
 *     nodes, queues, jobs  "node-3", "queue-1", "job-7" ("job-7.2": generation 2); tasks
 *                          "job-7-000004"
 *     types, pools, users  "type-0", "pool-1", "user-5"
 *     labels               key and value as ten digits, "0000000003", so that texts are in the
 *                          order of the numbers
 *     topologies           "topology-1"; MIG profiles "3g.40gb", by their slices
 */
#ifndef SIM_SERVE_SNAPSHOT_H
#define SIM_SERVE_SNAPSHOT_H

#include "policies/facts/hash.h"
#include "policies/facts/map.h"
#include "policies/facts/read.h"
#include "sim/base/err.h"
#include "sim/base/json.h"
#include "sim/serve/state.h"

struct service_source {
    const struct service_state *state;
    const struct policy *policy;
    const struct fact_map *map;
    const struct fact_policy *about; /* the policy */
    policy_time now;
};

/* Returns false with err set if it cannot be expressed in a snapshot; what was written by then is
 * not JSON. */
bool service_snapshot(const struct service_source *, struct out *, struct err *);

/*
 * Into the file that the request names as "file"; else onto the end of the answer, as the member
 * "snapshot", in one line. False with err set.
 */
bool service_snapshot_put(const struct service_source *, const cJSON *request, struct text *answer,
                          struct err *);

/* ---- what its files share ---- */

/* A node, queue or job: hash by number and generation. */
struct shot_name {
    uint64_t key;
    char *text;
    int32_t state;                           /* of a node */
    uint64_t unusable;                       /* its devices */
    const struct policy_amounts *usage;      /* of a queue; NULL: none */
    const struct policy_queue_spec *changed; /* of a queue: as it is now; NULL: as it came */
    UT_hash_handle hh;
};

struct shot {
    struct fact_line *lines; /* all facts of the state, in their order */
    size_t count, capacity;
    struct shot_name *nodes, *queues, *jobs;
    uint64_t *ranks; /* of all jobs, rising */
    size_t rank_count;
    char profiles[POLICY_MAX_PROFILES][16]; /* names; "" none */
    const struct fact_map *map;
    policy_time now;
    char *user; /* scratch: the name of one, SHOT_USER bytes */
    struct err *err;
    bool failed;
};
#define SHOT_USER 32

/* snapshot_names.c: all of one kind; NULL: the number is unused. */
void shot_name_all(const struct shot *, int32_t kind, const char *word, struct shot_name **all);
void shot_forget_names(struct shot_name **all);
struct shot_name *shot_find(const struct shot_name *all, uint32_t number, uint32_t gen);
const char *shot_name(const struct shot_name *all, uint32_t number, uint32_t gen);
void shot_constraint(struct shot *, const struct policy_constraint *, struct json *);
void shot_label(char text[16], uint32_t number);

/* snapshot_jobs.c: the job whose fact is line `first`. */
void shot_job(struct shot *, size_t first, struct json *);

#endif
