/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `fauxfleet explain SNAPSHOT.json JOB`: why a job of a snapshot is pending after one decision of
 * the policy; devices that it gives to other jobs count as taken.
 */
#include "sim/ask/alternatives.h"
#include "sim/ask/explain.h"
#include "sim/ask/explain_eta.h"
#include "sim/base/escape.h"
#include "sim/program/overrides.h"

#include <inttypes.h>
#include <stdlib.h>

struct question {
    const struct dry_run *run;
    const struct snap_job *job;
    struct pending pending;
    bool waits;
    struct trial next; /* what the policy does with the unchanged job, */
    bool searched;     /* and if nothing, what would start it */
    struct alternatives alternatives;
    struct explain_eta eta;
};

static int64_t waited_ms(const struct question *q)
{
    int64_t from =
        q->job->eligible_ms > q->job->submit_ms ? q->job->eligible_ms : q->job->submit_ms;
    return q->run->s->now_ms > from ? q->run->s->now_ms - from : 0;
}

static bool concerns(const struct question *q, const struct policy_decision *decision)
{
    return snap_facts_job(&q->run->facts, decision->job) == q->job;
}

static size_t count_decisions(const struct question *q, int32_t kind)
{
    size_t n = 0;
    for (size_t i = 0; i < q->run->decision_count; i++)
        n += q->run->decisions[i].kind == kind && concerns(q, &q->run->decisions[i]);
    return n;
}

/* What the policy would do with the job's tasks: the first node by name, the rest as a number. */
static void next_step(const struct question *q, struct out *out)
{
    static const struct {
        int32_t kind;
        const char *words;
    } rows[] = {{POLICY_START, "starts"}, {POLICY_NOMINATE, "nominates"}, {POLICY_EVICT, "evicts"}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        size_t n = count_decisions(q, rows[r].kind), i = 0;
        if (n == 0)
            continue;
        while (q->run->decisions[i].kind != rows[r].kind || !concerns(q, &q->run->decisions[i]))
            i++;
        const struct policy_decision *first = &q->run->decisions[i];
        escape_format(out, "  next         the policy %s %zu of its tasks (%s): %s on %s%s\n",
                      rows[r].words, n, policy_action_name(first->action),
                      snap_facts_task(&q->run->facts, first->job, first->task)->id,
                      snap_facts_node(&q->run->facts, first->node)->name, n > 1 ? ", ..." : "");
    }
    if (q->next.victim_count > 0) {
        out_text(out, "  for it       ");
        trial_print_victims(&q->next, out);
        out_char(out, '\n');
    }
}

static int64_t gpus(const struct snap_job *job)
{
    int64_t milli = 0;
    for (uint32_t t = 0; t < job->task_count; t++)
        milli += snap_over(&job->tasks[t]) ? 0 : snap_gpu_milli(&job->tasks[t].request);
    return milli;
}

static uint32_t holding(const struct snap_job *job)
{
    uint32_t n = 0;
    for (uint32_t t = 0; t < job->task_count; t++)
        n += snap_holds(&job->tasks[t]);
    return n;
}

static bool is_over(const struct snap_job *job)
{
    bool over = true;
    for (uint32_t t = 0; t < job->task_count; t++)
        over &= snap_over(&job->tasks[t]);
    return over;
}

/* Why the policy may not even think of it, or NULL. */
static const char *held(const struct question *q)
{
    bool gated = false;
    for (uint32_t t = 0; t < q->job->task_count; t++)
        gated |= q->job->tasks[t].state == SNAP_GATED;
    return gated && !q->waits && q->next.tasks == 0 && holding(q->job) == 0
               ? "tasks of it are gated, and until they are released the policy leaves it out"
               : NULL;
}

/* True for a partial gang: it holds devices, but fewer than it needs to work. */
static bool is_partly(const struct question *q)
{
    int64_t least = 0;
    for (uint32_t r = 0; r < q->job->role_count; r++)
        least += q->job->roles[r].min_tasks;
    return q->waits && holding(q->job) > 0 && holding(q->job) < least;
}

static const char *state_of(const struct question *q)
{
    return is_over(q->job)        ? "ended"
           : held(q) != NULL      ? "held"
           : is_partly(q)         ? "partly"
           : holding(q->job) == 0 ? "pending"
                                  : "running";
}

static void print_state(const struct question *q, struct out *out)
{
    const struct snap_job *job = q->job;
    if (is_partly(q))
        escape_format(out, "%u of its %u tasks hold devices and wait for the rest", holding(job),
                      job->task_count);
    else if (q->waits && holding(job) > 0)
        escape_format(out, "runs with %u of its %u tasks", holding(job), job->task_count);
    else
        out_text(out, state_of(q));
    if (held(q) != NULL)
        escape_format(out, ": %s", held(q));
    out_char(out, '\n');
}

