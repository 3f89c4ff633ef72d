/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The names of a snapshot that the policy core knows by number, as far as they have a bearing on
 * its decisions. */
#ifndef SCENARIOS_SNAPSHOT_NAMES_H
#define SCENARIOS_SNAPSHOT_NAMES_H

#include "scenarios/snapshot/snapshot.h"

struct snap_names {
    struct name_set
        labels; /* keys that somebody asks for, and all values of those keys, in one set */
    struct name_set label_keys; /* those keys alone */
    struct name_set types;      /* of devices: of nodes, and those that tasks ask for */
    struct name_set profiles;   /* MIG */
    struct name_set pools;
    uint32_t *pool_numbers; /* by place in `pools`: in the order of their first nodes by rank */
    struct name_set users;  /* of jobs and of recorded usage; "" is none */
    char **texts;           /* names that are parts of other texts, owned here */
    size_t text_count, text_capacity;
    bool *topologies; /* by index: it is told to the policy */
};

/* With all_topologies unused ones count, too. False when there are more than the core can number.
 */
bool snap_names_init(struct snap_names *, const struct snapshot *, bool all_topologies,
                     struct err *err);
void snap_names_fini(struct snap_names *);

/* The number of a pool that has nodes. */
uint32_t snap_pool(const struct snap_names *, const char *name);

/* The number of a user: 0 for "". */
uint32_t snap_user(const struct snap_names *, const char *name);

/* The set of the types that are listed with '|' between them; 0 for "". */
uint64_t snap_types(const struct snap_names *, const char *listed);

#endif
