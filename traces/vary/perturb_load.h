/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Load by users: changes the GPU time of a list of picks over the same span, for perturb.c. */
#ifndef TRACES_VARY_PERTURB_LOAD_H
#define TRACES_VARY_PERTURB_LOAD_H

#include "sim/base/rng.h"
#include "traces/vary/crowd.h"

/*
 * Scales the GPU time of the picks to `load` times. *copies is the number of copies made so far. A
 * note says so if the result is not within PERTURB_LOAD_WITHIN, since no job is small enough.
 */
#define PERTURB_LOAD_WITHIN 0.005
void perturb_load(struct picked *, double load, struct rng_stream *, uint32_t *copies);

#endif
