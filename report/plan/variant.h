/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One alternative fleet as users write it (`--fleet`):
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
 * A node is a row of `list nodes`. Entries with a count are fixed; the number of nodes of the
 * others is searched. Pools that are not named stay as in the scenario. A variant owns its texts.
 */
#ifndef REPORT_PLAN_VARIANT_H
#define REPORT_PLAN_VARIANT_H

#include "sim/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define VARIANT_ENTRIES ((size_t)16)

struct variant_entry {
    char *pool, *node; /* node NULL: the pool's own */
    int64_t count;     /* -1: searched */
};

struct variant {
    char *text; /* as given */
    struct variant_entry entries[VARIANT_ENTRIES];
    size_t count;
    size_t growing; /* entries without a count, at least 1 unless `all` */
    bool all;       /* "*"; there are no entries */
};

/* Returns false with err set (EXIT_INPUT); then there is nothing to free. */
bool variant_parse(struct variant *, const char *text, struct err *err);
void variant_fini(struct variant *); /* may be zeroed */

/*
 * Returns an entry's nodes if `nodes` are spread over the growing entries; the first ones get the
 * remainder.
 */
int64_t variant_nodes(const struct variant *, size_t entry, int64_t nodes);

/*
 * The same for "*": the nodes of a pool that has `own` of `all` nodes, with `before` in the pools
 * before it. Rounded so that the pools add up to `nodes`, and that `all` nodes give today's fleet.
 */
int64_t variant_share(int64_t before, int64_t own, int64_t all, int64_t nodes);

#endif
