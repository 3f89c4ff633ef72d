/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Trying changes to a job that waits, and saying which of them start it; see alternatives.h. */
#include "sim/ask/alternatives.h"
#include "sim/base/escape.h"

#include "sim/base/mem.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *change;
    bool (*find)(struct search *, struct out *words);
} rows[ALTERNATIVES] = {
    {"fewer_tasks", alternative_fewer_tasks}, {"fewer_gpus", alternative_fewer_gpus},
    {"pieces", alternative_pieces},           {"less_beside", alternative_less_beside},
    {"gpu_type", alternative_gpu_type},       {"node", alternative_node},
    {"topology", alternative_topology},       {"queue", alternative_queue},
    {"priority", alternative_priority},       {"preemptible", alternative_preemptible},
    {"time_limit", alternative_time_limit},
};

/* ---- altered jobs ---- */

void alter(struct altered *a, const struct snap_job *job, uint32_t tasks)
{
    *a = (struct altered){.job = *job};
    a->roles = mem_alloc((size_t)job->role_count + 1, sizeof *a->roles);
    a->groups = mem_alloc((size_t)job->group_count + 1, sizeof *a->groups);
    a->tasks = mem_alloc((size_t)tasks + 1, sizeof *a->tasks);
    for (uint32_t i = 0; i < job->role_count; i++)
        a->roles[i] = job->roles[i];
    for (uint32_t i = 0; i < job->group_count; i++)
        a->groups[i] = job->groups[i];
    for (uint32_t i = 0; i < tasks && i < job->task_count; i++)
        a->tasks[i] = job->tasks[i];
    a->job.roles = a->roles;
    a->job.groups = a->groups;
    a->job.tasks = a->tasks;
    a->job.task_count = tasks;
}

void altered_fini(struct altered *a)
{
    free(a->roles);
    free(a->tasks);
    free(a->groups);
    *a = (struct altered){.roles = NULL};
}

/* ---- trying ---- */

bool search_try(struct search *s, struct altered *a, int64_t value, enum trial_outcome enough)
{
    struct trial trial;
    if (s->cycles == ALTERNATIVES_CYCLES) {
        altered_fini(a);
        return false;
    }
    s->cycles++;
    trial_run(&trial, s->run, s->job, &a->job);
    if (trial.outcome < enough) {
        trial_fini(&trial);
        altered_fini(a);
        return false;
    }
    trial_fini(&s->trial);
    altered_fini(&s->best);
    s->trial = trial;
    s->best = *a;
    s->value = value;
    *a = (struct altered){.roles = NULL};
    return true;
}

static bool try_value(struct search *s, search_make make, int64_t value, enum trial_outcome enough)
{
    struct altered a;
    return make(s, value, &a) && search_try(s, &a, value, enough);
}

bool search_largest(struct search *s, search_make make, int64_t first, int64_t last)
{
    if (first > last || !try_value(s, make, first, TRIAL_EVICTS))
        return false;
    enum trial_outcome enough = s->trial.outcome;
    int64_t starts = first, fails = last + 1;
    while (fails - starts > 1) {
        int64_t middle = starts + (fails - starts) / 2;
        if (try_value(s, make, middle, enough))
            starts = middle;
        else
            fails = middle;
    }
    return true;
}

/* ---- all of them ---- */

/* Sooner and cheaper ones first, in the order of the table where they are alike. */
static void insert(struct alternatives *all, struct alternative *new, struct altered *job)
{
    size_t at = all->count++;
    for (; at > 0 && all->list[at - 1].trial.outcome < new->trial.outcome; at--)
        all->list[at] = all->list[at - 1];
    all->list[at] = *new;
    if (at > 0) {
        altered_fini(job);
        return;
    }
    altered_fini(&all->nearest);
    all->nearest = *job;
}

