/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the name of a MIG profile says: "3g.40gb" is an instance of 3 of the 7 compute slices of a device with 40 GB of
 * its memory, which is divided into 8 slices. How many of those an instance occupies follows from its compute slices:
 *
 *     1g 1    2g 2    3g 4    4g 4    7g 8       (NVIDIA MIG user guide, A100, H100 and later)
 *
 * with one exception: there is a 1g profile with twice the memory ("1g.20gb" beside "1g.10gb"), which occupies 2.
 * "1g.10gb+me" (with media extensions) is of the same size as "1g.10gb".
 */
#ifndef SCENARIOS_MIG_NAMES_H
#define SCENARIOS_MIG_NAMES_H

#include "scenarios/name_set.h"

#include <stdbool.h>

struct mig_profile {
    int compute_slices, memory_slices, memory_gb;
};

/* False when it is not the name of a profile. */
bool mig_parse(const char *name, struct mig_profile *);

/* The same for a name of a set of valid ones, of which the smallest 1g profile is known. */
struct mig_profile mig_of(const struct name_set *profiles, const char *name);

#endif
