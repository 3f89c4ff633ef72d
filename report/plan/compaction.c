/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results of cell compaction, for people and programs; see compaction.h. */
#include "report/plan/compaction.h"
#include "report/plan/files.h"

#include "report/words/units.h"

#include <math.h>
#include <stdlib.h>

#define DIGITS 6

static int by_nodes(const void *a, const void *b)
{
    const struct compaction_trial *x = a, *y = b;
    if ((x->nodes == 0) != (y->nodes == 0))
        return x->nodes == 0 ? 1 : -1;
    if (x->nodes != y->nodes)
        return x->nodes < y->nodes ? -1 : 1;
    return (x->seed > y->seed) - (x->seed < y->seed);
}

void compaction_sort(struct compaction *c)
{
    qsort(c->trials, c->trial_count, sizeof *c->trials, by_nodes);
}

const struct compaction_trial *compaction_result(const struct compaction *c)
{
    size_t rank = (size_t)ceil(COMPACTION_QUANTILE * (double)c->trial_count - 1e-9);
    return &c->trials[rank - 1];
}

int64_t compaction_least(const struct compaction *c)
{
    return c->trials[0].nodes;
}

int64_t compaction_most(const struct compaction *c)
{
    return c->trials[c->trial_count - 1].nodes;
}

void compaction_table(const struct compaction *c, struct out *out)
{
    char share[UNIT_TEXT], gpus[UNIT_TEXT], work[UNIT_TEXT], at[UNIT_TEXT];
    const struct compaction_trial *result = compaction_result(c);
    out_text(out, c->source);
    if (!isnan(c->at_s))
        out_format(out, " at %s s", unit_exact(at, c->at_s));
    out_format(out, ", policy %s\n", c->policy);
    out_format(out, "work     %lld tasks, %s GPUs, on %lld nodes with %s GPUs\n",
               (long long)c->tasks, unit_exact(work, (double)c->work_milli / 1000),
               (long long)c->nodes, unit_exact(gpus, (double)c->gpu_milli / 1000));
    if (result->nodes == 0) {
        out_format(out, "No answer: %lld copies of the cell are too small for it, %s\n",
                   (long long)c->copies, c->why ? c->why : "");
        return;
    }
    out_format(
        out, "compact  %lld nodes (%lld..%lld over %zu trials, 90th percentile), %s of the cell\n",
        (long long)result->nodes, (long long)compaction_least(c), (long long)compaction_most(c),
        c->trial_count, unit_percent(share, (double)result->nodes / (double)c->nodes));
    out_format(out, "bound    %lld nodes, by GPUs alone\n", (long long)c->bound);
    out_format(out, "pending  at most %lld tasks may be (0.2%%); %lld are\n", (long long)c->spare,
               (long long)result->pending);
    if (c->soft_jobs > 0)
        out_format(
            out,
            "soft     %lld jobs want more than half the cell: their constraints are preferences\n",
            (long long)c->soft_jobs);
    if (c->copies > 1)
        out_format(
            out, "copies   the cell is too small for its work: %lld copies of it were compacted\n",
            (long long)c->copies);
    if (result->nodes < c->nodes)
        out_text(out, "The rest is headroom for growth, failures and peaks.\n");
}

static void number_or_null(struct json *j, const char *key, int64_t nodes)
{
    if (nodes > 0)
        json_i64(j, key, nodes);
    else
        json_null(j, key);
}

void compaction_json(const struct compaction *c, struct json *j)
{
    json_begin_object(j, NULL);
    json_i64(j, "fauxfleet_plan", 1);
    json_text(j, "method", "compaction");
    json_text(j, "source", c->source);
    json_f64(j, "at_s", c->at_s, 3);
    json_text(j, "policy", c->policy);
    number_or_null(j, "nodes", compaction_result(c)->nodes);
    number_or_null(j, "least", compaction_least(c));
    number_or_null(j, "most", compaction_most(c));
    json_i64(j, "bound", c->bound);
    json_i64(j, "copies", c->copies);
    json_begin_object(j, "cell");
    json_i64(j, "nodes", c->nodes);
    json_f64(j, "gpus", (double)c->gpu_milli / 1000, 3);
    json_end_object(j);
    json_begin_object(j, "work");
    json_i64(j, "tasks", c->tasks);
    json_f64(j, "gpus", (double)c->work_milli / 1000, 3);
    json_i64(j, "soft_jobs", c->soft_jobs);
    json_i64(j, "may_stay_pending", c->spare);
    json_end_object(j);
    if (c->why != NULL)
        json_text(j, "why", c->why);
    json_begin_array(j, "trials");
    for (size_t i = 0; i < c->trial_count; i++) {
        const struct compaction_trial *trial = &c->trials[i];
        json_begin_object(j, NULL);
        json_u64(j, "seed", trial->seed);
        number_or_null(j, "nodes", trial->nodes);
        json_f64(j, "gpus", (double)trial->gpu_milli / 1000, 3);
        json_i64(j, "pending", trial->pending);
        json_end_object(j);
    }
    json_end_array(j);
    json_end_object(j);
}

void compaction_csv(const struct compaction *c, struct out *out)
{
    out_text(out, "seed,nodes,gpus,pending\n");
    for (size_t i = 0; i < c->trial_count; i++) {
        const struct compaction_trial *trial = &c->trials[i];
        out_u64(out, trial->seed);
        out_char(out, ',');
        if (trial->nodes > 0)
            out_i64(out, trial->nodes);
        out_char(out, ',');
        out_milli(out, trial->gpu_milli);
        out_char(out, ',');
        out_i64(out, trial->pending);
        out_char(out, '\n');
    }
}

static void print_csv(const void *c, struct out *csv)
{
    compaction_csv(c, csv);
}

static void print_json(const void *c, struct json *json)
{
    compaction_json(c, json);
}

bool compaction_write(const struct compaction *c, const char *dir, struct err *err)
{
    struct plan_files files = {c, "trials.csv", print_csv, print_json};
    return plan_files_write(&files, dir, err);
}
