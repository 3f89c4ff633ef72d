/* SPDX-License-Identifier: MIT */
/*
 * Placements: which of the feasible nodes a task gets. A new one is one file here with its row,
 * `pc_place_NAME`, and one line in the table below: see docs/extending.md. Feasibility and the
 * choice of devices on the node are common to all: place/choose.h.
 *
 * A row rates a node (`rate`). Nodes are compared by, first difference decides:
 *     area score   closeness, if a topology level is preferred (place/topology.h)
 *     attraction   larger first
 *     fits now     before fits after release
 *     score        larger first
 *     part / of    larger first
 *     rank         smaller first
 *
 * A row with an index may answer from it (`search`); it must return the same node as rating every
 * node.
 *
 * Rows only read the node passed to them and nothing else of the fleet's state, so a copy of a node
 * in a future state can be rated as well.
 */
#ifndef POLICY_PLACE_PLACE_H
#define POLICY_PLACE_PLACE_H

#include "base/bits.h"
#include "place/topology.h"
#include "state/engine.h"
#include "state/state.h"

/* When a task may have its place. */
enum pc_when {
    PC_AT_ONCE = 0, /* it starts there now; nodes where it only fits after release do not qualify */
    PC_SOONEST = 1, /* it starts there now, or is nominated where it fits after release */
    PC_NOMINATED = 2 /* it is nominated, even where it would fit now */
};

/* A task looking for a node. */
struct pc_ask {
    struct policy *p;
    const struct pc_request *request;
    uint32_t job, task;
    const struct pc_area *area; /* from its topology constraints; only these nodes, */
    uint32_t
        set; /* and of them only those of its queue's pool set: an index of cluster.pool_sets */
    const struct pc_pool_set *pools;
    bool now_only;  /* no nominations: nodes where it only fits after release do not fit */
    bool remainder; /* the smaller task of a gang whose other tasks take whole nodes */
    bool reserves;  /* some devices are reserved for build sessions: see place/session_reserve.h */
    bool binds;     /* a node that fits may still be unavailable to this task: see pc_spares() */
    uint64_t draw;  /* number of the task's random draw */
};

/* How good a node is for a task that fits there. All zero except `of`, which is 1: all nodes are
 * equal. */
struct pc_rating {
    int64_t attraction;
    int64_t score;
    int64_t part, of; /* of > 0 */
};

enum pc_placement_traits {
    PC_KEEPS_SCORES =
        1, /* the rating is only a score, a function of node and request: see place/fit_index.h */
    PC_WANTS_TYPICAL = 2, /* uses the typical tasks of policy_set_typical_tasks() */
    PC_COUNTS_ONLY = 4,   /* devices of a pool are only counted: no nodes, no rate */
    /* gangs without a constraint prefer the smallest domain: see place/near_areas.h */
    PC_GANGS_NEAR = 8,
    PC_COUNTS_KINDS = 16, /* uses the number of tasks of each kind on a node */
    PC_WALKS_FREE = 32,   /* walks the lists of nodes by free devices, pc_pool_set.by_free */
    /* walks the lists of all nodes by devices free after release, cluster.by_soon */
    PC_WALKS_SOON = 64,
};

/* the index cannot answer the query: every node is rated */
#define PC_NOT_COVERED (PC_NONE - 1)

struct pc_placement {
    struct policy_row row;
    /* Rates a node that the task fits; the rating is preset to all zero, `of` 1. NULL: `search`
     * alone decides, always. */
    void (*rate)(const struct pc_ask *, const struct pc_node *, struct pc_rating *);
    /*
     * Returns the rank of the best feasible node (pc_will_do()), by an index; PC_NONE: none. NULL:
     * no index. With `rate` it is not called if the area has scores.
     */
    uint32_t (*search)(const struct pc_ask *);
    /*
     * For a task that requests parts of devices: chooses among the `open` ones, which have room.
     * NULL: the fullest, or as the option device_placement says.
     */
    uint64_t (*share_devices)(const struct pc_ask *, const struct pc_node *, uint64_t open);
    const struct pc_module *module; /* its state, or NULL */
    uint32_t traits;                /* enum pc_placement_traits */
};

/* policy_config.placement is an index into this table. New rows go at its end. */
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

/* Not in the table: binpack of quota schedulers, which packs and spreads by options, and that of
 * plugins. */
extern const struct pc_placement pc_place_packed;
extern const struct pc_placement pc_place_plugin;

extern const struct pc_placement *const pc_placements[];

/* The placement of a configuration. */
const struct pc_placement *pc_placement_of(const struct policy_config *);

/* The node with this rank. */
static inline const struct pc_node *pc_ranked(const struct policy *p, uint32_t rank)
{
    return &p->cluster->nodes[p->node_of_rank[rank]];
}

/* ---- searches shared by several placements: searches.c ---- */

/*
 * Returns true if the lists of the pool set (by_free, shared) agree with a rating by
 * pc_whole_left(): they list idle devices if nothing is nominated, else devices after release.
 */
bool pc_lists_tell(const struct pc_ask *);

/*
 * Returns the first feasible node of the list where the task fits now; the first one where it only
 * fits after release is stored in *soon (unless that is set), since a later one may fit now.
 */
uint32_t pc_first_in(const struct pc_ask *, const struct pc_bits *list, uint32_t *soon);

/* The feasible node with the fewest (most) wholly free devices, from `least` on; ties: the
 * first. */
uint32_t pc_fewest_free(const struct pc_ask *, int32_t least);
uint32_t pc_most_free(const struct pc_ask *, int32_t least);

/* Among nodes whose shared devices have room for the share (pc_fits_shared_only()): the best
 * feasible one, or PC_NONE. */
uint32_t pc_best_shared(const struct pc_ask *,
                        void (*rate)(const struct pc_ask *, const struct pc_node *,
                                     struct pc_rating *));

/* Returns true if a task that requests a share fits on already shared devices. */
bool pc_fits_shared_only(const struct pc_ask *, const struct pc_node *);

#endif
