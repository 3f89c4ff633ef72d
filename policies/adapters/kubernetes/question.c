/* SPDX-License-Identifier: MIT */
/* Asking a policy about one pod; see question.h. */
#include "policies/adapters/kubernetes/question.h"

#include "sim/base/mem.h"

#include <stdlib.h>
#include <string.h>

/* ---- the pod in the state ---- */

static bool read_state(struct snapshot **s, const char *state, size_t n, const cJSON *pod,
                       const char *const *nodes, size_t count, char job[IMPORT_JOB_ID], struct err *err)
{
    struct import *import = import_create();
    bool ok =
        import_parse(import, "snapshot", state, n, err) && import_ask(import, pod, nodes, count, job, err);
    if (ok) {
        struct out *out = out_memory();
        size_t bytes;
        import_print(import, out);
        const char *text = out_memory_text(out, &bytes);
        ok = snapshot_parse(s, "snapshot", text, bytes, err);
        out_discard(out);
    }
    import_destroy(import);
    return ok;
}

/* The task is the one that has the term. */
static bool find_task(struct question *q, const char *job_id, struct err *err)
{
    q->job = snapshot_find_job(q->base.s, job_id, err);
    for (uint32_t t = 0; q->job && t < q->job->task_count; t++) {
        struct snap_request *request = &q->job->tasks[t].request;
        for (size_t i = 0; i < request->term_count; i++) {
            if (strcmp(request->terms[i].key, IMPORT_NODE_LABEL) != 0)
                continue;
            q->task = t;
            q->term = &request->terms[i];
            q->all_count = q->term->value_count;
            q->all = mem_alloc(q->all_count + 1, sizeof *q->all);
            for (size_t k = 0; k < q->all_count; k++)
                q->all[k] = q->term->values[k];
            return true;
        }
    }
    return q->job ? err_set(err, EXIT_INTERNAL, "the pod is not in its job") : false;
}

bool question_open(struct question *q, const char *state, size_t n, const cJSON *pod,
                   const char *const *nodes, size_t count, const struct cli *policy, struct err *err)
{
    struct snapshot *s = NULL;
    char job[IMPORT_JOB_ID];
    *q = (struct question){.task = 0};
    return read_state(&s, state, n, pod, nodes, count, job, err) && dry_run_take(&q->base, s, policy, err) &&
           find_task(q, job, err);
}

void question_close(struct question *q)
{
    dry_run_close(&q->now);
    dry_run_close(&q->base);
    free(q->all);
    *q = (struct question){.task = 0};
}

/* ---- asking ---- */

void question_strike(struct question *q, const char *node)
{
    size_t kept = 0;
    for (size_t i = 0; i < q->term->value_count; i++)
        if (strcmp(q->term->values[i], node) != 0)
            q->term->values[kept++] = q->term->values[i];
    q->term->value_count = kept;
}

void question_only(struct question *q, const char *node)
{
    q->term->value_count = 0;
    for (size_t i = 0; i < q->all_count && q->term->value_count == 0; i++)
        if (strcmp(q->all[i], node) == 0)
            q->term->values[q->term->value_count++] = q->all[i];
}

bool question_knows(const struct question *q, const char *node)
{
    return name_set_find(&q->base.s->node_names, node) != NAME_NONE;
}

/* What it wants of nodes includes the term that was made up, so that list is no help to anybody. */
static void explain(const struct question *q, struct question_answer *answer)
{
    struct pending pending;
    answer->reason = "WAITING";
    if (!dry_run_pending(&q->now, q->job, &pending)) {
        answer->detail = mem_text("the policy starts its job without this pod");
        return;
    }
    answer->reason = pending.reason;
    if (strcmp(pending.reason, "NODE_MISMATCH") == 0)
        answer->detail = mem_text(policy_reason_summary(POLICY_REASON_NODE_MISMATCH));
    else
        answer->detail = pending_detail(&pending);
    pending_fini(&pending);
}

bool question_ask(struct question *q, struct question_answer *answer, struct err *err)
{
    *answer = (struct question_answer){.kind = QUESTION_WAITS};
    dry_run_close(&q->now);
    if (!dry_run_branch(&q->now, &q->base, err) || !dry_run_decide(&q->now, err))
        return false;
    for (size_t i = 0; i < q->now.decision_count; i++) {
        const struct policy_decision *decision = &q->now.decisions[i];
        if (decision->kind == POLICY_EVICT ||
            snap_facts_task(&q->now.facts, decision->job, decision->task) != &q->job->tasks[q->task])
            continue;
        answer->kind = decision->kind == POLICY_START ? QUESTION_STARTS : QUESTION_NOMINATED;
        answer->node = snap_facts_node(&q->now.facts, decision->node)->name;
    }
    if (answer->kind == QUESTION_NOMINATED) {
        answer->reason = policy_reason_name(POLICY_REASON_RELEASING);
        answer->detail =
            mem_format("would start on %s when what is released or evicted there is free", answer->node);
    } else if (answer->kind == QUESTION_WAITS) {
        explain(q, answer);
    }
    return true;
}
