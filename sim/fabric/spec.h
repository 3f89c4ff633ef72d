/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a fabric is: a row of the fabric catalogue, or a user's own network. There are two ways to
 * say it.
 *
 * Generated, rail-optimised: nodes come in scalable units; each node has one port on each of
 * `rails` rails, and each rail of a group of `leaf_nodes` nodes ends in one leaf switch. Leaf
 * switches go up to spines, these to cores, as many as it takes (plan.h). The levels core, pod and
 * leaf follow from that.
 *
 *        core          core            levels: core   nodes that reach each other at all
 *        /   \         /   \                   pod    nodes below the same spines
 *    spine   spine spine   spine               leaf   nodes below the same leaf switches, one for
 *                                                     each rail
 *      |   X   |     |   X   |                 rack, nvlink, ...: as given, no switches of this
 *                                              network
 *    leaf     leaf  leaf    leaf
 *    nodes    nodes nodes   nodes
 *
 * As a tree: the nodes in one domain of each level are given, and at which levels switches stand
 * and how much their uplinks are oversubscribed.
 *
 * A spec owns nothing: the caller owns its texts. fabric_check() checks that the figures fit
 * together; all other functions of this folder expect that.
 */
#ifndef SIM_FABRIC_SPEC_H
#define SIM_FABRIC_SPEC_H

#include "sim/base/err.h"

#include <stdbool.h>
#include <stdint.h>

#define FABRIC_GIVEN     8  /* levels that a spec may give */
#define FABRIC_LEVELS    11 /* with core, pod and leaf */
#define FABRIC_INSTALLED 8
#define FABRIC_NAME      24
#define FABRIC_NODES_MAX 4194304

/*
 * A level and the size of its domains. Oversubscription o:1 is that of the switches of one domain:
 * what comes up from below, divided by their uplinks. 0: no switches stand at this level (a rack of
 * a rail-optimised fabric).
 */
struct fabric_level {
    char name[FABRIC_NAME];
    int64_t nodes; /* in one domain, 1..FABRIC_NODES_MAX */
    double oversubscription;
};

/* Switches of a complete fabric. */
struct fabric_counts {
    int64_t units, leaf, spine, core;
};

struct fabric_spec {
    const char *name;    /* "" when inline */
    const char *summary; /* "" none */

    int64_t unit_nodes;  /* in one scalable unit; 0: a tree, nothing is generated */
    int64_t leaf_nodes;  /* below one leaf switch; divides the unit evenly */
    int64_t spare_slots; /* node slots used for something else: one for the fabric manager of DGX
                            H100 */
    int rails;           /* ports of a node, each to a leaf switch of its own */
    int radix;           /* ports of a switch */
    int max_tiers;       /* of switches, 1..3 */
    double leaf_over, pod_over; /* oversubscription of leaf and spine switches, 1 none */
    struct fabric_counts
        installed[FABRIC_INSTALLED]; /* installed switches where they differ from the formula */
    int installed_count;

    double nic_gbit; /* Gbit/s of one port, for information; 0 not said */
    double ecmp; /* share of the uplinks that flows reach, whatever the balance between paths: 0 <
                    ecmp <= 1 */

    struct fabric_level
        levels[FABRIC_GIVEN]; /* from the top; generated: in addition to core, pod and leaf */
    int level_count;
};

/* Levels of fabrics that have a place of their own, from the top; NULL at the end. Others go by the
 * size of their domains. */
extern const char *const fabric_usual_levels[];

/* Adds a level where it belongs; false when there is no room. */
bool fabric_add_level(struct fabric_level *levels, int *count, int room,
                      const struct fabric_level *);

/* Returns false with err set if domains of a level are not whole numbers of domains of the next. */
bool fabric_check_nesting(const struct fabric_level *levels, int count, struct err *err);

/* False with a message, without the name of the fabric, when its figures contradict each other. */
bool fabric_check(const struct fabric_spec *, struct err *err);

#endif
