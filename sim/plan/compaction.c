/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Packs the work of a moment repeatedly; see compaction.h. A trial has one random order of nodes,
 * keyed by its seed; a cell of m nodes consists of the first m. The policy core decides from
 * scratch, with all work pending and the cell empty, cycle after cycle until one starts nothing; of
 * several actions it uses only allocate.
 */
#include "sim/plan/compaction.h"

#include "report/plan/compaction.h"
#include "report/plan/search.h"
#include "scenarios/snapshot/cell.h"
#include "sim/ask/dry_run.h"
#include "sim/base/mem.h"
#include "sim/base/rng.h"
#include "sim/base/text.h"
#include "sim/base/workers.h"
#include "sim/plan/work.h"
#include "sim/policy/plugins.h"
#include "sim/program/signals.h"
#include "sim/study/run_dir.h"

#include <gsl/gsl_randist.h>
#include <stdlib.h>
#include <string.h>

#define MOST_COPIES INT64_C(64)
#define MOST_CYCLES 1000
#define SPARE_SHARE 500 /* one task in this many may stay pending: 0.2 % */

struct packing {
    const struct cli *cli;
    struct dry_run base; /* snapshot and policy, as `decide` has them */
    struct compaction result;
    size_t *up; /* nodes of the snapshot that count, rising */
    int64_t soft_milli;
    uint64_t seed;
};

/* ---- one cell ---- */

static int by_place(const void *a, const void *b)
{
    const struct cell_node *x = a, *y = b;
    if (x->copy != y->copy)
        return x->copy < y->copy ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

static int64_t starts_of(const struct dry_run *run)
{
    int64_t starts = 0;
    for (size_t i = 0; i < run->decision_count; i++)
        starts +=
            (run->decisions[i].kind == POLICY_START) - (run->decisions[i].kind == POLICY_EVICT);
    return starts;
}

/* The reason of the first job that waits; static text of the core. */
static const char *reason_of(const struct dry_run *run)
{
    for (size_t i = 0; i < run->s->job_count; i++) {
        struct pending pending;
        if (!dry_run_pending(run, &run->s->jobs[i], &pending))
            continue;
        const char *reason = pending.reason;
        pending_fini(&pending);
        if (run->s->jobs[i].stray == SNAP_IN_QUEUE)
            return reason;
    }
    return NULL;
}

/* Tasks that find no place; *why (may be NULL) one of the reasons. */
static bool pack(const struct packing *p, struct cell_node *nodes, size_t count, int64_t *pending,
                 const char **why, struct err *err)
{
    qsort(nodes, count, sizeof *nodes, by_place);
    struct snapshot *cell = snapshot_cell_create(p->base.s, nodes, count, p->soft_milli);
    const struct dry_run of = {
        .s = cell, .config = p->base.config, .policy_name = p->base.policy_name};
    struct dry_run run;
    bool ok = dry_run_branch(&run, &of, err), more = true;
    *pending = p->result.tasks;
    for (int cycle = 0; ok && more && cycle < MOST_CYCLES; cycle++) {
        ok = dry_run_decide(&run, err);
        int64_t starts = ok ? starts_of(&run) : 0;
        *pending -= starts;
        more = starts > 0 && *pending > 0;
        if (ok && !more && why != NULL)
            *why = reason_of(&run);
        ok = ok && (!more || dry_run_apply(&run, err));
    }
    dry_run_close(&run);
    snapshot_cell_destroy(cell);
    return ok;
}

/* ---- a trial ---- */

struct trial {
    const struct packing *p;
    struct cell_node *order; /* of leaving away, from the end */
    int64_t *pending;        /* by number of nodes, -1 not tried */
};

static bool try_nodes(void *self, int64_t nodes, uint32_t *met, struct err *err)
{
    struct trial *t = self;
    if (cli_interrupted() != 0)
        return false;
    if (t->pending[nodes] < 0) {
        struct cell_node *some = mem_alloc((size_t)nodes, sizeof *some);
        memcpy(some, t->order, (size_t)nodes * sizeof *some);
        bool ok = pack(t->p, some, (size_t)nodes, &t->pending[nodes], NULL, err);
        free(some);
        if (!ok)
            return false;
    }
    *met = t->pending[nodes] <= t->p->result.spare;
    return true;
}

static void shuffle(const struct packing *p, uint64_t seed, struct cell_node *order, size_t count)
{
    struct rng_stream stream;
    rng_init(&stream, seed, RNG_COMPACTION, 0);
    for (size_t i = 0; i < count; i++)
        order[i] =
            (struct cell_node){i / (size_t)p->result.nodes, p->up[i % (size_t)p->result.nodes]};
    gsl_ran_shuffle(rng_gsl(&stream), order, count, sizeof *order);
}

static bool run_trial(void *self, size_t number, struct err *err)
{
    struct packing *p = self;
    struct compaction_trial *result = &p->result.trials[number];
    size_t count = (size_t)(p->result.nodes * p->result.copies);
    struct trial t = {.p = p,
                      .order = mem_alloc(count, sizeof *t.order),
                      .pending = mem_alloc(count + 1, sizeof *t.pending)};
    for (size_t i = 0; i <= count; i++)
        t.pending[i] = -1;
    result->seed = p->seed + number;
    shuffle(p, result->seed, t.order, count);
    struct search search = {.low = 1,
                            .high = (int64_t)count,
                            .start = p->result.bound,
                            .target_count = 1,
                            .try = try_nodes,
                            .self = &t};
    struct search_result found;
    bool ok = search_smallest(&search, &found, err);
    if (ok && found.answer > 0) {
        result->nodes = found.answer;
        result->pending = t.pending[found.answer];
        for (int64_t i = 0; i < found.answer; i++)
            result->gpu_milli += (int64_t)p->base.s->nodes[t.order[i].index].gpus * 1000;
    }
    free(t.order);
    free(t.pending);
    return ok || cli_interrupted() != 0;
}

/* ---- what is to be packed ---- */

static void measure_cell(struct packing *p)
{
    const struct snapshot *s = p->base.s;
    p->up = mem_alloc(s->node_count + 1, sizeof *p->up);
    for (size_t i = 0; i < s->node_count; i++)
        if (s->nodes[i].state == POLICY_NODE_UP) {
            p->up[p->result.nodes++] = i;
            p->result.gpu_milli += (int64_t)s->nodes[i].gpus * 1000;
        }
    p->soft_milli = p->result.gpu_milli / 2;
}

static void measure_work(struct packing *p)
{
    const struct snapshot *s = p->base.s;
    struct compaction *c = &p->result;
    for (size_t i = 0; i < s->job_count; i++) {
        const struct snap_job *job = &s->jobs[i];
        if (!snapshot_job_works(s, job))
            continue;
        for (uint32_t t = 0; t < job->task_count; t++)
            if (snapshot_task_works(s, job, &job->tasks[t])) {
                c->tasks++;
                c->work_milli += snap_gpu_milli(&job->tasks[t].request);
            }
        c->soft_jobs += job->stray == SNAP_IN_QUEUE && snapshot_job_milli(job) > p->soft_milli;
    }
    c->spare = c->tasks / SPARE_SHARE;
}

static int falling(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x < y) - (x > y);
}

