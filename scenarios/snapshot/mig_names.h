/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names of MIG profiles: "3g.40gb" is an instance with 3 of the 7 compute slices of a device and 40
 * GB of its memory, which has 8 slices. The compute slices determine the memory slices:
 *
 *     1g 1    2g 2    3g 4    4g 4    7g 8       (NVIDIA MIG user guide, A100, H100 and later)
 *
 * with one exception: there is a 1g profile with twice the memory ("1g.20gb" beside "1g.10gb"),
 * which occupies 2. "1g.10gb+me" (with media extensions) is of the same size as "1g.10gb".
 */
#ifndef SCENARIOS_SNAPSHOT_MIG_NAMES_H
#define SCENARIOS_SNAPSHOT_MIG_NAMES_H

#include "scenarios/snapshot/name_set.h"

#include <stdbool.h>
#include <stdint.h>

struct mig_profile {
    int compute_slices, memory_slices, memory_gb;
};

/* Returns false if it is not the name of a profile. */
bool mig_parse(const char *name, struct mig_profile *);

/* The same for a name from a set of valid ones, whose smallest 1g profile is known. */
struct mig_profile mig_of(const struct name_set *profiles, const char *name);

/* What instances use in total; zero-initialised. */
struct mig_total {
    int64_t compute, memory;
    int64_t halves; /* instances of more than half a device's compute slices: 4g and 7g */
};

/* Adds `count` instances of a profile; names that are not profiles add nothing. */
void mig_total_add(struct mig_total *, const char *name, int64_t count);

/*
 * Returns NULL if so many devices can have these instances: each has 7 compute slices, 8 memory
 * slices and room for one 4g or 7g. Otherwise returns what is missing. Which positions on a device
 * can be combined is not checked.
 */
const char *mig_total_lacks(const struct mig_total *, int64_t devices);

#endif
