/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jobs of a journal: arrivals, waits, runs and ends; see recorded.h. */
#include "sim/replay/recorded_internal.h"

#include "sim/base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_TASKS 1000000

/* ---- runs ---- */

static void start(struct recorded_job *job, int64_t at)
{
    if (job->state == RECORDED_RUNS)
        return;
    job->state = RECORDED_RUNS;
    job->decided_ms = at;
    job->started_ms = RECORDED_NEVER;
}

/*
 * It holds nothing any more. An unconfirmed start counts from its decision; an evicted job did no
 * more work from then on.
 */
static void stop(struct recorded_job *job, int64_t at, int32_t outcome)
{
    int64_t from = job->started_ms != RECORDED_NEVER ? job->started_ms : job->decided_ms;
    int64_t to =
        outcome == POLICY_EVICTED && job->evicted_ms != RECORDED_NEVER ? job->evicted_ms : at;
    if (job->is_resumed) {
        job->runs--;
        job->all_ms -= job->run_ms;
    }
    job->is_resumed = false;
    job->held = job->unconfirmed = 0;
    job->run_ms = to > from ? to - from : 0;
    job->longest_ms = job->run_ms > job->longest_ms ? job->run_ms : job->longest_ms;
    job->all_ms += job->run_ms;
    job->runs++;
    if (job->first_started_ms == RECORDED_NEVER) {
        job->first_decided_ms = job->decided_ms;
        job->first_started_ms = from;
    }
    job->evictions += outcome == POLICY_EVICTED;
    job->failed = outcome == POLICY_FAILED;
    job->state = outcome == POLICY_EVICTED ? RECORDED_WAITS : RECORDED_OVER;
}

/* An unconfirmed decision was not carried out. */
static void take_back(struct recorded_job *job)
{
    if (job->state != RECORDED_RUNS)
        return;
    job->held -= job->unconfirmed;
    job->unconfirmed = 0;
    if (job->held > 0)
        return;
    job->held = 0;
    job->state = job->is_resumed ? RECORDED_OVER : RECORDED_WAITS;
    job->is_resumed = false;
}

/*
 * It was not over: tasks that had not begun are started. The run that seemed to be its last goes
 * on, and counts as it did if they do not come about.
 */
static void resume(struct recorded_job *job)
{
    job->state = RECORDED_RUNS;
    job->is_resumed = true;
}

static void confirm(struct recorded *to, struct recorded_job *job, uint32_t task, int64_t at)
{
    job->unconfirmed -= task == POLICY_ALL_TASKS ? job->unconfirmed : job->unconfirmed > 0;
    if (job->state != RECORDED_RUNS || job->started_ms != RECORDED_NEVER)
        return;
    job->started_ms = at > job->decided_ms ? at : job->decided_ms;
    spans_add(&to->starts, job->started_ms - job->decided_ms);
    if (job->first_started_ms == RECORDED_NEVER) {
        job->first_decided_ms = job->decided_ms;
        job->first_started_ms = job->started_ms;
    }
}

/* ---- arrivals ---- */

static bool asks_oddly(const struct policy_job_spec *spec)
{
    bool odd = spec->group_count > 0 || spec->topology.topology > 0;
    for (uint32_t i = 0; i < spec->role_count; i++)
        odd = odd || spec->roles[i].topology.topology > 0 || spec->roles[i].request.term_count > 0;
    return odd;
}

static bool asks_instances(const struct policy_job_spec *spec)
{
    for (uint32_t i = 0; i < spec->role_count; i++)
        for (int k = 0; spec->roles[i].request.mig != NULL && k < POLICY_MAX_PROFILES; k++)
            if (spec->roles[i].request.mig[k] > 0)
                return true;
    return false;
}

/* Tasks of the pod set that begins with this role. */
static int64_t tasks_of_set(const struct policy_job_spec *spec, uint32_t first)
{
    int64_t tasks = spec->roles[first].tasks;
    for (uint32_t i = first + 1; i < spec->role_count && spec->roles[i].joined; i++)
        tasks += spec->roles[i].tasks;
    return tasks;
}

