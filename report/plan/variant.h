/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One alternative fleet as people write it (`--fleet`):
 *
 *     fleet = entry { "," entry }
 *     entry = pool [ "=" node ] [ ":" count ]
 *
 *     main                         the pool as it is, its number of nodes to be found
 *     main=dgx-b200                B200 in place of what it has
 *     new=dgx-b200                 all pools as they are, and a new one
 *     main=dgx-a100,new=dgx-b200   both; nodes are added to them in turn
 *     main:16,new=dgx-b200         main keeps 16 nodes
 *     *                            all pools of the scenario in proportion to what they have
 *
 * A node is a row of `list nodes`. Entries with a count stay; the nodes of the others are to be
 * found. Pools that are not named stay as in the scenario. A variant owns its texts.
 */
#ifndef REPORT_PLAN_VARIANT_H
#define REPORT_PLAN_VARIANT_H

#include "sim/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define VARIANT_ENTRIES ((size_t)16)

struct variant_entry {
    char *pool, *node; /* node NULL: as the pool has */
    int64_t count;     /* -1: to be found */
};

struct variant {
    char *text; /* as it was given */
    struct variant_entry entries[VARIANT_ENTRIES];
    size_t count;
    size_t growing; /* entries whose count is to be found, at least 1 unless `all` */
    bool all;       /* "*"; there are no entries */
};

/* False with err set (EXIT_INPUT); nothing is to be freed then. */
bool variant_parse(struct variant *, const char *text, struct err *err);
void variant_fini(struct variant *); /* a zeroed one is fine */

/* Nodes of an entry when `nodes` are to be spread over the growing ones: the first ones get what is
 * over. */
int64_t variant_nodes(const struct variant *, size_t entry, int64_t nodes);

/*
 * The same for "*": nodes of a pool that has `own` of `all` nodes, those before it `before`. So
 * rounded that they add up, and that `all` nodes are those that are there.
 */
int64_t variant_share(int64_t before, int64_t own, int64_t all, int64_t nodes);

#endif
