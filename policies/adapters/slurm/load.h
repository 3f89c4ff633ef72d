/* SPDX-License-Identifier: MIT */
/* Asking a slurmctld: what it says becomes a view. The one that SLURM_CONF, or else Slurm's own
 * rules, lead to. */
#ifndef ADAPTERS_SLURM_LOAD_H
#define ADAPTERS_SLURM_LOAD_H

#include "policies/adapters/slurm/view.h"

/* Begins the admin comment of jobs that job_submit.lua has held, and of those that the adapter has
 * taken. */
#define LOAD_FRESH "fauxfleet new"
#define LOAD_TAKEN "fauxfleet submit="

/* False when the slurmctld does not answer; *why is then a static text of Slurm's. The view is to
 * be freed if true. */
bool load_view(struct view *, const char **why);

#endif