/* What a policy accepts and a scenario can express; the core would have refused the rest. */
static bool is_possible(const struct policy_job_spec *spec)
{
    int64_t tasks = 0;
    bool ok = reading_is_time(spec->submitted) && reading_is_time(spec->eligible) &&
              reading_is_time(spec->run_ms) && reading_is_time(spec->limit_ms) &&
              reading_is_time(spec->estimate_ms);
    for (uint32_t i = 0; i < spec->role_count && ok; i++) {
        const struct policy_role *role = &spec->roles[i];
        const struct policy_request *request = &role->request;
        tasks += role->tasks;
        ok = role->tasks > 0 && tasks <= MOST_TASKS && role->min_tasks >= 0 &&
             role->min_tasks <= tasks_of_set(spec, i) && request->devices >= 0 &&
             request->devices <= POLICY_MAX_DEVICES && request->device_milli >= 0 &&
             request->device_milli <= 1000;
    }
    return ok && spec->role_count > 0;
}

static void copy_spec(struct recorded_job *job, const struct policy_job_spec *spec)
{
    free(job->roles);
    job->roles = mem_alloc(spec->role_count + 1, sizeof *job->roles);
    memcpy(job->roles, spec->roles, spec->role_count * sizeof *job->roles);
    for (uint32_t i = 0; i < spec->role_count; i++) {
        if (job->roles[i].min_tasks == 0) /* none have to start: in a scenario one task */
            job->roles[i].min_tasks = 1;
        job->roles[i].request.terms = NULL;
        job->roles[i].request.term_count = 0;
        job->roles[i].request.mig = NULL;
    }
    job->spec = *spec;
    job->spec.roles = job->roles;
    job->spec.groups = NULL;
}

static uint32_t job_id(struct recorded *to, const struct fact *f)
{
    char own[64];
    const char *name = f->name;
    if (name == NULL || *name == '\0') {
        (void)snprintf(own, sizeof own,
                       f->job.gen > 0 ? "job-%" PRIu32 ".%" PRIu32 : "job-%" PRIu32, f->job.i,
                       f->job.gen);
        name = own;
    }
    return symbols_add(to->job_names, name, strlen(name));
}

/* It has ended. An evicted and cancelled job may reappear. */
static bool is_over(const struct recorded_job *job)
{
    return job->state == RECORDED_OVER && job->runs > 0 && !job->is_cancelled;
}

/*
 * True if `f` is about another job of the same name: the known one has run and ended, or was
 * reported in this section under another number and not cancelled.
 */
static bool is_another(const struct recorded_job *job, const struct fact *f)
{
    bool same = job->handle.i == f->job.i && job->handle.gen == f->job.gen;
    return is_over(job) || (job->is_told && !same && job->state != RECORDED_OVER);
}

static void new_job(struct recorded *to, int64_t told_ms)
{
    to->jobs = mem_grow(to->jobs, &to->job_capacity, to->job_count + 1, sizeof *to->jobs);
    to->jobs[to->job_count++] = (struct recorded_job){.told_ms = told_ms,
                                                      .namesake = SYMBOL_NONE,
                                                      .first_decided_ms = RECORDED_NEVER,
                                                      .first_started_ms = RECORDED_NEVER,
                                                      .decided_ms = RECORDED_NEVER,
                                                      .started_ms = RECORDED_NEVER,
                                                      .evicted_ms = RECORDED_NEVER};
}

/* "name#number.generation", repeated until it is new. */
static uint32_t namesake_of(struct recorded *to, uint32_t first, const struct fact *f)
{
    uint32_t id;
    char *name = mem_text(symbols_name(to->job_names, first));
    do {
        char *longer = mem_format("%s#%" PRIu32 ".%" PRIu32, name, f->job.i, f->job.gen);
        free(name);
        name = longer;
        id = symbols_add(to->job_names, name, strlen(name));
    } while (id < to->job_count);
    free(name);
    return id;
}

