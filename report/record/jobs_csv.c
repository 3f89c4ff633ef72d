/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of jobs.csv. */
#include "report/record/jobs_csv.h"
#include "report/measure/waits.h"

#include "sim/base/digits.h"
#include "sim/base/mem.h"

#include <stdlib.h>
#include <string.h>

bool jobs_csv_open(struct jobs_csv *csv, const char *dir, struct err *err)
{
    csv->out = out_open_in(dir, "jobs.csv", err);
    if (csv->out == NULL)
        return false;
    if (csv->tau_ms == 0)
        csv->tau_ms = WAITS_TAU_MS;
    return true;
}

/*
 * Written with the first row, when it is known whether jobs may have deadlines, or at the end of a
 * run without jobs.
 */
static void header(struct jobs_csv *csv, const struct sim *sim)
{
    if (csv->begun)
        return;
    csv->begun = true;
    csv->deadlines = sim->trace != NULL && trace_dated(sim->trace);
    out_format(csv->out,
               "job_id,queue,user,class,gpus,submit_s,first_start_s,end_s,wait_s,queue_s,run_s,"
               "ideal_s,lost_s,preemptions,failures,moves,placement,slowdown,state%s,cost_usd\n",
               csv->deadlines ? ",deadline_s" : "");
}

static char *comma_after(char *to)
{
    *to = ',';
    return to + 1;
}

static char *number(char *to, int64_t milli)
{
    return comma_after(digits_milli(to, milli));
}

/* lost_s,preemptions,failures,moves */
static char *losses(char *to, const struct work_job *job)
{
    if (job->preemptions == 0 && job->moves == 0 && job->failures == 0) {
        memcpy(to, "0,0,0,0,", 8);
        return to + 8;
    }
    to = number(to, work_ms_of(job, job->lost_units));
    to = comma_after(digits_u64(to, job->preemptions));
    to = comma_after(digits_u64(to, job->failures));
    return comma_after(digits_u64(to, job->moves));
}

/*
 * gpus,submit_s,first_start_s,end_s,wait_s,queue_s,run_s,ideal_s and losses: seconds from
 * milliseconds, empty if undefined. A loop over the fields has a tenth of the code of one field
 * after another.
 */
static void times(struct out *out, const struct sim *sim, const struct work_job *job, bool ended)
{
    bool started = job->first_start_ms != WORK_NEVER;
    int64_t waits = job->state == WORK_PENDING && sim->now_ms > job->waits_since_ms
                        ? sim->now_ms - job->waits_since_ms
                        : 0;
    int64_t runs = job->state == WORK_RUNNING && job->running > 0 ? sim->now_ms - job->start_ms : 0;
    const int64_t fields[] = {
        job->gpu_milli,
        job->submit_ms,
        started ? job->first_start_ms : WORK_NEVER,
        started && ended ? job->end_ms : WORK_NEVER,
        started ? job->first_start_ms - job->eligible_ms : WORK_NEVER,
        started ? job->queue_ms + waits : WORK_NEVER,
        started ? job->run_ms + runs : WORK_NEVER,
        job->duration_ms,
    };
    char *to = out_room(out, 14 * DIGITS_MOST);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        to = fields[i] == WORK_NEVER ? comma_after(to) : number(to, fields[i]);
    out_advance(out, losses(to, job));
}

static const char *place_of(const struct sim *sim, const struct work_task *task)
{
    return task->node == WORK_NONE ? sim->fleet->pools[task->pool].name
                                   : sim->fleet->nodes[task->node].name;
}

/*
 * Names of pools and nodes come from the user. If the field is quoted, quotes in them are doubled
 * (RFC 4180).
 */
static bool wants_quotes(const struct sim *sim, const struct work_job *job)
{
    for (uint32_t id = job->first_task; id != WORK_NONE; id = sim->work.tasks[id].next) {
        const char *name = place_of(sim, &sim->work.tasks[id]);
        if (*name == ' ' || *name == '\t' || strpbrk(name, ",\"\r\n") != NULL)
            return true;
    }
    return false;
}

static void put_place(struct out *out, const char *name)
{
    for (const char *quote; (quote = strchr(name, '"')) != NULL; name = quote + 1) {
        out_bytes(out, name, (size_t)(quote + 1 - name));
        out_char(out, '"');
    }
    out_text(out, name);
}

static void placement(struct out *out, const struct sim *sim, const struct work_job *job)
{
    bool first = true, quoted = wants_quotes(sim, job);
    if (quoted)
        out_char(out, '"');
    for (uint32_t id = job->first_task; id != WORK_NONE; id = sim->work.tasks[id].next) {
        const struct work_task *task = &sim->work.tasks[id];
        if (task->release_ms != WORK_NEVER && !job->stopping) /* a limit ends all tasks at once */
            continue;
        if (!first)
            out_char(out, ';');
        first = false;
        put_place(out, place_of(sim, task));
        out_char(out, ':');
        out_milli(out, task->held_milli);
    }
    if (quoted)
        out_char(out, '"');
}

#define PLAIN_MOST 200

