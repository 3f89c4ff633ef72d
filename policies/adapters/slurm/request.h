/* SPDX-License-Identifier: MIT */
/*
 * A Slurm job's request in terms of the policy core: a gang of equal tasks, one per node.
 *     --gpus-per-node=8 -N4  4 nodes of 8         --gpus=4    one node, 4
 *     --gpus=32              4 nodes of 8         --gpus=12   refused: 8 + 4 or 6 + 6?
 *     --gpus-per-node=2 -N3  3 whole nodes, because the core could place two of three parts on
 *                            one node
 *     --exclusive            whole nodes
 *
 * The core decides on nodes and numbers of GPUs; Slurm chooses the GPUs of a node. So the core's
 * devices are not GPUs with an index here, only a count.
 */
#ifndef ADAPTERS_SLURM_REQUEST_H
#define ADAPTERS_SLURM_REQUEST_H

#include "policies/adapters/slurm/names.h"
#include "policies/adapters/slurm/view.h"

#define REQUEST_TERMS 16

/* The context of requests: the fleet, and the numbering of names. */
struct request_world {
    int32_t most_gpus; /* on one node */
    int64_t most_cpus;
    bool counts_cpus, counts_memory;
    struct names types;  /* GPU types: at most 64 */
    struct names labels; /* keys, "feature X" and "partition X"; the only value is 0 */
};

struct request {
    uint32_t nodes;
    int32_t gpus; /* per node */
    int64_t cpu_milli, mem_mib;
    uint64_t types; /* set; 0: any */
    uint32_t labels[REQUEST_TERMS];
    uint32_t label_count;
};

/* Returns false with *why set to a text that tells the user what to change, if the policy core
 * cannot express the request. */
bool request_of(struct request *, struct request_world *, const struct view_job *,
                const char **why);
bool request_same(const struct request *, const struct request *);

uint32_t request_label(struct request_world *, const char *kind, const char *name);
bool request_add_label(struct request *, uint32_t label,
                       const char **why); /* false if it has too many */

#endif
