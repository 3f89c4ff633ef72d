/* SPDX-License-Identifier: MIT */
/* Carries out orders: each is one request to the slurmctld. Requires a Slurm administrator's or
 * operator's rights. */
#ifndef ADAPTERS_SLURM_SEND_H
#define ADAPTERS_SLURM_SEND_H

#include "policies/adapters/slurm/orders.h"

#include <stdbool.h>

/* Returns false if it was refused; *why is then a static text of Slurm's. */
bool send_order(const struct order *, const char **why);

#endif