/* True if a smaller or less demanding job might start. */
static bool may_help(const struct snap_job *job, enum trial_outcome as_it_is, int32_t reason)
{
    bool helps = as_it_is == TRIAL_WAITS && reason != POLICY_REASON_NOT_ELIGIBLE;
    for (uint32_t t = 0; t < job->task_count; t++)
        helps &= !snap_holds(&job->tasks[t]);
    return helps;
}

bool alternatives_find(struct alternatives *all, const struct dry_run *run,
                       const struct snap_job *job, enum trial_outcome as_it_is,
                       const struct policy_explanation *e)
{
    struct search s = {.run = run, .job = job, .reason = e->reason};
    *all = (struct alternatives){.count = 0};
    if (!may_help(job, as_it_is, e->reason))
        return false;
    for (size_t i = 0; i < ALTERNATIVES; i++) {
        struct out *words = out_memory();
        if (rows[i].find(&s, words)) {
            struct alternative found = {.change = rows[i].change,
                                        .words = mem_text(out_memory_text(words, NULL)),
                                        .trial = s.trial};
            insert(all, &found, &s.best);
            s.trial = (struct trial){.outcome = TRIAL_WAITS};
            s.best = (struct altered){.roles = NULL};
        }
        trial_fini(&s.trial);
        altered_fini(&s.best);
        out_discard(words);
    }
    all->cycles = s.cycles;
    return true;
}

void alternatives_fini(struct alternatives *all)
{
    for (size_t i = 0; i < all->count; i++) {
        free(all->list[i].words);
        trial_fini(&all->list[i].trial);
    }
    altered_fini(&all->nearest);
    all->count = 0;
}

/* ---- in words ---- */

static const char *const outcomes[] = {
    [TRIAL_WAITS] = "waits",
    [TRIAL_EVICTS] = "starts after evictions",
    [TRIAL_RELEASES] = "starts after releases",
    [TRIAL_STARTS] = "starts now",
};
static const char *const outcome_keys[] = {
    [TRIAL_WAITS] = "waits",
    [TRIAL_EVICTS] = "after_evictions",
    [TRIAL_RELEASES] = "after_release",
    [TRIAL_STARTS] = "now",
};

void alternatives_print(const struct alternatives *all, struct out *out)
{
    for (size_t i = 0; i < all->count; i++) {
        const struct alternative *a = &all->list[i];
        escape_format(out, "%s%s %s,", i > 0 ? "               " : "  alternative  ",
                      outcomes[a->trial.outcome], a->words);
        trial_print(&a->trial, out);
        out_char(out, '\n');
    }
}

static void victims_json(const struct trial *t, struct json *j)
{
    json_begin_array(j, "evicts");
    for (size_t i = 0; i < t->victim_count; i++) {
        json_begin_object(j, NULL);
        json_text(j, "job", t->victims[i].job->id);
        json_text(j, "queue", t->victims[i].job->queue_name);
        json_i64(j, "tasks", t->victims[i].tasks);
        json_f64(j, "gpus", (double)t->victims[i].gpu_milli / 1000.0, 3);
        json_bool(j, "moved", t->victims[i].moved);
        json_end_object(j);
    }
    json_end_array(j);
}

void alternatives_json(const struct alternatives *all, struct json *j)
{
    json_begin_array(j, "alternatives");
    for (size_t i = 0; i < all->count; i++) {
        const struct alternative *a = &all->list[i];
        json_begin_object(j, NULL);
        json_text(j, "change", a->change);
        json_text(j, "detail", a->words);
        json_text(j, "starts", outcome_keys[a->trial.outcome]);
        json_i64(j, "tasks", a->trial.tasks);
        json_f64(j, "gpus", (double)a->trial.gpu_milli / 1000.0, 3);
        json_begin_array(j, "nodes");
        for (size_t n = 0; n < a->trial.node_count; n++)
            json_text(j, NULL, a->trial.nodes[n]);
        json_end_array(j);
        victims_json(&a->trial, j);
        json_end_object(j);
    }
    json_end_array(j);
    json_i64(j, "alternative_cycles", all->cycles);
}