/* Finds the job that is meant by that name; adds one if there is none. */
static uint32_t find_or_add(struct recorded *to, const struct fact *f)
{
    const uint32_t first = job_id(to, f);
    uint32_t id = first;
    while (id < to->job_count && is_another(&to->jobs[id], f)) {
        uint32_t *next = &to->jobs[id].namesake;
        if (*next == SYMBOL_NONE)
            *next = namesake_of(to, first, f);
        else if (is_over(&to->jobs[*next]) && to->jobs[*next].namesake != SYMBOL_NONE)
            *next = to->jobs[*next].namesake; /* no fact refers to it any more */
        id = *next;
    }
    if (id == to->job_count)
        new_job(to, f->at);
    return id;
}

/* Told for the first time, or again: after it was cancelled, or because a section begins. */
bool reading_add_job(struct reading *r, const struct fact *f)
{
    struct recorded *to = r->to;
    const struct policy_job_spec *spec = f->spec;
    uint32_t queue = reading_find(r, READING_QUEUE, spec->queue.i, 0);
    if (queue == SYMBOL_NONE)
        return reading_unknown(r, "queue", spec->queue.i);
    if (asks_instances(spec))
        return reading_wrong(
            r,
            "a job that asks for MIG instances: a journal does not have the names of profiles, so "
            "this world cannot be simulated");
    if (!is_possible(spec))
        return reading_wrong(r, "a job with times beyond 2^53, or not of 1 to 1,000,000 tasks with "
                                "0 to 64 devices each");
    size_t known = to->job_count;
    uint32_t id = find_or_add(to, f);
    bool is_new = id == known;
    struct recorded_job *job = &to->jobs[id];
    if (is_new || (job->runs == 0 && job->state != RECORDED_RUNS)) {
        copy_spec(job, spec);
        job->is_odd = asks_oddly(spec);
    }
    if (job->state == RECORDED_OVER) {
        job->state = RECORDED_WAITS;
        job->is_cancelled = false;
        job->told_ms = job->runs == 0 ? f->at : job->told_ms;
    }
    job->queue = queue;
    job->is_told = true;
    job->handle = f->job;
    reading_link(r, READING_JOB, f->job.i, f->job.gen, id);
    return true;
}

/* ---- what becomes of them ---- */

static void add_place(struct recorded_job *job, uint32_t task, uint32_t node, uint64_t devices)
{
    job->places =
        mem_grow(job->places, &job->place_capacity, job->place_count + 1, sizeof *job->places);
    job->places[job->place_count++] =
        (struct recorded_place){.task = task, .node = node, .devices = devices};
}

static int64_t tasks_of(const struct recorded_job *job)
{
    int64_t tasks = 0;
    for (uint32_t i = 0; i < job->spec.role_count; i++)
        tasks += job->roles[i].tasks;
    return tasks;
}

/* Found running: since the previous section, or before the journal began; or it was started by
 * someone else. */
static bool found(struct reading *r, struct recorded_job *job, const struct fact *f)
{
    int64_t since = f->value == POLICY_NEVER || f->value > f->at ? f->at : f->value;
    uint32_t node = reading_find(r, READING_NODE, f->node.i, 0);
    if (!reading_is_time(since))
        return reading_wrong(r, "'since_ms' is beyond 2^53");
    if (node == SYMBOL_NONE)
        return reading_unknown(r, "node", f->node.i);
    bool goes_on = job->state == RECORDED_RUNS;
    start(job, since);
    if (!job->is_placed && goes_on)
        job->held = job->unconfirmed = 0;
    job->is_placed = true;
    job->held += f->task == POLICY_ALL_TASKS ? tasks_of(job) : 1;
    if (job->started_ms == RECORDED_NEVER) {
        job->started_ms = since > job->decided_ms ? since : job->decided_ms;
        if (job->first_started_ms == RECORDED_NEVER) {
            job->first_decided_ms = job->decided_ms;
            job->first_started_ms = job->started_ms;
        }
    }
    if (r->to->begin_ms == RECORDED_NEVER && f->task != POLICY_ALL_TASKS)
        add_place(job, f->task, node, f->devices);
    return true;
}

static void ended(struct recorded *to, struct recorded_job *job, const struct fact *f)
{
    if (job->state != RECORDED_RUNS)
        return;
    job->held -= f->task == POLICY_ALL_TASKS ? job->held : 1;
    if (job->held > 0)
        return;
    if (f->state == POLICY_EVICTED && job->evicted_ms != RECORDED_NEVER && f->at >= job->evicted_ms)
        spans_add(&to->stops, f->at - job->evicted_ms);
    stop(job, f->at, f->state);
}

