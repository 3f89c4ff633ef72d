/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a policy remembers of the past and a snapshot does not carry. A run that begins with a snapshot under such a policy is
 * a possible future of it, and not the one that the run of which it is a state had.
 */
#ifndef SIM_CLI_START_MEMORY_H
#define SIM_CLI_START_MEMORY_H

#include "scenarios/scenario.h"

/* In words, such as "the service that jobs had attained"; NULL when the scenario begins with nothing, or nothing is lost. */
const char *start_memory(const struct scenario *);

/* Says it on stderr, if there is anything to say. */
void start_memory_note(const struct scenario *);

#endif
