/* SPDX-License-Identifier: MIT */
/*
 * The only way from the adapter to the policy core: each function tells the core one fact, or asks
 * it to decide, and appends to the journal what was told, as lines of policies/facts/. A fact that
 * the core refuses is not in the journal.
 *
 * Numbers of nodes, queues and jobs are those of the core. The journal is complete: `fauxfleet
 * replay` decides the same again.
 */
#ifndef ADAPTERS_SLURM_FACTS_H
#define ADAPTERS_SLURM_FACTS_H

#include "policies/adapters/slurm/config.h"
#include "policies/facts/log.h"

#include <stdbool.h>

struct facts {
    struct policy *policy; /* not owned */
    struct fact_log log;   /* its `error` is not 0 when a line could not be written */
    bool news;             /* something was told since the last decision */
};

/*
 * Appends to the file, which is made with mode 0600 if need be; NULL: no journal. False with the
 * reason in `error`. Of what was open or never opened facts_close() closes what there is.
 */
bool facts_open(struct facts *, const char *path, char *error, size_t size);
void facts_close(struct facts *);

/* From here on facts go to this policy, which knows nothing yet, and is as the configuration says.
 */
void facts_begin(struct facts *, struct policy *, policy_time, const struct config *);

policy_node facts_add_node(struct facts *, policy_time, const struct policy_node_spec *,
                           const char *name);
int facts_remove_node(struct facts *, policy_time, policy_node);
int facts_node_state(struct facts *, policy_time, policy_node, int32_t state);
policy_queue facts_add_queue(struct facts *, policy_time, const struct policy_queue_spec *,
                             const char *name);

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
 * policy_decide(), if something was told since the last time, or time alone may change something:
 * every call is in the journal, for also one that decides nothing may change what the next one
 * does. Decisions are on the disk, with the facts that led to them, before they are returned (as
 * far as log.sync_ms says so), or log.error is set and nothing of them is to be done. Names of what
 * was decided about are asked of the caller, who also knows whether it is done or only looked at.
 * False when the core could not decide: policy_last_error().
 */
struct facts_names {
    const char *(*job)(const void *of, policy_job);
    const char *(*node)(const void *of, policy_node);
    const void *of;
};
bool facts_decide(struct facts *, policy_time, const struct facts_names *,
                  const struct policy_decision **decisions, size_t *count);

#endif
