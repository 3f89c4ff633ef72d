/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a policy remembers of the past and the snapshot at hand does not carry: because its author
 * did not record it (key `history`), because another policy decided until then, or because only the
 * library of the policy knows. A run that begins so is a possible future of the snapshot, and not
 * the one that the run of which it is a state had.
 */
#ifndef SIM_WORLD_START_MEMORY_H
#define SIM_WORLD_START_MEMORY_H

#include "scenarios/scenario.h"

/* In words, such as "the attained service of jobs"; NULL when the scenario begins with
 * nothing, or nothing is lost. */
const char *start_memory(const struct scenario *);

/* Says it on stderr, if there is anything to say. */
void start_memory_note(const struct scenario *);

#endif
