/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The policy's history at the time of a snapshot, as a list with names instead of numbers:
 *
 *     "history": [{"of": "job", "job": "train-17", "at_ms": 86400000, "attained_gpu_us":
 *     3600000000},
 *                 {"of": "user", "queue": "research", "user": "ann", "at_ms": 86400000,
 *                 "used_gpu_100us": 36000000},
 *                 {"of": "draws", "count": 512}]
 *
 * An element is a record of policies/policy.h (see policy_history() for the members each kind
 * uses), in the order in which records are reported. Members that are 0 or false are left out;
 * without "at_ms" it is the snapshot's time. An integer beyond 2^53 is a text. Another policy gets
 * only the records that it accepts.
 */
#ifndef SCENARIOS_SNAPSHOT_HISTORY_H
#define SCENARIOS_SNAPSHOT_HISTORY_H

#include "policies/policy.h"

#define SNAP_HISTORY_KINDS                                                                         \
    "nothing|job|promise|user|priorities|draws|usage|idle|nomination|blocked|decided|stale|"       \
    "evicted|started|"                                                                             \
    "displaced|plugin|module"

struct snap_history {
    struct policy_history record;   /* without job, other, queue, node and user */
    size_t job, other, queue, node; /* by index in the snapshot, or SNAP_NONE */
    const char *user;               /* "" none */
};

enum snap_history_type {
    SNAP_HISTORY_I64,
    SNAP_HISTORY_U64,
    SNAP_HISTORY_U32,
    SNAP_HISTORY_BOOL,
    SNAP_HISTORY_TEXT,
};

/* A member of a record that is a number, true, or a text; the last entry has no key. */
struct snap_history_key {
    const char *key;
    size_t offset;
    enum snap_history_type type;
};
extern const struct snap_history_key snap_history_keys[];

#endif
