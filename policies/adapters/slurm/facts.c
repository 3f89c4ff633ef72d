/* SPDX-License-Identifier: MIT */
/* Facts to the core and into the journal; see facts.h. */
#include "policies/adapters/slurm/facts.h"

#include "policies/adapters/slurm/memory.h"

#include <stdlib.h>

bool facts_open(struct facts *facts, const char *path, char *error, size_t size)
{
    *facts = (struct facts){.policy = NULL};
    return fact_log_open(&facts->log, path, error, size);
}

void facts_close(struct facts *facts)
{
    (void)fact_log_close(&facts->log);
}

void facts_begin(struct facts *facts, struct policy *policy, policy_time at,
                 const struct config *config)
{
    struct fact_option *options = memory_get(config->option_count, sizeof *options);
    for (size_t i = 0; i < config->option_count; i++)
        options[i] = (struct fact_option){config->options[i], config->values[i]};
    const struct fact_policy section = {.version = FACTS_VERSION,
                                        .contract = POLICY_VERSION,
                                        .name = config->policy,
                                        .options = options,
                                        .option_count = (uint32_t)config->option_count};
    facts->policy = policy;
    facts->news = true;
    fact_log_begin(&facts->log, at, &section);
    free(options);
}

static int tell(struct facts *facts, struct fact *fact)
{
    int status = fact_tell(facts->policy, fact);
    if (status == POLICY_OK) {
        facts->news = true;
        fact_log_fact(&facts->log, fact);
    }
    return status;
}

/* ---- nodes and queues ---- */

policy_node facts_add_node(struct facts *facts, policy_time at, const struct policy_node_spec *spec,
                           const char *name)
{
    struct fact fact = {.kind = FACT_NODE_ADD, .at = at, .name = name, .spec = spec};
    (void)tell(facts, &fact);
    return fact.node;
}

int facts_remove_node(struct facts *facts, policy_time at, policy_node node)
{
    return tell(facts, &(struct fact){.kind = FACT_NODE_REMOVE, .at = at, .node = node});
}

int facts_node_state(struct facts *facts, policy_time at, policy_node node, int32_t state)
{
    return tell(facts,
                &(struct fact){.kind = FACT_NODE_STATE, .at = at, .node = node, .state = state});
}

policy_queue facts_add_queue(struct facts *facts, policy_time at,
                             const struct policy_queue_spec *spec, const char *name)
{
    struct fact fact = {.kind = FACT_QUEUE_ADD, .at = at, .name = name, .spec = spec};
    (void)tell(facts, &fact);
    return fact.queue;
}

int facts_set_queue(struct facts *facts, policy_time at, policy_queue queue,
                    const struct policy_queue_spec *spec)
{
    return tell(facts,
                &(struct fact){.kind = FACT_QUEUE_SET, .at = at, .queue = queue, .spec = spec});
}

/* ---- jobs ---- */

policy_job facts_submit(struct facts *facts, policy_time at, const struct policy_job_spec *spec,
                        const char *id)
{
    struct fact fact = {.kind = FACT_JOB_ADD, .at = at, .name = id, .spec = spec};
    (void)tell(facts, &fact);
    return fact.job;
}

int facts_cancel(struct facts *facts, policy_time at, policy_job job)
{
    return tell(facts, &(struct fact){.kind = FACT_JOB_CANCEL, .at = at, .job = job});
}

int facts_running(struct facts *facts, policy_time at, policy_job job, uint32_t task,
                  policy_node node, uint64_t devices, policy_time since)
{
    return tell(facts, &(struct fact){.kind = FACT_TASK_RUNNING,
                                      .at = at,
                                      .job = job,
                                      .task = task,
                                      .node = node,
                                      .devices = devices,
                                      .value = since});
}

int facts_started(struct facts *facts, policy_time at, policy_job job)
{
    return tell(
        facts,
        &(struct fact){.kind = FACT_TASK_STARTED, .at = at, .job = job, .task = POLICY_ALL_TASKS});
}

int facts_releasing(struct facts *facts, policy_time at, policy_job job, uint32_t task)
{
    return tell(facts,
                &(struct fact){.kind = FACT_TASK_RELEASING, .at = at, .job = job, .task = task});
}

int facts_start_failed(struct facts *facts, policy_time at, policy_job job)
{
    return tell(facts, &(struct fact){.kind = FACT_START_FAILED, .at = at, .job = job});
}

int facts_ended(struct facts *facts, policy_time at, policy_job job, int32_t outcome)
{
    return tell(facts, &(struct fact){.kind = FACT_TASK_ENDED,
                                      .at = at,
                                      .job = job,
                                      .task = POLICY_ALL_TASKS,
                                      .state = outcome});
}

int facts_progress(struct facts *facts, policy_time at, policy_job job, int64_t remaining_ms)
{
    return tell(facts,
                &(struct fact){.kind = FACT_PROGRESS, .at = at, .job = job, .value = remaining_ms});
}

int facts_history(struct facts *facts, policy_time at, const struct policy_history *record)
{
    return tell(facts, &(struct fact){.kind = FACT_HISTORY, .at = at, .spec = record});
}

/* ---- decisions ---- */

bool facts_decide(struct facts *facts, policy_time at, const struct facts_names *names,
                  const struct policy_decision **decisions, size_t *count)
{
    *decisions = NULL;
    *count = 0;
    if (!facts->news && policy_next_wakeup(facts->policy) > at)
        return true;
    *decisions = policy_decide(facts->policy, at, count);
    facts->news = false;
    fact_log_fact(&facts->log,
                  &(struct fact){.kind = FACT_DECIDE, .at = at, .count = (uint32_t)*count});
    for (size_t i = 0; i < *count; i++) {
        const struct policy_decision *d = &(*decisions)[i];
        const struct fact_decision line = {
            .at = at,
            .d = *d,
            .name = names->job(names->of, d->job),
            .node_name = d->node.i != POLICY_NO_ID ? names->node(names->of, d->node) : NULL};
        fact_log_decision(&facts->log, &line);
    }
    (void)fact_log_commit(&facts->log);
    return policy_last_error(facts->policy)->status == POLICY_OK;
}
