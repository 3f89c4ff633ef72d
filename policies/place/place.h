/* SPDX-License-Identifier: MIT */
/*
 * Placements: which of the nodes that fit a task gets. A new one is one file here with its row,
 * `pc_place_NAME`, and one line in the table below: see docs/extending.md. What fits, and which
 * devices of the node the task takes, is the engine's business and the same for all:
 * place/choose.h.
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
 * A row with an index may answer by it (`search`); it must find the very node that rating each of
 * them finds.
 *
 * Rows read the node that they are given and nothing else of the fleet's state, so that a copy of a
 * node as it will be at some time may be rated like one as it is.
 */
#ifndef POLICY_PLACE_PLACE_H
#define POLICY_PLACE_PLACE_H

#include "base/bits.h"
#include "place/topology.h"
#include "state/engine.h"
#include "state/state.h"

/* When a task may have the place that it gets. */
enum pc_when {
    PC_AT_ONCE = 0,  /* it starts there now; a node where it only fits after release is no place */
    PC_SOONEST = 1,  /* it starts there now, or is nominated where it fits after release */
    PC_NOMINATED = 2 /* it is nominated, even where it would fit now */
};

/* One task looking for a node. */
struct pc_ask {
    struct policy *p;
    const struct pc_request *request;
    uint32_t job, task;
    const struct pc_area *area; /* of its topology constraints; only these nodes, */
    uint32_t
        set; /* and of them only those of its queue's pool set: this one of cluster.pool_sets */
    const struct pc_pool_set *pools;
    bool now_only;  /* no nominations: a node where it only fits after release does not fit */
    bool remainder; /* a smaller task of a gang whose other tasks take whole nodes */
    bool reserves; /* devices are reserved for build sessions somewhere: see place/session_reserve.h
                    */
    bool binds;    /* what fits on a node may not be for this task: see pc_spares() */
    uint64_t draw; /* the number of the task's draw, for placements that choose at random */
};

/* How good a node is for a task that fits there. All zero but `of`, which is 1: every node is as
 * good as any other. */
struct pc_rating {
    int64_t attraction;
    int64_t score;
    int64_t part, of; /* of > 0 */
};

enum pc_placement_traits {
    PC_KEEPS_SCORES = 1,  /* a rating is a score alone, of node and request: see place/scores.h */
    PC_WANTS_TYPICAL = 2, /* wants to know the typical tasks, of policy_set_typical_tasks() */
    PC_COUNTS_ONLY = 4,   /* devices of a pool are only counted: no nodes, no rate */
    /* gangs without a constraint prefer the smallest domain: see place/near_areas.h */
    PC_GANGS_NEAR = 8,
    PC_COUNTS_KINDS = 16, /* wants to know how many tasks of each kind a node has */
    PC_WALKS_FREE = 32,   /* walks the lists of nodes by free devices, pc_pool_set.by_free */
    /* walks the lists of all nodes by devices free after release, cluster.by_soon */
    PC_WALKS_SOON = 64,
};

/* the index does not cover what is asked: every node is rated */
#define PC_NOT_COVERED (PC_NONE - 1)

struct pc_placement {
    struct policy_row row;
    /* Fills the rating (it is all zero, `of` 1) of a node that the task fits. NULL: `search` alone
     * decides, always. */
    void (*rate)(const struct pc_ask *, const struct pc_node *, struct pc_rating *);
    /*
     * The rank of the best node that will do (pc_will_do()), by an index; PC_NONE: none will. NULL:
     * no index. With `rate` it is not called where the area has scores.
     */
    uint32_t (*search)(const struct pc_ask *);
    /*
     * For a task that wants parts of devices: which of the `open` ones, which have room for the
     * part. NULL: the fullest, or as the option device_placement says.
     */
    uint64_t (*share_devices)(const struct pc_ask *, const struct pc_node *, uint64_t open);
    const struct pc_module *module; /* what it remembers, or NULL */
    uint32_t traits;                /* enum pc_placement_traits */
};

/* policy_config.placement is a number in this table. A new row stands at its end. */
#define PC_PLACEMENTS(ROW)                                                                         \
    ROW(count)                                                                                     \
    ROW(first_fit)                                                                                 \
    ROW(best_fit)                                                                                  \
    ROW(consolidated)                                                                              \
    ROW(binpack)                                                                                   \
    ROW(spread)                                                                                    \
    ROW(random)                                                                                    \
    ROW(fgd_best_fit)                                                                              \
    ROW(fgd)                                                                                       \
    ROW(fgd_exact)                                                                                 \
    ROW(dot_product)                                                                               \
    ROW(gpu_packing)                                                                               \
    ROW(gpu_clustering)                                                                            \
    ROW(least_allocated)                                                                           \
    ROW(most_allocated)                                                                            \
    ROW(topology)

#define PC_DECLARE_PLACEMENT(name) extern const struct pc_placement pc_place_##name;
PC_PLACEMENTS(PC_DECLARE_PLACEMENT)
#undef PC_DECLARE_PLACEMENT

/* In no table: binpack of quota schedulers, which packs and spreads by options, and that of a
 * plugin. */
extern const struct pc_placement pc_place_packed;
extern const struct pc_placement pc_place_plugin;

extern const struct pc_placement *const pc_placements[];

/* The placement of a configuration. */
const struct pc_placement *pc_placement_of(const struct policy_config *);

/* A node by its rank. */
static inline const struct pc_node *pc_ranked(const struct policy *p, uint32_t rank)
{
    return &p->cluster->nodes[p->node_of_rank[rank]];
}

/* ---- searches that several placements share: common.c ---- */

/*
 * True if the lists of the pool set (by_free, shared) say what rating by pc_whole_left() says:
 * where nothing is nominated they list idle devices, else devices after release.
 */
bool pc_lists_tell(const struct pc_ask *);

/*
 * The first node of the list that will do; a node where the task only fits after release is no more
 * than remembered in *soon (unless one is there already), since one where it fits now may follow.
 */
uint32_t pc_first_in(const struct pc_ask *, const struct pc_bits *list, uint32_t *soon);

/* The node with the fewest (most) wholly free devices that will do, from `least` on, the first of
 * equals. */
uint32_t pc_fewest_free(const struct pc_ask *, int32_t least);
uint32_t pc_most_free(const struct pc_ask *, int32_t least);

/* Of nodes where shared devices alone have room for the share (pc_fits_shared_only()): the best
 * that will do, or PC_NONE. */
uint32_t pc_best_shared(const struct pc_ask *,
                        void (*rate)(const struct pc_ask *, const struct pc_node *,
                                     struct pc_rating *));

/* True if a task that wants a share fits on devices that are shared already. */
bool pc_fits_shared_only(const struct pc_ask *, const struct pc_node *);

#endif
