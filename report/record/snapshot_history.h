/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the policy remembers, in a snapshot (scenarios/snapshot/history.h has the keys). */
#ifndef REPORT_RECORD_SNAPSHOT_HISTORY_H
#define REPORT_RECORD_SNAPSHOT_HISTORY_H

#include "policies/policy.h"
#include "sim/base/out.h"

/* Names for the numbers of a policy; NULL: it has none, and what is remembered of it is left out.
 */
struct snapshot_names {
    const void *of;
    const char *(*job)(const void *of, policy_job);
    const char *(*queue)(const void *of, policy_queue);
    const char *(*node)(const void *of, policy_node);
    const char *(*user)(const void *of, uint32_t); /* of a number that is not 0 */
};

/* The elements of the list, one a line. */
void snapshot_history(const struct policy *, const struct snapshot_names *, struct out *);

#endif
