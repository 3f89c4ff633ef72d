/* SPDX-License-Identifier: MIT */
/* Reporting a fact to a policy core; see fact.h. */
#include "policies/facts/fact.h"

#include <stddef.h>

/* ---- nodes ---- */

static int refused(const struct policy *p)
{
    int status = policy_last_error(p)->status;
    return status != POLICY_OK ? status : POLICY_INVALID;
}

static int node_add(struct policy *p, struct fact *f)
{
    f->node = policy_add_node(p, f->at, f->spec);
    return f->node.i == POLICY_NO_ID ? refused(p) : POLICY_OK;
}

static int node_remove(struct policy *p, struct fact *f)
{
    return policy_remove_node(p, f->at, f->node);
}

static int node_state(struct policy *p, struct fact *f)
{
    return policy_set_node_state(p, f->at, f->node, f->state);
}

static int device_health(struct policy *p, struct fact *f)
{
    return policy_set_device_health(p, f->at, f->node, f->number, f->state != 0);
}

static int topology(struct policy *p, struct fact *f)
{
    return policy_set_topology(p, f->at, f->number, f->spec, f->count);
}

static int mig_profile(struct policy *p, struct fact *f)
{
    return policy_set_mig_profile(p, f->at, f->number, f->compute, f->memory);
}

static int typical_tasks(struct policy *p, struct fact *f)
{
    return policy_set_typical_tasks(p, f->at, f->spec, f->count, f->value);
}

static int name(struct policy *p, struct fact *f)
{
    return policy_set_name(p, f->at, f->state, f->number, f->name);
}

static int offer(struct policy *p, struct fact *f)
{
    return policy_set_offer(p, f->at, f->spec);
}

/* ---- queues ---- */

static int queue_add(struct policy *p, struct fact *f)
{
    f->queue = policy_add_queue(p, f->at, f->spec);
    return f->queue.i == POLICY_NO_ID ? refused(p) : POLICY_OK;
}

static int queue_set(struct policy *p, struct fact *f)
{
    return policy_set_queue(p, f->at, f->queue, f->spec);
}

static int queue_remove(struct policy *p, struct fact *f)
{
    return policy_remove_queue(p, f->at, f->queue);
}

static int usage(struct policy *p, struct fact *f)
{
    return policy_set_usage(p, f->at, f->queue, f->spec);
}

/* ---- jobs and tasks ---- */

static int job_add(struct policy *p, struct fact *f)
{
    f->job = policy_submit(p, f->at, f->spec);
    return f->job.i == POLICY_NO_ID ? refused(p) : POLICY_OK;
}

static int job_cancel(struct policy *p, struct fact *f)
{
    return policy_cancel(p, f->at, f->job);
}

static int stale_since(struct policy *p, struct fact *f)
{
    return policy_set_stale_since(p, f->at, f->job, f->value);
}

static int activity(struct policy *p, struct fact *f)
{
    return policy_report_activity(p, f->at, f->job, f->value);
}

static int progress(struct policy *p, struct fact *f)
{
    return policy_report_progress(p, f->at, f->job, f->value);
}

static int job_priority(struct policy *p, struct fact *f)
{
    return policy_set_priority(p, f->at, f->job, f->state);
}

static int job_suspend(struct policy *p, struct fact *f)
{
    return policy_suspend_job(p, f->at, f->job, f->state != 0);
}

static int task_running(struct policy *p, struct fact *f)
{
    return policy_task_running(p, f->at, f->job, f->task, f->node, f->devices, f->value);
}

static int task_started(struct policy *p, struct fact *f)
{
    return policy_task_started(p, f->at, f->job, f->task);
}

static int task_releasing(struct policy *p, struct fact *f)
{
    return policy_task_releasing(p, f->at, f->job, f->task);
}

static int task_gated(struct policy *p, struct fact *f)
{
    return policy_task_gated(p, f->at, f->job, f->task, f->state != 0);
}

static int start_failed(struct policy *p, struct fact *f)
{
    return policy_start_failed(p, f->at, f->job);
}

static int task_ended(struct policy *p, struct fact *f)
{
    return policy_task_ended(p, f->at, f->job, f->task, f->state);
}

/* ---- history ---- */

static int history(struct policy *p, struct fact *f)
{
    return policy_set_history(p, f->at, f->spec);
}

typedef int teller(struct policy *, struct fact *);
static teller *const tellers[FACT_KINDS] = {
    [FACT_NODE_ADD] = node_add,
    [FACT_NODE_REMOVE] = node_remove,
    [FACT_NODE_STATE] = node_state,
    [FACT_DEVICE_HEALTH] = device_health,
    [FACT_TOPOLOGY] = topology,
    [FACT_MIG_PROFILE] = mig_profile,
    [FACT_TYPICAL_TASKS] = typical_tasks,
    [FACT_NAME] = name,
    [FACT_OFFER] = offer,
    [FACT_QUEUE_ADD] = queue_add,
    [FACT_QUEUE_SET] = queue_set,
    [FACT_QUEUE_REMOVE] = queue_remove,
    [FACT_USAGE] = usage,
    [FACT_JOB_ADD] = job_add,
    [FACT_JOB_CANCEL] = job_cancel,
    [FACT_STALE_SINCE] = stale_since,
    [FACT_ACTIVITY] = activity,
    [FACT_PROGRESS] = progress,
    [FACT_JOB_PRIORITY] = job_priority,
    [FACT_JOB_SUSPEND] = job_suspend,
    [FACT_TASK_RUNNING] = task_running,
    [FACT_TASK_STARTED] = task_started,
    [FACT_TASK_RELEASING] = task_releasing,
    [FACT_TASK_GATED] = task_gated,
    [FACT_START_FAILED] = start_failed,
    [FACT_TASK_ENDED] = task_ended,
    [FACT_HISTORY] = history,
};

int fact_tell(struct policy *p, struct fact *f)
{
    bool known = f->kind >= 0 && f->kind < FACT_KINDS && tellers[f->kind] != NULL;
    return known ? tellers[f->kind](p, f) : POLICY_INVALID;
}
