/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the targets require, and the smallest fleet that could meet them; see bound.h. */
#include "sim/plan/bound.h"

#include "scenarios/json/source.h"
#include "sim/base/mem.h"
#include "sim/base/workers.h"
#include "sim/plan/demand.h"
#include "sim/plan/question.h"
#include "sim/program/signals.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- replicas ---- */

struct bounder {
    const struct scenario *scenario;
    const struct question *questions;
    size_t count;
    struct replica_store *store;
    char key[DIGEST_HEX];
    int64_t *gpus; /* [replica * count + question] */
    size_t *jobs;  /* [replica]: in the first question that is known */
};

struct bound_answer {
    struct bounder *b;
    size_t replica;
};

static bool asks_for(const struct question *q, const struct plan_request *r, const struct sim *sim)
{
    if (r->lost || !(r->counted || q->all))
        return false;
    return (q->class == NULL || strcmp(trace_class_names[r->class], q->class) == 0) &&
           (q->size == NULL || strcmp(waits_size_names[r->size], q->size) == 0) &&
           (q->queue == NULL || strcmp(sim->queues[r->queue].name, q->queue) == 0);
}

static size_t choose(const struct question *q, const struct plan_demand *demand,
                     const struct sim *sim, struct bound_job *jobs)
{
    size_t n = 0;
    for (size_t i = 0; i < demand->count; i++)
        if (asks_for(q, &demand->requests[i], sim))
            jobs[n++] = demand->requests[i].job;
    return n;
}

static void answer(void *self, const struct plan_demand *demand, const struct sim *sim)
{
    const struct bound_answer *to = self;
    struct bounder *b = to->b;
    struct bound_job *jobs = mem_alloc(demand->count + 1, sizeof *jobs);
    for (size_t t = 0; t < b->count; t++) {
        if (!b->questions[t].known)
            continue;
        size_t n = choose(&b->questions[t], demand, sim, jobs);
        b->gpus[to->replica * b->count + t] = bound_gpus(jobs, n, &b->questions[t].ask);
        if (b->jobs[to->replica] == 0)
            b->jobs[to->replica] = n;
    }
    free(jobs);
}

/* {"jobs": n, "gpus": [...]} of a replica, as it is kept. */
static bool read_answer(struct bounder *b, size_t replica, const char *text)
{
    cJSON *kept = cJSON_Parse(text);
    const cJSON *gpus = json_member(kept, "gpus"), *jobs = json_member(kept, "jobs");
    bool ok = cJSON_GetArraySize(gpus) == (int)b->count && cJSON_IsNumber(jobs);
    for (size_t t = 0; ok && t < b->count; t++)
        b->gpus[replica * b->count + t] = (int64_t)cJSON_GetArrayItem(gpus, (int)t)->valuedouble;
    if (ok)
        b->jobs[replica] = (size_t)jobs->valuedouble;
    cJSON_Delete(kept);
    return ok;
}

static bool keep_answer(const struct bounder *b, size_t replica, struct err *err)
{
    struct out *out = out_memory();
    out_format(out, "{\"jobs\": %zu, \"gpus\": [", b->jobs[replica]);
    for (size_t t = 0; t < b->count; t++)
        out_format(out, "%s%" PRId64, t > 0 ? ", " : "", b->gpus[replica * b->count + t]);
    out_text(out, "]}\n");
    char *text = out_memory_take(out);
    bool ok = replica_store_put(b->store, b->key, "bound-", (int)replica + 1, text, err);
    free(text);
    return ok;
}

static bool bound_piece(void *self, size_t replica, struct err *err)
{
    struct bounder *b = self;
    char *kept = replica_store_get(b->store, b->key, "bound-", (int)replica + 1);
    bool known = kept != NULL && read_answer(b, replica, kept);
    free(kept);
    if (known)
        return true;
    struct bound_answer to = {b, replica};
    return plan_demand(b->scenario, (int)replica + 1, answer, &to, err) &&
           (cli_interrupted() != 0 || keep_answer(b, replica, err));
}

static void settle(const struct bounder *b, struct capacity *c)
{
    for (size_t t = 0; t < b->count; t++) {
        int64_t least = INT64_MAX;
        for (size_t r = 0; b->questions[t].known && r < (size_t)c->replicas; r++) {
            int64_t gpus = b->gpus[r * b->count + t];
            if (gpus != BOUND_NONE && gpus < least)
                least = gpus;
        }
        if (!b->questions[t].known)
            continue;
        c->bound.known = true;
        if (least == INT64_MAX)
            c->bound.impossible = true;
        else if (least > c->bound.gpu_milli)
            c->bound.gpu_milli = least;
    }
    c->bound.jobs = b->jobs[0];
}

/* The targets as text, part of the key of stored results. */
static char *targets_text(const struct capacity *c)
{
    struct out *out = out_memory();
    for (size_t t = 0; t < c->target_count; t++)
        out_format(out, "%s\n", c->targets[t].text);
    return out_memory_take(out);
}

static bool bound_all(struct bounder *b, struct capacity *c, int threads, bool *interrupted,
                      struct err *err)
{
    struct work work = {.count = (size_t)c->replicas,
                        .threads = threads,
                        .piece = bound_piece,
                        .stop = cli_stop,
                        .self = b};
    char *targets = targets_text(c);
    b->gpus = mem_alloc((size_t)c->replicas * b->count, sizeof *b->gpus);
    b->jobs = mem_alloc((size_t)c->replicas, sizeof *b->jobs);
    bool ok =
        replica_store_key(b->store, b->scenario, targets, b->key, err) && workers_run(&work, err);
    *interrupted = cli_interrupted() != 0;
    if (ok && !*interrupted)
        settle(b, c);
    free(targets);
    free(b->jobs);
    free(b->gpus);
    return ok && !*interrupted;
}

/* Of the fleet that is known to run: as given, or where the search starts. */
static bool bound_variant(struct capacity *c, const struct plan_bound_of *of, struct bounder *b,
                          int threads, bool *interrupted, struct err *err)
{
    struct scenario *scenario;
    if (!plan_world_load(of->world, of->variant, of->nodes, false, &scenario, err))
        return false;
    b->scenario = scenario;
    bool ok = bound_all(b, c, threads, interrupted, err);
    scenario_destroy(scenario);
    if (ok && c->bound.known)
        c->bound.nodes = plan_nodes_for(of->shape, plan_world_spares(of->world, of->variant),
                                        c->bound.gpu_milli);
    return ok;
}

bool plan_bound(struct capacity *c, const struct plan_bound_of *of, struct replica_store *store,
                int threads, bool *interrupted, struct err *err)
{
    const struct scenario *scenario = of->world->given;
    struct question questions[SEARCH_TARGETS];
    struct bounder b = {.questions = questions, .count = c->target_count, .store = store};
    bool any = false;
    for (size_t t = 0; t < c->target_count; t++) {
        questions[t] = plan_question(&c->targets[t]);
        any |= questions[t].known;
    }
    c->bound = (struct capacity_bound){
        .why = "there is one for targets that bound wait, queue, jct or makespan from above only"};
    if (scenario->closed || scenario->service_count > 0) {
        c->bound.why =
            scenario->closed ? "what users submit depends on the fleet" : "services follow a load";
        any = false;
    }
    return !any || bound_variant(c, of, &b, threads, interrupted, err);
}