/* The total of the tasks that must be placed, if those left out are the largest. */
static int64_t least_work(const struct packing *p)
{
    const struct snapshot *s = p->base.s;
    int64_t *milli = mem_alloc((size_t)p->result.tasks + 1, sizeof *milli), sum = 0;
    size_t n = 0;
    for (size_t i = 0; i < s->job_count; i++) {
        const struct snap_job *job = &s->jobs[i];
        const bool works = snapshot_job_works(s, job);
        for (uint32_t t = 0; t < job->task_count && works; t++)
            if (snapshot_task_works(s, job, &job->tasks[t]))
                milli[n++] = snap_gpu_milli(&job->tasks[t].request);
    }
    qsort(milli, n, sizeof *milli, falling);
    for (size_t i = (size_t)p->result.spare; i < n; i++)
        sum += milli[i];
    free(milli);
    return sum;
}

/* No packing does with less: this many of the nodes with the most GPUs have what the work requests.
 * At least 1. */
static int64_t least_nodes(const struct packing *p)
{
    int64_t want = least_work(p), nodes = 0, have = 0;
    int64_t *gpus = mem_alloc((size_t)p->result.nodes, sizeof *gpus);
    for (int64_t i = 0; i < p->result.nodes; i++)
        gpus[i] = (int64_t)p->base.s->nodes[p->up[i]].gpus * 1000;
    qsort(gpus, (size_t)p->result.nodes, sizeof *gpus, falling);
    for (int64_t i = 0; i < p->result.nodes && have < want; i++)
        for (int64_t copy = 0; copy < p->result.copies && have < want; copy++) {
            have += gpus[i];
            nodes++;
        }
    free(gpus);
    return nodes > 1 ? nodes : 1;
}