/* What the policy would start; else what the evidence suggests. */
static void alternative(const struct question *q, struct out *out)
{
    struct why why = q->pending.why;
    why.explained = &q->pending.explained;
    if (q->alternatives.count > 0 || (q->searched && q->pending.text)) {
        alternatives_print(&q->alternatives, out);
    } else if (!q->pending.text) {
        out_text(out, "  alternative  ");
        if (q->searched)
            out_text(out, "no change that was tried starts it now; ");
        why_hint(&why, out);
        out_char(out, '\n');
    }
}

static void print(const struct question *q, struct out *out)
{
    const struct snap_job *job = q->job;
    escape_format(out, "Job %s (queue %s, ", job->id, job->queue_name);
    why_gpus(out, gpus(job));
    out_text(out, "): ");
    print_state(q, out);
    if (q->waits && holding(job) == 0) {
        out_text(out, "  pending for  ");
        explain_duration(out, waited_ms(q));
        out_char(out, '\n');
    }
    next_step(q, out);
    if (q->waits && q->pending.text) {
        escape_format(out, "  because      %s: %s\n", q->pending.reason, q->pending.text);
    } else if (q->waits) {
        struct why why = q->pending.why;
        why.explained = &q->pending.explained;
        why_print(&why, out);
    }
    if (q->waits)
        alternative(q, out);
    explain_eta_print(&q->eta, out);
}

static void print_json(const struct question *q, struct out *out)
{
    struct json j;
    char *detail = q->waits ? pending_detail(&q->pending) : NULL;
    json_init(&j, out, 1);
    json_begin_object(&j, NULL);
    json_text(&j, "job", q->job->id);
    json_seconds(&j, "at_s", q->run->s->now_ms);
    json_text(&j, "state", state_of(q));
    json_text(&j, "reason", q->waits ? q->pending.reason : NULL);
    json_text(&j, "detail", detail != NULL ? detail : held(q));
    free(detail);
    json_text(&j, "queue", q->job->queue_name);
    if (q->waits && holding(q->job) > 0)
        json_i64(&j, "tasks_running", holding(q->job));
    else if (q->waits)
        json_seconds(&j, "waited_s", waited_ms(q));
    if (q->waits && !q->pending.text) {
        struct why why = q->pending.why;
        why.explained = &q->pending.explained;
        why_json(&why, &j);
    }
    if (q->searched)
        alternatives_json(&q->alternatives, &j);
    explain_eta_json(&q->eta, &j);
    json_begin_array(&j, "decisions");
    for (size_t i = 0; i < q->run->decision_count; i++) {
        if (concerns(q, &q->run->decisions[i]))
            dry_run_print(q->run, &q->run->decisions[i], &j);
    }
    json_end_array(&j);
    json_end_object(&j);
    out_char(out, '\n');
}

/* With --replicas: the run that begins with the snapshot. */
static bool estimate(struct question *q, const struct cli *cli, struct err *err)
{
    const struct scen_overrides overrides = overrides_of(cli);
    struct scenario *scenario = NULL;
    if (!cli_given(cli, OPT_REPLICAS) || !q->waits || holding(q->job) > 0)
        return true;
    bool ok = scenario_load(&scenario, cli->operands[0], &overrides, err) &&
              explain_eta_find(&q->eta, cli, scenario, q->run, q->job, &q->alternatives, err);
    scenario_destroy(scenario);
    return ok;
}

static bool answer(struct question *q, const struct cli *cli, struct err *err)
{
    q->waits = dry_run_pending(q->run, q->job, &q->pending);
    trial_read(&q->next, q->run, q->job);
    q->searched = q->waits && alternatives_find(&q->alternatives, q->run, q->job, q->next.outcome,
                                                &q->pending.explained);
    bool ok = estimate(q, cli, err);
    if (ok) {
        struct out *words = out_memory();
        (cli_given(cli, OPT_JSON) ? print_json : print)(q, words);
        explain_say(words, cli->out);
        out_discard(words);
    }
    explain_eta_fini(&q->eta);
    alternatives_fini(&q->alternatives);
    trial_fini(&q->next);
    pending_fini(&q->pending);
    return ok;
}

int explain_snapshot(struct cli *cli)
{
    struct err err = {0};
    struct dry_run run;
    struct question q = {.run = &run};
    if (cli_given(cli, OPT_AT))
        return cli_misuse(cli, "--at goes with a run directory, '%s' is none", cli->operands[0]);
    if (cli_given(cli, OPT_TRACE) && !cli_given(cli, OPT_REPLICAS))
        return cli_misuse(cli, "--trace goes with a run directory, or with --replicas");
    bool ok = dry_run_open(&run, cli, &err) &&
              (q.job = snapshot_find_job(run.s, cli->operands[1], &err)) != NULL &&
              dry_run_decide(&run, &err) && answer(&q, cli, &err);
    dry_run_close(&run);
    return ok ? EXIT_OK : cli_fail(&err);
}
