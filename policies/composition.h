/* SPDX-License-Identifier: MIT */
/*
 * Which compositions make no sense. Any order, queue order, placement, unit, set of actions and
 * backfill go together, but for those that a rule of one table refuses. Each rule is a question to
 * the configuration and the sentence that is said when it holds: it names the options that do not
 * go together, and what to set instead.
 */
#ifndef POLICY_COMPOSITION_H
#define POLICY_COMPOSITION_H

#include "state/engine.h"

/* The sentence of the first rule that refuses the configuration; NULL: it may run. */
const char *pc_composition_wrong(const struct policy_config *);

#endif
