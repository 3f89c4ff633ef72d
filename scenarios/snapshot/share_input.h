/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The input of `shares`: a capacity, and queues with their requests, read from JSON. Queues are
 * like those of a snapshot (with `request`) and may be in any order. Checks and error messages are
 * the same too.
 *
 *     {"fauxfleet_shares": 1, "capacity": {"gpu": 8000}, "queues": [{"name": "a", "request":
 *     {"gpu": 4000}}]}
 *
 * share_input_divide() asks the policy core. Everything is owned by the input.
 */
#ifndef SCENARIOS_SNAPSHOT_SHARE_INPUT_H
#define SCENARIOS_SNAPSHOT_SHARE_INPUT_H

#include "scenarios/snapshot/snapshot.h"

struct share_input {
    const char *file;
    struct policy_amounts capacity;
    int64_t usage_k_ppm;
    const struct snap_queue *queues; /* as in the file */
    size_t queue_count;
    struct policy_amounts *fair_share; /* by queue, after the division; 0 for a dropped queue */
    struct policy_amounts remaining;   /* what the roots leave */
};

bool share_input_load(struct share_input **, const char *path, struct err *err);
bool share_input_parse(struct share_input **, const char *name, const char *text, size_t n,
                       struct err *err);
void share_input_destroy(struct share_input *); /* NULL is allowed */

bool share_input_divide(struct share_input *, struct policy_allocator, struct err *err);

#endif
