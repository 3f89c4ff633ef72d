/* SPDX-License-Identifier: MIT */
/* Queries the slurmctld found through SLURM_CONF or Slurm's own rules, and converts the answer to a
 * view. */
#ifndef ADAPTERS_SLURM_LOAD_H
#define ADAPTERS_SLURM_LOAD_H

#include "policies/adapters/slurm/view.h"

/* Prefixes of the admin comment of jobs held by job_submit.lua, and of jobs taken by the
 * adapter. */
#define LOAD_FRESH "fauxfleet new"
#define LOAD_TAKEN "fauxfleet submit="

/* Returns false if the slurmctld does not answer; *why is then a static text of Slurm's. On success
 * the view must be freed. */
bool load_view(struct view *, const char **why);

#endif
