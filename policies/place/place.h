/* SPDX-License-Identifier: MIT */
/*
 * Placements: which of the nodes that fit a task gets. A new one is one file here and one row in placements.c. What
 * fits, and which devices of the node the task takes, is the engine's business and the same for all: place/choose.h.
 *
 * A row says how good a node is (`rate`). Nodes are compared by, first difference decides:
 *
 *     the score of the area     nearness, where a topology level is preferred (place/topology.h)
 *     attraction                larger first
 *     fits now                  before fits after release
 *     score                     larger first
 *     part / of                 larger first
 *     rank                      smaller first
 *
 * A row with an index may answer by it (`search`); it must find the very node that rating each of them finds.
 *
 * Rows read the node that they are given and nothing else of the fleet's state, so that a copy of a node as it will be
 * at some time may be rated like one as it is.
 */
#ifndef POLICY_PLACE_PLACE_H
#define POLICY_PLACE_PLACE_H

#include "base/bits.h"
#include "cluster/state.h"
#include "core/state.h"
#include "place/topology.h"

/* When a task may have the place that it gets. */
enum pq_when {
    PQ_AT_ONCE = 0,  /* it starts there now; a node where it only fits after release is no place */
    PQ_SOONEST = 1,  /* it starts there now, or is nominated where it fits after release */
    PQ_NOMINATED = 2 /* it is nominated, even where it would fit now */
};

/* One task looking for a node. */
struct pq_ask {
    struct policy *p;
    const struct pq_request *request;
    uint32_t job, task;
    const struct pq_area *area; /* of its topology constraints; only these nodes, */
    uint32_t set; /* and of them only those of its queue's pool set: this one of cluster.pool_sets */
    const struct pq_pool_set *pools;
    bool now_only;  /* no nominations: a node where it only fits after release does not fit */
    bool remainder; /* a smaller task of a gang whose other tasks take whole nodes */
    bool reserves;  /* devices are reserved for build sessions somewhere: see place/kept.h */
    uint64_t draw;  /* the number of the task's draw, for placements that choose at random */
};

/* How good a node is for a task that fits there. All zero but `of`, which is 1: every node is as good as any other. */
struct pq_rating {
    int64_t attraction;
    int64_t score;
    int64_t part, of; /* of > 0 */
};

enum pq_placement_traits {
    PQ_KEEPS_SCORES = 1,  /* a rating is a score alone, of node and request: see place/scores.h */
    PQ_WANTS_TYPICAL = 2, /* wants to know the typical tasks, of policy_set_typical_tasks() */
    PQ_COUNTS_ONLY = 4,   /* devices of a pool are only counted: no nodes, no rate */
    PQ_GANGS_NEAR = 8,    /* gangs without a constraint prefer the smallest domain: see place/near_areas.h */
    PQ_COUNTS_KINDS = 16, /* wants to know how many tasks of each kind a node has */
    PQ_WALKS_FREE = 32,   /* walks the lists of nodes by free devices, pq_pool_set.by_free */
    PQ_WALKS_SOON = 64,   /* walks the lists of all nodes by devices free after release, cluster.by_soon */
};

#define PQ_NOT_COVERED (PC_NONE - 1) /* the index does not cover what is asked: every node is rated */

struct pq_placement {
    struct policy_row row;
    /* Fills the rating (it is all zero, `of` 1) of a node that the task fits. NULL: `search` alone decides, always. */
    void (*rate)(const struct pq_ask *, const struct pq_node *, struct pq_rating *);
    /*
     * The rank of the best node that will do (pq_will_do()), by an index; PC_NONE: none will. NULL: no index. With `rate`
     * it is not called where the area has scores.
     */
    uint32_t (*search)(const struct pq_ask *);
    /*
     * For a task that wants parts of devices: which of the `open` ones, which have room for the part. NULL: the fullest,
     * or as the option device_placement says.
     */
    uint64_t (*share_devices)(const struct pq_ask *, const struct pq_node *, uint64_t open);
    const struct pc_module *module; /* what it remembers, or NULL */
    uint32_t traits;                /* enum pq_placement_traits */
};

extern const struct pq_placement pq_place_count;
extern const struct pq_placement pq_place_first_fit;
extern const struct pq_placement pq_place_best_fit;
extern const struct pq_placement pq_place_consolidated;
extern const struct pq_placement pq_place_binpack;
extern const struct pq_placement pq_place_spread;
extern const struct pq_placement pq_place_random;
extern const struct pq_placement pq_place_fgd_best_fit;
extern const struct pq_placement pq_place_fgd;
extern const struct pq_placement pq_place_fgd_exact;
extern const struct pq_placement pq_place_dot_product;
extern const struct pq_placement pq_place_gpu_packing;
extern const struct pq_placement pq_place_gpu_clustering;
extern const struct pq_placement pq_place_least_allocated;
extern const struct pq_placement pq_place_most_allocated;
extern const struct pq_placement pq_place_topology;
extern const struct pq_placement pq_place_packed;
extern const struct pq_placement pq_place_plugin;

extern const struct pq_placement *const pq_placements[];

/* The placement of a configuration. */
const struct pq_placement *pq_placement_of(const struct policy_config *);

/* A node by its rank. */
static inline const struct pq_node *pq_ranked(const struct policy *p, uint32_t rank)
{
    return &p->cluster->nodes[p->node_of_rank[rank]];
}

/* ---- searches that several placements share: common.c ---- */

/*
 * Whether the lists of the pool set (by_free, shared) say what rating by pq_whole_left() says: where nothing is nominated
 * they list idle devices, else devices after release.
 */
bool pq_lists_tell(const struct pq_ask *);

/*
 * The first node of the list that will do; a node where the task only fits after release is no more than remembered in
 * *soon (unless one is there already), since one where it fits now may follow.
 */
uint32_t pq_first_in(const struct pq_ask *, const struct pc_bits *list, uint32_t *soon);

/* The node with the fewest (most) wholly free devices that will do, from `least` on, the first of equals. */
uint32_t pq_fewest_free(const struct pq_ask *, int32_t least);
uint32_t pq_most_free(const struct pq_ask *, int32_t least);

/* Of nodes where shared devices alone have room for the share (pq_fits_shared_only()): the best that will do, or PC_NONE. */
uint32_t pq_best_shared(const struct pq_ask *,
                        void (*rate)(const struct pq_ask *, const struct pq_node *, struct pq_rating *));

/* Whether a task that wants a share fits on devices that are shared already. */
bool pq_fits_shared_only(const struct pq_ask *, const struct pq_node *);

/* ---- the placements of presets that are not ported yet ---- */

/* The lowest rank of the set at which the request fits, or PC_NONE. */
uint32_t pc_first_fitting(const struct policy *, const struct pc_bits *, const struct pc_request *);

static inline bool pc_wants_share(const struct pc_request *r)
{
    return r->devices > 0 && r->milli < POLICY_WHOLE;
}

#endif
