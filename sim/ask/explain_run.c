/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `fauxfleet explain DIR JOB`: the life of a job of a run, and why it was pending at a time. The
 * run is run again: once to its end, with an observer that follows the job, and once up to the time
 * asked about, where the policy core itself is asked, and asked again about the job with small
 * changes.
 */
#include "report/record/journal.h"
#include "report/terminal/life_print.h"
#include "sim/ask/alternatives.h"
#include "sim/ask/explain.h"
#include "sim/ask/explain_eta.h"
#include "sim/base/escape.h"
#include "sim/base/json.h"
#include "sim/base/mem.h"
#include "sim/dependencies.h"
#include "sim/program/overrides.h"
#include "sim/program/screen.h"
#include "sim/world/present.h"
#include "sim/world/previous_run.h"

#include <stdlib.h>

/* Runs to the end, for the job's life and to check that it is the run of the directory. */
static bool follow(struct previous_run *f, struct life *life, int64_t *end_ms, struct err *err)
{
    struct simulation s;
    struct journal journal;
    bool ok;
    do {
        life_fini(life);
        journal_init(&journal);
        const struct sim_observer observers[] = {journal_observer(&journal), life_observer(life)};
        ok = previous_run_run(f, observers, 2, INT64_MAX, &s, err);
    } while (!ok && f->again);
    if (!ok)
        return false;
    char decisions[DIGEST_HEX];
    *end_ms = s.sim->now_ms;
    life_close(life, s.sim->now_ms);
    ok = previous_run_check_trace(f, &s, err);
    simulation_close(&s);
    journal_hex(&journal, decisions);
    bool same = true;
    ok = ok && previous_run_decided(f, decisions, &same, err);
    if (!same)
        cli_note(
            "the decisions are not those of '%s': it was interrupted, or made by another version",
            f->dir);
    return ok && (life->seen || err_set(err, EXIT_INPUT, "the run has no job '%s'", life->id));
}

/* ---- the answer ---- */

struct answer {
    const struct life *life;
    int64_t at_ms;
    bool looks_back; /* over all its waiting, waited_ms: `main` held it longest, and at_ms lies
                        within that */
    struct life_share main;
    int64_t waited_ms;
    const char *queue, *class;
    char behind[128], stands_in[128], pool[128]; /* a job, a queue, a pool */
    int64_t gpu_milli;
    bool pending;           /* for some of its tasks at least */
    int32_t running, tasks; /* of a gang that holds devices and waits for the rest; otherwise
                               running is 0 */
    const char *held;       /* why it is not submitted yet, or NULL */
    int64_t held_since_ms;
    struct policy_explanation why;
    struct why share; /* of its queue */
    bool decides;     /* the next decision would give it a place as it is */
    bool searched;    /* it would not, and changes were tried: on the state as a snapshot */
    struct dry_run dry;
    const struct snap_job *job; /* the job in it, or NULL */
    struct alternatives alternatives;
    struct explain_eta eta;
    struct screen screen;
};

/* The core treats a job that was set aside as pending, to give its full reason. */
static void ask(struct sim *sim, struct answer *a)
{
    const struct work_job *job = work_find(&sim->work, a->life->id);
    bool aside = job != NULL && job->aside;
    struct err ignored;
    bool partly = job != NULL && job->state == WORK_RUNNING && work_waits_for_rest(job);
    a->pending = partly || (job != NULL && job->state == WORK_PENDING);
    a->running = partly ? job->running : 0;
    a->tasks = partly ? job->min_tasks : 0;
    if (job == NULL)
        sim_dependencies_find(sim, a->life->id, &a->held_since_ms, &a->held);
    if (job == NULL)
        return;
    a->queue = sim->queues[job->queue].name;
    a->class = trace_class_names[job->class];
    a->gpu_milli = job->gpu_milli;
    a->why = (struct policy_explanation){
        .size = sizeof a->why, .behind = {POLICY_NO_ID, 0}, .queue = {POLICY_NO_ID}};
    (void)sim_let_in(sim, &sim->work.jobs[job->core.i], &ignored);
    policy_explain(sim->policy, job->core, &a->why);
    if (sim_is(sim, POLICY_TRAIT_DIVIDES))
        why_add_share(&a->share, sim->policy, sim->queues[job->queue].core, a->queue);
    if (aside)
        a->why.reason = POLICY_REASON_NEVER_FITS;
    if (a->why.behind.i != POLICY_NO_ID)
        snprintf(a->behind, sizeof a->behind, "%s", work_id(&sim->work.jobs[a->why.behind.i]));
    for (size_t i = 0; i < sim->queue_count && a->pending; i++)
        if (sim->queues[i].core.i == a->why.queue.i)
            snprintf(a->stands_in, sizeof a->stands_in, "%s", sim->queues[i].name);
    if (a->why.pool > 0)
        snprintf(a->pool, sizeof a->pool, "%s", sim->fleet->pools[a->why.pool - 1].name);
}

