/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * GPU quotas that exceed the installed devices: the sum of the top-level quotas exceeds the fleet,
 * the sum below a queue exceeds its own, or a quota exceeds the pools to which its queue is bound.
 * This is not an error (a cluster may be oversold on purpose), but worth a note.
 */
#ifndef SCENARIOS_LOAD_QUOTAS_H
#define SCENARIOS_LOAD_QUOTAS_H

#include "scenarios/scenario.h"

enum quota_kind { QUOTA_FLEET, QUOTA_PARENT, QUOTA_POOLS, QUOTA_BY_POOL, QUOTA_KINDS };
extern const char *const quota_kind_names[QUOTA_KINDS]; /* "fleet", "parent", "pools", "by_pool" */

struct quota_excess {
    enum quota_kind kind;
    const struct scen_queue *queue; /* whose children, or whose pools; NULL for the fleet */
    const char *pool; /* QUOTA_BY_POOL: the first of the pools that share the quotas */
    int64_t promised_milli, has_milli; /* in GPUs / 1000 */
};

/* Returns all of them, the fleet's first. Unlimited quotas do not count. The caller frees them. */
struct quota_excess *quota_excesses(const struct scenario *, size_t *count);

/*
 * Returns "quotas exceed the fleet: the top-level queues are promised 144 GPUs in all, and it has
 * 128". The caller frees it.
 */
char *quota_excess_text(const struct quota_excess *);

/* Returns the GPUs of all pools and nodes of the scenario, in thousandths. */
int64_t quota_fleet_milli(const struct scenario *);

#endif
