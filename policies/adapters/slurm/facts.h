/* SPDX-License-Identifier: MIT */
/*
 * The adapter's only access to the policy core: each function reports one fact, or asks for a
 * decision, and appends the fact to the journal as lines of policies/facts/. Facts refused by the
 * core are not journaled.
 *
 * Numbers of nodes, queues and jobs are those of the core. The journal is complete: `fauxfleet
 * replay` reproduces the decisions.
 */
#ifndef ADAPTERS_SLURM_FACTS_H
#define ADAPTERS_SLURM_FACTS_H

#include "policies/adapters/slurm/config.h"
#include "policies/facts/log.h"

#include <stdbool.h>

struct facts {
    struct policy *policy; /* not owned */
    struct fact_log log;   /* `error` is nonzero after a failed write */
    bool news;             /* facts were reported since the last decision */
};

/*
 * Appends to the file, created with mode 0600 if needed; NULL: no journal. Returns false with the
 * reason in `error`. facts_close() closes whatever is open.
 */
bool facts_open(struct facts *, const char *path, char *error, size_t size);
void facts_close(struct facts *);

/* Directs facts to this new policy, created with the given configuration. */
void facts_begin(struct facts *, struct policy *, policy_time, const struct config *);

policy_node facts_add_node(struct facts *, policy_time, const struct policy_node_spec *,
                           const char *name);
int facts_remove_node(struct facts *, policy_time, policy_node);
int facts_node_state(struct facts *, policy_time, policy_node, int32_t state);
policy_queue facts_add_queue(struct facts *, policy_time, const struct policy_queue_spec *,
                             const char *name);

int facts_set_queue(struct facts *, policy_time, policy_queue, const struct policy_queue_spec *);

policy_job facts_submit(struct facts *, policy_time, const struct policy_job_spec *,
                        const char *id);
int facts_cancel(struct facts *, policy_time, policy_job);
int facts_running(struct facts *, policy_time, policy_job, uint32_t task, policy_node,
                  uint64_t devices, policy_time since);
int facts_started(struct facts *, policy_time, policy_job);
int facts_releasing(struct facts *, policy_time, policy_job, uint32_t task);
int facts_start_failed(struct facts *, policy_time, policy_job);
int facts_ended(struct facts *, policy_time, policy_job, int32_t outcome);
int facts_history(struct facts *, policy_time, const struct policy_history *);
int facts_progress(struct facts *, policy_time, policy_job, int64_t remaining_ms);

/*
 * Calls policy_decide() if facts were reported since the last call, or if time alone may change
 * something. Every call is journaled, because even one without decisions may affect the next.
 * Decisions are on disk with the facts that led to them before they are returned (subject to
 * log.sync_ms); otherwise log.error is set and they must not be carried out. The caller provides
 * the names for the journal. Returns false if the core could not decide: policy_last_error().
 */
struct facts_names {
    const char *(*job)(const void *of, policy_job);
    const char *(*node)(const void *of, policy_node);
    const void *of;
};
bool facts_decide(struct facts *, policy_time, const struct facts_names *,
                  const struct policy_decision **decisions, size_t *count);

#endif
