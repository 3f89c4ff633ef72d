/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Trying a number of nodes; see try.h. */
#include "sim/plan/try.h"

#include "report/measure/speeds.h"
#include "report/results/rundir.h"
#include "sim/base/mem.h"
#include "sim/plan/world.h"
#include "sim/study/experiment.h"

#include <stdlib.h>
#include <string.h>

void plan_try_init(struct plan_try *try, struct replica_store *store,
                   struct plan_progress *progress, int threads, bool audit)
{
    *try =
        (struct plan_try){.store = store, .progress = progress, .threads = threads, .audit = audit};
    pthread_mutex_init(&try->lock, NULL);
}

void plan_try_fini(struct plan_try *try)
{
    pthread_mutex_destroy(&try->lock);
    price_notes_fini(&try->prices);
    for (size_t i = 0; i < try->speed_count; i++)
        free(try->speeds[i]);
    free(try->speeds);
}

/* ---- the store of the experiment ---- */

struct kept {
    struct plan_try *try;
    char key[DIGEST_HEX];
};

static void count(struct plan_try *try, size_t *which)
{
    pthread_mutex_lock(&try->lock);
    ++*which;
    pthread_mutex_unlock(&try->lock);
    plan_progress_count(try->progress);
}

static char *recall(void *self, size_t side, int replica)
{
    (void)side;
    const struct kept *kept = self;
    char *text = replica_store_get(kept->try->store, kept->key, "", replica);
    if (text != NULL)
        count(kept->try, &kept->try->recalled);
    return text;
}

static bool keep(void *self, size_t side, int replica, const char *summary, struct err *err)
{
    (void)side;
    const struct kept *kept = self;
    count(kept->try, &kept->try->simulated);
    return replica_store_put(kept->try->store, kept->key, "", replica, summary, err);
}

/* ---- looks ---- */

static bool look(struct experiment *experiment, int replicas, cJSON **summaries, double *never_fits,
                 struct err *err)
{
    const struct experiment_side *side = experiment->sides;
    int from = side->count;
    if (!experiment_run(experiment, replicas, err) || experiment->interrupted)
        return false;
    for (int i = from; i < side->count; i++) {
        summaries[i] = cJSON_Parse(side->summaries[i]);
        if (summaries[i] == NULL)
            return err_set(err, EXIT_INTERNAL, "a summary is not JSON");
        never_fits[i] = json_number_at(summaries[i], "jobs.never_fits");
    }
    return true;
}

/* Each ratio of each fleet once. */
static void note_speeds(struct plan_try *try, const cJSON *summary)
{
    char *note = speeds_note(summary, NULL);
    bool known = note == NULL;
    for (size_t i = 0; i < try->speed_count && !known; i++)
        known = strcmp(try->speeds[i], note) == 0;
    if (known) {
        free(note);
        return;
    }
    try->speeds = mem_resize(try->speeds, try->speed_count + 1, sizeof(char *));
    try->speeds[try->speed_count++] = note;
}

bool plan_try(struct plan_try *try, const struct capacity *c, const struct scenario *scenario,
              struct capacity_point *point, double *never_fits, struct err *err)
{
    struct kept kept = {.try = try};
    struct experiment_side side = {.scenario = scenario};
    struct experiment experiment = {.sides = &side,
                                    .side_count = 1,
                                    .threads = try->threads,
                                    .audit = try->audit,
                                    .recall = recall,
                                    .keep = keep,
                                    .store = &kept};
    size_t replicas = (size_t)c->replicas;
    cJSON **summaries = mem_alloc(replicas, sizeof(cJSON *));
    bool ok = replica_store_key(try->store, scenario, try->audit ? "audit" : "", kept.key, err),
         settled = false;
    plan_progress_number(try->progress);
    point->fleet_nodes = plan_nodes_of(scenario);
    point->gpus = plan_gpus_of(scenario);
    while (ok && !settled) {
        size_t next = rule_next_look(c->confidence, (size_t)side.count, replicas);
        ok = look(&experiment, (int)next, summaries, never_fits, err) &&
             capacity_judge(c, point, summaries, next, err);
        settled = ok && capacity_settled(c, point);
    }
    try->interrupted = experiment.interrupted;
    if (ok) {
        price_notes_add(&try->prices, summaries[0]);
        note_speeds(try, summaries[0]);
    }
    for (size_t i = 0; i < replicas; i++)
        cJSON_Delete(summaries[i]);
    free(summaries);
    experiment_forget(&experiment);
    return ok;
}
