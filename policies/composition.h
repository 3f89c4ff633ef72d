/* SPDX-License-Identifier: MIT */
/*
 * Rejects compositions that make no sense. Any order, queue order, placement, unit, set of actions
 * and backfill can be combined unless a rule of one table forbids it. A rule is a predicate on the
 * configuration and its error message, which names the conflicting options and what to set instead.
 */
#ifndef POLICY_COMPOSITION_H
#define POLICY_COMPOSITION_H

#include "state/engine.h"

/* Returns the message of the first rule that rejects the configuration; NULL: it is valid. */
const char *pc_composition_wrong(const struct policy_config *);

#endif