/* The state as a snapshot, and what one cycle of the policy makes of it. */
static bool open_dry_run(struct answer *a, const struct simulation *s, const struct cli *cli,
                         struct err *err)
{
    struct snapshot *state;
    return present_snapshot(s, &state, err) && dry_run_open_with(&a->dry, state, cli, err) &&
           dry_run_decide(&a->dry, err);
}

/* Where devices are only counted there is no such state; where the policy does not take it the
 * answer is the core's alone. */
static void look_for_alternatives(struct answer *a, const struct simulation *s,
                                  const struct cli *cli)
{
    struct err err = {0};
    struct trial as_it_is;
    if (!a->pending || s->sim->counts)
        return;
    if (!open_dry_run(a, s, cli, &err)) {
        cli_note("nothing was tried that would start the job: %s", err.msg);
        return;
    }
    a->job = snapshot_find_job(a->dry.s, a->life->id, &err);
    BUG_ON(a->job == NULL);
    trial_read(&as_it_is, &a->dry, a->job);
    a->decides = as_it_is.outcome != TRIAL_WAITS;
    a->searched = alternatives_find(&a->alternatives, &a->dry, a->job, as_it_is.outcome, &a->why);
    trial_fini(&as_it_is);
}

/* The wait at that time; an evicted job is pending again. */
static struct life_wait wait_of(const struct answer *a)
{
    struct life_wait wait;
    if (!life_wait_at(a->life, a->at_ms, &wait))
        wait = (struct life_wait){.from_ms = a->at_ms, .to_ms = a->at_ms};
    return wait;
}

static struct why words(const struct answer *a)
{
    bool is_main = a->looks_back && a->why.reason == a->main.reason;
    return (struct why){.explained = &a->why,
                        .held_ms = is_main ? a->main.ms : 0,
                        .held_share = is_main ? (double)a->main.ms / (double)a->waited_ms : 0,
                        .behind = a->behind[0] != '\0' ? a->behind : NULL,
                        .queue = a->stands_in[0] != '\0' ? a->stands_in : NULL,
                        .pool = a->pool[0] != '\0' ? a->pool : NULL,
                        .owner = a->share.owner,
                        .owner_has = a->share.owner_has,
                        .owner_share = a->share.owner_share};
}

static void print_wait(const struct answer *a, struct out *out)
{
    const struct life_wait wait = wait_of(a);
    out_text(out, "\n  pending for  ");
    explain_duration(out, a->looks_back ? a->waited_ms : a->at_ms - wait.from_ms);
    if (a->looks_back) {
        out_text(out, " in all, here after ");
        explain_duration(out, a->at_ms - wait.from_ms);
    } else if (wait.over) {
        out_text(out, " of ");
        explain_duration(out, wait.to_ms - wait.from_ms);
    }
    out_char(out, '\n');
}

static void print_now(const struct answer *a, struct out *out)
{
    const struct life *l = a->life;
    escape_format(out, "Job %s at ", l->id);
    out_seconds(out, a->at_ms);
    out_text(out, " s");
    if (a->queue != NULL) {
        escape_format(out, " (queue %s, %s, ", a->queue, a->class);
        why_gpus(out, a->gpu_milli);
        out_char(out, ')');
    }
    if (a->held != NULL) {
        out_text(out, ": held for ");
        explain_duration(out, a->at_ms - a->held_since_ms);
        escape_format(out, ", not submitted yet: %s\n", a->held);
        return;
    }
    if (!a->pending) {
        out_text(out, a->at_ms < l->submit_ms             ? ": not submitted yet\n"
                      : l->ended && a->at_ms >= l->end_ms ? ": it has ended\n"
                                                          : ": it runs\n");
        return;
    }
    if (a->running > 0)
        escape_format(out, ": %d of its %d tasks hold devices and wait for the rest\n", a->running,
                      a->tasks);
    else
        print_wait(a, out);
    const struct why why = words(a);
    why_print(&why, out);
    if (a->alternatives.count > 0) {
        alternatives_print(&a->alternatives, out);
    } else {
        out_text(out, "  alternative  ");
        if (a->decides)
            out_text(out, "the next decision gives it a place; ");
        else if (a->searched)
            out_text(out, "no change that was tried starts it now; ");
        why_hint(&why, out);
        out_char(out, '\n');
    }
    explain_eta_print(&a->eta, out);
}

static void print(const struct answer *a, struct out *out)
{
    print_now(a, out);
    out_text(out, "\nLife of the job\n");
    life_print(a->life, a->screen.spark, out);
}

