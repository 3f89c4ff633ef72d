/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The policy's history in a snapshot (scenarios/snapshot/history.h has the keys). */
#ifndef REPORT_RECORD_SNAPSHOT_HISTORY_H
#define REPORT_RECORD_SNAPSHOT_HISTORY_H

#include "policies/policy.h"
#include "sim/base/out.h"

/* Names for the policy's numbers; NULL: no name, and records about it are left out. */
struct snapshot_names {
    const void *of;
    const char *(*job)(const void *of, policy_job);
    const char *(*queue)(const void *of, policy_queue);
    const char *(*node)(const void *of, policy_node);
    const char *(*user)(const void *of, uint32_t); /* never called with 0 */
};

/* Prints the elements of the list, one per line. */
void snapshot_history(const struct policy *, const struct snapshot_names *, struct out *);

#endif