/* The number of copies of the cell that are enough together: 1, 2, 4, ... */
static bool find_copies(struct packing *p, struct err *err)
{
    struct compaction *c = &p->result;
    for (c->copies = 1;; c->copies *= 2) {
        size_t count = (size_t)(c->nodes * c->copies);
        struct cell_node *all = mem_alloc(count, sizeof *all);
        int64_t pending;
        shuffle(p, p->seed, all, count);
        bool ok = pack(p, all, count, &pending, &c->why, err);
        free(all);
        if (!ok)
            return false;
        if (pending <= c->spare)
            c->why = NULL;
        if (pending <= c->spare || c->copies == MOST_COPIES)
            return true;
    }
}

/* ---- all of it ---- */

static bool compact(struct packing *p, struct err *err)
{
    struct compaction *c = &p->result;
    measure_cell(p);
    measure_work(p);
    if (c->nodes == 0)
        return err_set(err, EXIT_INPUT, "%s: no node is up", c->source);
    if (c->tasks == 0)
        return err_set(err, EXIT_INPUT, "%s: there is no work to pack", c->source);
    if (!find_copies(p, err))
        return false;
    c->bound = least_nodes(p);
    c->trials = mem_alloc(COMPACTION_TRIALS, sizeof *c->trials);
    c->trial_count = COMPACTION_TRIALS;
    struct work work = {.count = COMPACTION_TRIALS,
                        .threads = (int)cli_number(p->cli, OPT_JOBS, 1),
                        .piece = run_trial,
                        .stop = cli_stop,
                        .self = p};
    if (c->why == NULL && !workers_run(&work, err))
        return false;
    compaction_sort(c);
    return true;
}

/* The work is packed by starting alone; policies with a single action do not have the option, and
 * do not need it. */
static void allocate_only(struct packing *p)
{
    struct policy_error ignored = {0};
    (void)policy_config_set(&p->base.config, "actions", "allocate", &ignored);
}

static bool print(const struct packing *p, struct err *err)
{
    struct out *out = p->cli->out;
    const char *dir = cli_option(p->cli, OPT_OUTPUT);
    if (cli_given(p->cli, OPT_JSON)) {
        struct json json;
        json_init(&json, out, 1);
        compaction_json(&p->result, &json);
        out_char(out, '\n');
    } else {
        compaction_table(&p->result, out);
    }
    return dir == NULL || (run_dir_make(dir, err) && compaction_write(&p->result, dir, err));
}

static int interrupted(void)
{
    cli_message("interrupted: there is no answer yet, and no results are kept");
    return 128 + cli_interrupted();
}

static int run_packing(struct packing *p, struct snapshot *snapshot)
{
    struct err err = {0};
    if (!dry_run_open_with(&p->base, snapshot, p->cli, &err))
        return cli_fail(&err);
    allocate_only(p);
    p->result.policy = plugin_name_of(p->base.policy_name);
    bool ok = compact(p, &err);
    if (cli_interrupted())
        return interrupted();
    if (!ok || !print(p, &err))
        return cli_fail(&err);
    return compaction_result(&p->result)->nodes > 0 ? EXIT_OK : EXIT_UNDECIDED;
}

int plan_compaction(struct cli *cli)
{
    static const enum option_id others[] = {OPT_TARGET,   OPT_POOL,   OPT_RANGE,   OPT_CONFIDENCE,
                                            OPT_REPLICAS, OPT_GROWTH, OPT_HORIZON, OPT_FLEET};
    struct err err = {0};
    struct packing p = {.cli = cli, .result = {.source = cli->operands[0]}};
    struct snapshot *snapshot;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (cli_given(cli, others[i]))
            return cli_misuse(cli, "--%s: not with --method compaction",
                              option_rows[others[i]].name);
    if (cli_given(cli, OPT_OUTPUT) && text_ends_in(cli_option(cli, OPT_OUTPUT), ".html"))
        return cli_misuse(cli, "-o '%s': compaction has no page, expected a directory",
                          cli_option(cli, OPT_OUTPUT));
    cli_catch_signals();
    if (!plan_work(cli, &snapshot, &p.result.at_s, &p.seed, &err))
        return cli_interrupted() ? interrupted() : cli_fail(&err);
    int code = run_packing(&p, snapshot);
    dry_run_close(&p.base);
    free(p.result.trials);
    free(p.up);
    return code;
}
