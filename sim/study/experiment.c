/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulating replicas in memory; see experiment.h. */
#include "sim/study/experiment.h"

#include "sim/base/mem.h"
#include "sim/base/workers.h"
#include "sim/program/signals.h"
#include "sim/study/run_one.h"

#include <pthread.h>
#include <stdlib.h>

struct piece {
    size_t side;
    int replica; /* 1.. */
};

struct batch {
    struct experiment *experiment;
    struct piece *pieces;
    size_t count;
    pthread_mutex_t lock; /* of what follows */
    size_t done;
};

/* The replicas that a side lacks, with equal numbers of all sides together. */
static void list_pieces(struct batch *batch, int replicas)
{
    const struct experiment *experiment = batch->experiment;
    batch->pieces = mem_alloc((size_t)replicas * experiment->side_count + 1, sizeof *batch->pieces);
    for (int replica = 1; replica <= replicas; replica++)
        for (size_t side = 0; side < experiment->side_count; side++)
            if (experiment->sides[side].count < replica)
                batch->pieces[batch->count++] = (struct piece){side, replica};
}

static void make_room(const struct experiment *experiment, int replicas)
{
    for (size_t i = 0; i < experiment->side_count; i++) {
        struct experiment_side *side = &experiment->sides[i];
        if (side->count >= replicas)
            continue;
        side->summaries = mem_resize(side->summaries, (size_t)replicas, sizeof *side->summaries);
        for (int k = side->count; k < replicas; k++)
            side->summaries[k] = NULL;
    }
}

/* Complete replicas stay; of a stopped experiment nothing else does. */
static void settle(const struct experiment *experiment, int replicas, bool complete)
{
    for (size_t i = 0; i < experiment->side_count; i++) {
        struct experiment_side *side = &experiment->sides[i];
        if (side->count >= replicas)
            continue;
        for (int k = side->count; !complete && k < replicas; k++) {
            free(side->summaries[k]);
            side->summaries[k] = NULL;
        }
        if (complete)
            side->count = replicas;
    }
}

static void count_one(struct batch *batch)
{
    if (batch->experiment->progress == NULL)
        return;
    pthread_mutex_lock(&batch->lock);
    batch->done++;
    progress_count(batch->experiment->progress, batch->done, batch->count, "simulations");
    pthread_mutex_unlock(&batch->lock);
}

static bool fail(const struct batch *batch, const struct piece *piece, struct err *err)
{
    const char *name = batch->experiment->sides[piece->side].name;
    return name != NULL && err_prefix(err, "%s: replica %d", name, piece->replica);
}

static bool is_known(const struct experiment *experiment, const struct piece *piece)
{
    char **summary = &experiment->sides[piece->side].summaries[piece->replica - 1];
    *summary = experiment->recall != NULL
                   ? experiment->recall(experiment->store, piece->side, piece->replica)
                   : NULL;
    return *summary != NULL;
}

static bool simulate(void *self, size_t number, struct err *err)
{
    struct batch *batch = self;
    const struct piece *piece = &batch->pieces[number];
    if (is_known(batch->experiment, piece)) {
        count_one(batch);
        return true;
    }
    struct experiment_side *side = &batch->experiment->sides[piece->side];
    const struct experiment *experiment = batch->experiment;
    struct run_watch watch = {.self = NULL};
    if (experiment->watch != NULL)
        watch = experiment->watch(experiment->watch_self, piece->side, piece->replica);
    struct out *out = out_memory();
    struct run_one one = {.scenario = side->scenario,
                          .replica = piece->replica,
                          .audit = batch->experiment->audit,
                          .watch = watch.self != NULL ? &watch : NULL,
                          .summary = out};
    bool ok = run_one(&one, err);
    size_t n;
    const char *text = out_memory_text(out, &n);
    if (ok && !one.interrupted) {
        side->summaries[piece->replica - 1] = mem_text_n(text, n);
        count_one(batch);
        ok = experiment->keep == NULL ||
             experiment->keep(experiment->store, piece->side, piece->replica,
                              side->summaries[piece->replica - 1], err);
    }
    out_discard(out);
    return ok || fail(batch, piece, err);
}

bool experiment_run(struct experiment *experiment, int replicas, struct err *err)
{
    struct batch batch = {.experiment = experiment};
    list_pieces(&batch, replicas);
    make_room(experiment, replicas);
    pthread_mutex_init(&batch.lock, NULL);
    struct work work = {.count = batch.count,
                        .threads = experiment->threads,
                        .piece = simulate,
                        .stop = cli_stop,
                        .self = &batch};
    bool ok = workers_run(&work, err);
    pthread_mutex_destroy(&batch.lock);
    free(batch.pieces);
    experiment->interrupted = cli_interrupted() != 0;
    settle(experiment, replicas, ok && !experiment->interrupted);
    return ok;
}

void experiment_forget(struct experiment *experiment)
{
    for (size_t i = 0; i < experiment->side_count; i++) {
        struct experiment_side *side = &experiment->sides[i];
        for (int k = 0; k < side->count; k++)
            free(side->summaries[k]);
        free(side->summaries);
        side->summaries = NULL;
        side->count = 0;
    }
}