static void print_json(const struct answer *a, struct out *out)
{
    struct json j;
    json_init(&j, out, 1);
    json_begin_object(&j, NULL);
    json_text(&j, "job", a->life->id);
    json_seconds(&j, "at_s", a->at_ms);
    json_text(&j, "state",
              a->held != NULL                 ? "held"
              : a->running > 0                ? "partly"
              : a->pending                    ? "pending"
              : a->queue != NULL              ? "running"
              : a->at_ms < a->life->submit_ms ? "not_submitted"
                                              : "ended");
    const struct why why = words(a);
    char *detail = a->pending ? why_detail(&why) : a->held != NULL ? mem_text(a->held) : NULL;
    json_text(&j, "reason", a->pending ? policy_reason_name(a->why.reason) : NULL);
    json_text(&j, "detail", detail);
    free(detail);
    if (a->pending) {
        if (a->running > 0)
            json_i64(&j, "tasks_running", a->running);
        else
            json_seconds(&j, "waited_s",
                         a->looks_back ? a->waited_ms : a->at_ms - wait_of(a).from_ms);
        if (why.held_ms > 0) {
            json_seconds(&j, "reason_s", why.held_ms);
            json_f64(&j, "reason_share", why.held_share, 4);
        }
        json_text(&j, "queue", a->queue);
        why_json(&why, &j);
    }
    if (a->searched)
        alternatives_json(&a->alternatives, &j);
    explain_eta_json(&a->eta, &j);
    json_begin_object(&j, "life");
    life_json(a->life, &j);
    json_end_object(&j);
    json_end_object(&j);
    out_char(out, '\n');
}

/*
 * The default time: the end if the job never started as a whole; otherwise the middle of the
 * longest phase of the reason that held it longest in total. The last moment before its start may
 * have had a different reason.
 */
static void look_back(struct answer *a, int64_t end_ms)
{
    const struct life *life = a->life;
    struct life_share shares[POLICY_REASONS];
    a->at_ms = end_ms;
    if (!life->started || life->spans[life->span_count - 1].state == LIFE_PARTLY)
        return;
    a->at_ms = life->start_ms;
    if (life_shares(life, shares, &a->waited_ms) == 0)
        return;
    const struct life_span *span = life_longest_span(life, shares[0].reason);
    a->looks_back = true;
    a->main = shares[0];
    a->at_ms = span->from_ms + (span->to_ms - span->from_ms) / 2;
}

/*
 * Runs up to the time in question. Between two cycles the core may give another reason than in the
 * last cycle: then the cycle in which the reason began is used.
 */
static bool ask_then(struct answer *a, struct previous_run *f, struct simulation *s,
                     struct err *err)
{
    for (bool again = false;; again = true) {
        if (!previous_run_run(f, NULL, 0, a->at_ms, s, err))
            return false;
        ask(s->sim, a);
        if (!a->looks_back || again || a->why.reason == a->main.reason)
            return true;
        simulation_close(s);
        a->at_ms = life_longest_span(a->life, a->main.reason)->from_ms;
    }
}

/* With --replicas: simulates different futures from here. */
static bool estimate(struct answer *a, const struct previous_run *f, const struct simulation *s,
                     const struct cli *cli, struct err *err)
{
    const struct scen_overrides overrides = overrides_of(cli);
    struct scenario *scenario = NULL;
    if (!cli_given(cli, OPT_REPLICAS) || a->job == NULL || a->running > 0)
        return true;
    bool ok = previous_run_go_on(f, &overrides, s, &scenario, err) &&
              explain_eta_find(&a->eta, cli, scenario, &a->dry, a->job, &a->alternatives, err);
    if (ok && scenario->start.remaining == SCEN_REMAINING_KNOWN)
        a->eta.remaining = "as in the trace, though unknown at that time";
    scenario_destroy(scenario);
    return ok;
}

static bool explain(const struct cli *cli, struct previous_run *f, struct life *life,
                    struct err *err)
{
    int64_t end_ms = 0;
    if (f->scenario->mode == SCEN_FILL)
        return err_set(err, EXIT_INPUT,
                       "'%s' is a packing study: it has no time at which a job waits", f->dir);
    struct screen screen;
    if (!screen_of(&screen, cli, 0, err) || !follow(f, life, &end_ms, err))
        return false;
    const char *at = cli_option(cli, OPT_AT);
    struct answer answer = {.life = life, .screen = screen};
    if (at == NULL)
        look_back(&answer, end_ms);
    else if (!simulation_time("--at", at, life->first_submit_ms, &answer.at_ms, err))
        return false;
    struct simulation s;
    if (!ask_then(&answer, f, &s, err))
        return false;
    look_for_alternatives(&answer, &s, cli);
    bool ok = estimate(&answer, f, &s, cli, err);
    if (ok) {
        struct out *words = out_memory();
        (cli_given(cli, OPT_JSON) ? print_json : print)(&answer, words);
        explain_say(words, cli->out);
        out_discard(words);
    }
    explain_eta_fini(&answer.eta);
    alternatives_fini(&answer.alternatives);
    dry_run_close(&answer.dry);
    simulation_close(&s);
    return ok;
}

int explain_run(struct cli *cli)
{
    struct err err = {0};
    struct previous_run f = {.dir = cli->operands[0]};
    struct life life;
    if (cli_given(cli, OPT_POLICY))
        return cli_misuse(cli, "--policy goes with a snapshot, '%s' is a run directory", f.dir);
    life_init(&life, cli->operands[1]);
    bool ok = previous_run_open(&f, cli->operands[0], cli_option(cli, OPT_TRACE), &err) &&
              explain(cli, &f, &life, &err);
    life_fini(&life);
    previous_run_close(&f);
    return ok ? EXIT_OK : cli_fail(&err);
}
