/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The names in a snapshot that affect decisions, which the policy core knows by number. */
#ifndef SCENARIOS_SNAPSHOT_NAMES_H
#define SCENARIOS_SNAPSHOT_NAMES_H

#include "scenarios/snapshot/snapshot.h"

struct snap_names {
    struct name_set labels;     /* requested keys, and all values of these keys, in one set */
    struct name_set label_keys; /* these keys only */
    struct name_set types;      /* of devices: of nodes, and those that tasks request */
    struct name_set profiles;   /* MIG */
    struct name_set pools;
    uint32_t *pool_numbers; /* by place in `pools`: ordered by the ranks of their first nodes */
    struct name_set users;  /* of jobs and of recorded usage; "": none */
    char **texts;           /* names that are parts of other texts; owned */
    size_t text_count, text_capacity;
    bool *topologies; /* by index: it is reported to the policy */
};

/*
 * With all_topologies, unused ones are included. Returns false if there are more than the core can
 * number.
 */
bool snap_names_init(struct snap_names *, const struct snapshot *, bool all_topologies,
                     struct err *err);
void snap_names_fini(struct snap_names *);

/* Returns the number of a pool that has nodes. */
uint32_t snap_pool(const struct snap_names *, const char *name);

/* Returns the number of a user; 0 for "". */
uint32_t snap_user(const struct snap_names *, const char *name);

/* Returns the set of the types listed with '|' between them; 0 for "". */
uint64_t snap_types(const struct snap_names *, const char *listed);

#endif
