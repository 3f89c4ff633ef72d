/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decisions about one job, and cycles on a snapshot in which it is another one; see trial.h. */
#include "sim/ask/trial.h"
#include "sim/base/escape.h"

#include "sim/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define SHOWN 3 /* nodes and jobs that a line names */

static void add_node(struct trial *t, const char *name)
{
    for (size_t i = 0; i < t->node_count; i++)
        if (t->nodes[i] == name)
            return;
    t->nodes = mem_grow(t->nodes, &t->node_capacity, t->node_count + 1, sizeof *t->nodes);
    t->nodes[t->node_count++] = name;
}

static void add_victim(struct trial *t, const struct snap_job *job, const struct snap_task *task,
                       bool moved)
{
    size_t i = 0;
    while (i < t->victim_count && t->victims[i].job != job)
        i++;
    if (i == t->victim_count) {
        t->victims =
            mem_grow(t->victims, &t->victim_capacity, t->victim_count + 1, sizeof *t->victims);
        t->victims[t->victim_count++] = (struct trial_victim){.job = job, .moved = true};
    }
    t->victims[i].tasks++;
    t->victims[i].gpu_milli += snap_gpu_milli(&task->request);
    t->victims[i].moved &= moved;
}

void trial_read(struct trial *t, const struct dry_run *run, const struct snap_job *job)
{
    const struct snap_facts *facts = &run->facts;
    bool starts = false;
    *t = (struct trial){.outcome = TRIAL_WAITS};
    for (size_t i = 0; i < run->decision_count; i++) {
        const struct policy_decision *d = &run->decisions[i];
        const struct snap_task *task = snap_facts_task(facts, d->job, d->task);
        bool evicts = d->kind == POLICY_EVICT;
        if (evicts && d->for_job.i != POLICY_NO_ID && snap_facts_job(facts, d->for_job) == job)
            add_victim(t, snap_facts_job(facts, d->job), task, d->reason == POLICY_REASON_MOVED);
        if (evicts || snap_facts_job(facts, d->job) != job)
            continue;
        starts |= d->kind == POLICY_START;
        t->tasks++;
        t->gpu_milli += snap_gpu_milli(&task->request);
        add_node(t, snap_facts_node(facts, d->node)->name);
    }
    t->outcome = t->victim_count > 0 ? TRIAL_EVICTS
                 : starts            ? TRIAL_STARTS
                 : t->tasks > 0      ? TRIAL_RELEASES
                                     : TRIAL_WAITS;
}

void trial_run(struct trial *t, const struct dry_run *run, const struct snap_job *job,
               const struct snap_job *changed)
{
    struct snap_job *place = &run->s->jobs[job - run->s->jobs];
    const struct snap_job former = *place;
    struct dry_run fresh;
    struct err refused = {0};
    *t = (struct trial){.outcome = TRIAL_WAITS};
    *place = *changed;
    if (dry_run_branch(&fresh, run, &refused) && dry_run_decide(&fresh, &refused))
        trial_read(t, &fresh, place);
    dry_run_close(&fresh);
    *place = former;
}

void trial_fini(struct trial *t)
{
    free(t->nodes);
    free(t->victims);
    *t = (struct trial){.outcome = TRIAL_WAITS};
}

/* ---- in words ---- */

static void more(struct out *out, size_t count)
{
    if (count > SHOWN)
        escape_format(out, " and %zu more", count - SHOWN);
}

void trial_print_victims(const struct trial *t, struct out *out)
{
    const char *verb = "";
    for (size_t i = 0; i < t->victim_count && i < SHOWN; i++) {
        const struct trial_victim *v = &t->victims[i];
        const char *its = v->moved ? "moves " : "evicts ";
        escape_format(out, "%s%s%s (", i > 0 ? ", " : "", strcmp(its, verb) == 0 ? "" : its,
                      v->job->id);
        why_gpus(out, v->gpu_milli);
        out_char(out, ')');
        verb = its;
    }
    more(out, t->victim_count);
}

void trial_print(const struct trial *t, struct out *out)
{
    for (size_t i = 0; i < t->node_count && i < SHOWN; i++)
        escape_format(out, "%s%s", i > 0 ? ", " : " on ", t->nodes[i]);
    more(out, t->node_count);
    if (t->victim_count > 0) {
        out_text(out, "; ");
        trial_print_victims(t, out);
    }
}
