/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A job of a snapshot for a policy core: roles as runs of equal tasks, groups, constraints, and
 * names as numbers. A job without a queue includes only the tasks that hold devices. The queue is
 * left unset.
 */
#ifndef SCENARIOS_SNAPSHOT_DRAFT_H
#define SCENARIOS_SNAPSHOT_DRAFT_H

#include "scenarios/snapshot/names.h"

/* Numbers of names: by their place in the sets of `names`, or from a function. */
struct snap_numbers {
    const struct snap_names *names;
    const uint32_t *type_ids, *profile_ids; /* by place; NULL: the place itself */
    uint32_t first_label;                   /* added to the places of keys and values of labels */
};

/* The arrays that the spec refers to live as long as the draft. */
struct snap_draft {
    struct policy_job_spec spec;
    struct policy_role *roles;
    struct policy_group *groups;
    int32_t *instances; /* POLICY_MAX_PROFILES entries for each role that requests any */
    struct policy_term *terms;
    uint32_t *values;
    size_t term_count, value_count;
};

void snap_draft_init(struct snap_draft *, const struct snap_numbers *, const struct snapshot *,
                     const struct snap_job *);
void snap_draft_fini(struct snap_draft *);

#endif
