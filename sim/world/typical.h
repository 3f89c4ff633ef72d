/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Typical tasks for policies that want to know what the workload is made of (fgd): those of the
 * fill curve (see report/measure/frag.h), the kinds that make up 95 %.
 *
 *     packing study    of the whole list, before it is put in order and lengthened
 *     replay           of all jobs of its traces and generators, which are read ahead once for that
 *     snapshot         of all its tasks that are not over
 *
 * Of more than POLICY_MAX_TYPICAL kinds the commonest are told.
 */
#ifndef SIM_WORLD_TYPICAL_H
#define SIM_WORLD_TYPICAL_H

#include "scenarios/snapshot/snapshot.h"
#include "sim/world/simulation.h"

/* For an opened workload and a chosen policy: into s->typical and the configuration. Nothing when
 * it is not wanted. */
bool typical_find(struct simulation *, struct sim_config *, struct err *);

/* Tells the policy of a snapshot's tasks; nothing when the policy does not want to know. */
bool typical_tell(struct policy *, const struct policy_config *, const struct snapshot *,
                  struct err *);

#endif
