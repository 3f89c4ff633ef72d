/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Load by people: perturb.c's change of the GPU time that a list of picks asks for, over the same
 * span. */
#ifndef TRACES_VARY_PERTURB_LOAD_H
#define TRACES_VARY_PERTURB_LOAD_H

#include "sim/base/rng.h"
#include "traces/vary/crowd.h"

/*
 * Makes the picks ask for `load` times their GPU time. *copies numbers the copies that were made so
 * far. What is not met within PERTURB_LOAD_WITHIN, since no job is small enough, is noted in the
 * trace's notes.
 */
#define PERTURB_LOAD_WITHIN 0.005
void perturb_load(struct picked *, double load, struct rng_stream *, uint32_t *copies);

#endif