static void cancelled(struct recorded_job *job)
{
    job->is_cancelled = job->is_cancelled || job->state != RECORDED_OVER;
    job->state = RECORDED_OVER;
    job->failed = job->runs > 0; /* it was evicted, and did not come back */
}

bool reading_job_fact(struct reading *r, const struct fact *f)
{
    uint32_t id = reading_find(r, READING_JOB, f->job.i, f->job.gen);
    if (id == SYMBOL_NONE)
        return reading_unknown(r, "job", f->job.i);
    struct recorded_job *job = &r->to->jobs[id];
    switch (f->kind) {
    case FACT_TASK_RUNNING:
        return found(r, job, f);
    case FACT_TASK_STARTED:
        confirm(r->to, job, f->task, f->at);
        break;
    case FACT_START_FAILED:
        take_back(job);
        break;
    case FACT_TASK_ENDED:
        ended(r->to, job, f);
        break;
    case FACT_JOB_CANCEL:
        take_back(job);
        cancelled(job);
        break;
    default:
        break;
    }
    return true;
}

bool reading_decision(struct reading *r, const struct fact_decision *line)
{
    const struct policy_decision *d = &line->d;
    if (d->job.i == POLICY_NO_ID) /* about a node, whose state follows */
        return true;
    uint32_t id = reading_find(r, READING_JOB, d->job.i, d->job.gen);
    if (id == SYMBOL_NONE)
        return reading_unknown(r, "job", d->job.i);
    struct recorded_job *job = &r->to->jobs[id];
    if (d->kind == POLICY_START && is_over(job) && !job->failed)
        resume(job);
    if (d->kind == POLICY_START && job->state != RECORDED_OVER) {
        int64_t tasks = d->task == POLICY_ALL_TASKS ? tasks_of(job) : 1;
        start(job, line->at);
        job->held += tasks;
        job->unconfirmed += tasks;
        job->evicted_ms = RECORDED_NEVER;
    }
    if (d->kind == POLICY_EVICT)
        job->evicted_ms = line->at;
    return true;
}

/* ---- sections ---- */

/*
 * Facts before the first decision of a section. Before the first one of the journal they describe
 * the jobs already present. A running job that was not found running has ended meanwhile: it is
 * pending again if it was reported, and over if not. A pending job that was not reported will be,
 * or is gone.
 */
void reading_settle_jobs(struct reading *r, int64_t at)
{
    struct recorded *to = r->to;
    for (size_t i = 0; i < to->job_count; i++) {
        struct recorded_job *job = &to->jobs[i];
        if (to->cycles == 0 && job->is_told) {
            job->is_early = true;
            job->was_found = job->state == RECORDED_RUNS;
        } else if (job->state == RECORDED_RUNS && !job->is_placed) {
            to->unheard++;
            stop(job, at, job->is_told ? POLICY_EVICTED : POLICY_SUCCEEDED);
        } else if (job->state == RECORDED_WAITS && !job->is_told) {
            cancelled(job);
        }
    }
}

void reading_finish_jobs(struct reading *r)
{
    struct recorded *to = r->to;
    for (size_t i = 0; i < to->job_count; i++) {
        struct recorded_job *job = &to->jobs[i];
        bool is_cut = job->state != RECORDED_OVER || (job->failed && job->evictions == job->runs);
        if (job->state == RECORDED_RUNS)
            stop(job, to->end_ms, POLICY_SUCCEEDED);
        if (to->goes_on)
            job->run_ms = job->all_ms;
        else if (is_cut)
            job->run_ms = job->longest_ms;
        spans_add(&to->seen,
                  job->told_ms > job->spec.submitted ? job->told_ms - job->spec.submitted : 0);
    }
}

void reading_forget_jobs(struct recorded *to)
{
    for (size_t i = 0; i < to->job_count; i++) {
        free(to->jobs[i].roles);
        free(to->jobs[i].places);
    }
    to->job_count = 0;
    symbols_destroy(to->job_names);
    to->job_names = symbols_create();
}