/* Letters, digits, dash and underscore never need quotes. */
static const bool is_plain[256] = {
    ['-'] = true, ['_'] = true, ['0'] = true, ['1'] = true, ['2'] = true, ['3'] = true,
    ['4'] = true, ['5'] = true, ['6'] = true, ['7'] = true, ['8'] = true, ['9'] = true,
    ['A'] = true, ['B'] = true, ['C'] = true, ['D'] = true, ['E'] = true, ['F'] = true,
    ['G'] = true, ['H'] = true, ['I'] = true, ['J'] = true, ['K'] = true, ['L'] = true,
    ['M'] = true, ['N'] = true, ['O'] = true, ['P'] = true, ['Q'] = true, ['R'] = true,
    ['S'] = true, ['T'] = true, ['U'] = true, ['V'] = true, ['W'] = true, ['X'] = true,
    ['Y'] = true, ['Z'] = true, ['a'] = true, ['b'] = true, ['c'] = true, ['d'] = true,
    ['e'] = true, ['f'] = true, ['g'] = true, ['h'] = true, ['i'] = true, ['j'] = true,
    ['k'] = true, ['l'] = true, ['m'] = true, ['n'] = true, ['o'] = true, ['p'] = true,
    ['q'] = true, ['r'] = true, ['s'] = true, ['t'] = true, ['u'] = true, ['v'] = true,
    ['w'] = true, ['x'] = true, ['y'] = true, ['z'] = true,
};

/*
 * Copies a plain text and a comma while checking it; returns NULL if it is not plain or `to` is
 * NULL.
 */
static char *plain(char *to, const char *text)
{
    if (to == NULL)
        return NULL;
    size_t n = 0;
    for (; n < PLAIN_MOST - 1 && is_plain[(unsigned char)text[n]]; n++)
        to[n] = text[n];
    return text[n] == '\0' ? comma_after(to + n) : NULL;
}

/* job_id,queue,user,class: nearly always plain. */
static void names(struct out *out, const struct sim *sim, const struct work_job *job)
{
    const char *const texts[] = {work_id(job), sim->queues[job->queue].name,
                                 symbols_name(sim->config.names.users, job->user),
                                 trace_class_names[job->class]};
    char *to = out_room(out, 4 * PLAIN_MOST);
    for (int i = 0; i < 4; i++)
        to = plain(to, texts[i]);
    if (to != NULL) {
        out_advance(out, to);
        return;
    }
    for (int i = 0; i < 4; i++) {
        out_csv(out, texts[i]);
        out_char(out, ',');
    }
}

static void row(struct jobs_csv *csv, const struct sim *sim, const struct work_job *job,
                const char *state)
{
    struct out *out = csv->out;
    header(csv, sim);
    bool ended = job->state == WORK_ENDED;
    names(out, sim, job);
    times(out, sim, job, ended);
    placement(out, sim, job);
    char *to = comma_after(out_room(out, 2 * DIGITS_MOST));
    out_advance(out, ended && job->first_start_ms != WORK_NEVER
                         ? number(to, waits_slowdown_milli(job, csv->tau_ms))
                         : comma_after(to));
    out_text(out, state);
    if (csv->deadlines)
        out_char(out, ',');
    if (csv->deadlines && job->deadline_ms != TRACE_UNKNOWN)
        out_seconds(out, job->deadline_ms);
    out_char(out, ',');
    int64_t micro = csv->showback != NULL ? showback_job_micro_usd(csv->showback, sim, job) : -1;
    if (micro >= 0)
        out_f64(out, (double)micro / 1e6, 6);
    out_char(out, '\n');
}

static void ended(void *self, const struct sim *sim, const struct work_job *job)
{
    struct jobs_csv *csv = self;
    if (csv->out != NULL)
        row(csv, sim, job, job->stopped ? "stopped" : trace_status_names[job->status]);
}

/* A packing study drops jobs that fit nowhere. */
static void dropped(void *self, const struct sim *sim, const struct work_job *job)
{
    struct jobs_csv *csv = self;
    if (csv->out != NULL)
        row(csv, sim, job, trace_status_names[TRACE_FAILED]);
}

struct sim_observer jobs_csv_observer(struct jobs_csv *csv)
{
    return (struct sim_observer){.self = csv, .ended = ended, .dropped = dropped};
}

static int by_number(const void *a, const void *b)
{
    uint64_t x = (*(const struct work_job *const *)a)->number;
    uint64_t y = (*(const struct work_job *const *)b)->number;
    return (x > y) - (x < y); /* numbers are unique */
}

void jobs_csv_finish(struct jobs_csv *csv, const struct sim *sim)
{
    if (csv->out == NULL)
        return;
    header(csv, sim);
    const struct work_job **left = mem_alloc(sim->work.capacity + 1, sizeof *left);
    size_t n = 0;
    for (size_t i = 0; i < sim->work.capacity; i++)
        if (sim->work.jobs[i].state == WORK_RUNNING || sim->work.jobs[i].state == WORK_PENDING)
            left[n++] = &sim->work.jobs[i];
    qsort(left, n, sizeof *left, by_number);
    for (size_t i = 0; i < n; i++) {
        row(csv, sim, left[i],
            left[i]->state == WORK_RUNNING ? "running"
            : sim_never_fits(sim, left[i]) ? "never_fits"
                                           : "pending");
    }
    free(left);
}
