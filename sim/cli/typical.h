/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Typical tasks for policies that want to know what the workload is made of (fgd). They are those of the fill curve (see
 * report/frag.h): of a packing study the whole list; of a replay all jobs of its traces and generators, which are read
 * ahead once for that. Of more than POLICY_MAX_TYPICAL kinds the commonest are told.
 */
#ifndef SIM_CLI_TYPICAL_H
#define SIM_CLI_TYPICAL_H

#include "sim/cli/simulate.h"

/* For an opened workload and a chosen policy: into s->typical and the configuration. Nothing when it is not wanted. */
bool typical_find(struct simulation *, struct sim_config *, struct err *);

#endif
