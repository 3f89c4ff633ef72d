/* SPDX-License-Identifier: MIT */
/*
 * The only way from the adapter to the policy core: each function tells the core one fact, or asks it to decide, and appends to
 * the journal what was told, one JSON object a line, written whole. A fact that the core refuses is not in the journal.
 *
 *     {"t_ms": 1700000000000, "fact": "job_add", "job": 3, "gen": 0, "id": "12_3", "queue": 1, ...}
 *     {"t_ms": 1700000000000, "fact": "decide", "decisions": 1}
 *     {"t_ms": 1700000000000, "decision": "start", "job": 3, "id": "12_3", "task": 0, "node": 4, "name": "dgx05", ...}
 *
 * Numbers of nodes, queues and jobs are those of the core; sets of devices are decimal texts, as they have 64 bits.
 */
#ifndef ADAPTERS_SLURM_FACTS_H
#define ADAPTERS_SLURM_FACTS_H

#include "policies/policy.h"

#include <stdbool.h>

struct facts {
    struct policy *policy; /* not owned */
    int file;              /* descriptor, or -1: no journal */
    bool news;             /* something was told since the last decision */
    bool broken;           /* a line could not be written: errno is in `error` */
    int error;
};

/* Appends to the file, which is made with mode 0600 if need be; NULL: no journal. False with errno set. */
bool facts_open(struct facts *, const char *path);
void facts_close(struct facts *);

/* From here on facts go to this policy, which knows nothing yet. */
void facts_begin(struct facts *, struct policy *, policy_time, const char *policy_name, const char *options);

policy_node facts_add_node(struct facts *, policy_time, const struct policy_node_spec *, const char *name);
int facts_remove_node(struct facts *, policy_time, policy_node);
int facts_node_state(struct facts *, policy_time, policy_node, int32_t state);
policy_queue facts_add_queue(struct facts *, policy_time, const struct policy_queue_spec *, const char *name);

policy_job facts_submit(struct facts *, policy_time, const struct policy_job_spec *, const char *id);
int facts_cancel(struct facts *, policy_time, policy_job);
int facts_running(struct facts *, policy_time, policy_job, uint32_t task, policy_node, uint64_t devices,
                  policy_time since);
int facts_started(struct facts *, policy_time, policy_job);
int facts_releasing(struct facts *, policy_time, policy_job, uint32_t task);
int facts_start_failed(struct facts *, policy_time, policy_job);
int facts_ended(struct facts *, policy_time, policy_job, int32_t outcome);
int facts_progress(struct facts *, policy_time, policy_job, int64_t remaining_ms);

/*
 * policy_decide(). Without news and decisions it leaves no trace in the journal. Names of what was decided about are asked of the caller, who also knows whether it is done or only
 * looked at.
 */
struct facts_names {
    const char *(*job)(const void *of, policy_job);
    const char *(*node)(const void *of, policy_node);
    const void *of;
};
const struct policy_decision *facts_decide(struct facts *, policy_time, const struct facts_names *,
                                           size_t *count);

#endif
