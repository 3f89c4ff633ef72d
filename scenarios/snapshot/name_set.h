/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names numbered in byte order: the first name in strcmp() order is 0, the next one 1. So a number
 * breaks ties like the name would, which is all that the policy core needs of names.
 *
 *     struct name_set set = {0};
 *     name_set_add(&set, "node10"); name_set_add(&set, "node2"); name_set_add(&set, "node10");
 *     name_set_seal(&set);                         "node10" is 0, "node2" is 1
 *
 * The set does not copy the names, which must outlive it.
 */
#ifndef SCENARIOS_SNAPSHOT_NAME_SET_H
#define SCENARIOS_SNAPSHOT_NAME_SET_H

#include <stddef.h>
#include <stdint.h>

#define NAME_NONE UINT32_MAX

struct name_set {
    const char **names; /* sorted by byte order, without duplicates, once the set is sealed */
    size_t count, capacity;
};

void name_set_add(struct name_set *, const char *name); /* before the set is sealed */
void name_set_seal(struct name_set *);
uint32_t name_set_find(const struct name_set *, const char *name); /* NAME_NONE if absent */
void name_set_fini(struct name_set *);

#endif
