/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Speed of devices for jobs recorded on other devices; see speed.h. */
#include "sim/speed_internal.h"

#include "sim/base/mem.h"
#include "sim/speed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- yardsticks ---- */

static struct perf_ratio ratio_of(const struct sim_network *network, const struct perf_model *model,
                                  const struct sim_node_kind *kind)
{
    if (network->device != NULL)
        return network->device(network->self, model, kind);
    double own = perf_model_known_speed(model, kind->gpu_type, kind->traits->speed);
    return (struct perf_ratio){.speed = own > 0 ? own : 1,
                               .mark = own > 0 ? PERF_MARK_MODEL : PERF_MARK_UNKNOWN,
                               .source = ""};
}

bool speed_same_device(const struct sim_node_kind *a, const struct sim_node_kind *b)
{
    return a == b ||
           (strcmp(a->gpu_type, b->gpu_type) == 0 && traits_same_device(a->traits, b->traits));
}

static bool alike(const struct sim_node_kind *a, const struct sim_node_kind *b)
{
    return speed_same_device(a, b) && a->gpus == b->gpus &&
           traits_alike(a->traits, b->traits, a->gpus);
}

/* An unknown type is as fast as the recorded one; if that is unknown, all types are. */
static void fill(struct yardstick *yard, const struct sim_network *network)
{
    const struct sim_node_kind *there = yard->recorded_on;
    if (there != NULL)
        yard->there = ratio_of(network, yard->model, there);
    bool known = there == NULL || yard->there.mark != PERF_MARK_UNKNOWN;
    bool links = there != NULL && traits_know_links(there->traits);
    yard->recorded = there != NULL && known ? yard->there.speed : 1;
    for (uint32_t i = 0; i < network->kind_count; i++) {
        const struct sim_node_kind *kind = &network->kinds[i];
        yard->here[i] = ratio_of(network, yard->model, kind);
        bool comparable = known && yard->here[i].mark != PERF_MARK_UNKNOWN;
        yard->device[i] = comparable ? yard->here[i].speed : yard->recorded;
        yard->alike[i] = there == NULL || alike(kind, there);
        yard->links_known[i] = links && traits_know_links(kind->traits);
    }
    const double *some = NULL;
    yard->even = true;
    for (uint32_t i = 0; i < network->kind_count; i++) {
        if (network->kinds[i].gpus == 0)
            continue;
        some = some != NULL ? some : &yard->device[i];
        yard->even = yard->even && yard->device[i] >= *some && yard->device[i] <= *some;
    }
}

struct yardstick *speed_yardstick(struct sim *sim, const struct perf_model *model,
                                  const struct sim_node_kind *recorded_on)
{
    struct sim_speed *speed = sim->speed;
    const struct sim_network *network = &sim->config.network;
    for (size_t i = speed->yard_count; i-- > 0;)
        if (speed->yards[i]->model == model && speed->yards[i]->recorded_on == recorded_on)
            return speed->yards[i];
    struct yardstick *yard = mem_alloc(1, sizeof *yard);
    size_t kinds = network->kind_count;
    *yard = (struct yardstick){.model = model,
                               .recorded_on = recorded_on,
                               .device = mem_alloc(kinds + 1, sizeof *yard->device),
                               .here = mem_alloc(kinds + 1, sizeof *yard->here),
                               .alike = mem_alloc(kinds + 1, sizeof *yard->alike),
                               .links_known = mem_alloc(kinds + 1, sizeof *yard->links_known),
                               .used = mem_alloc(kinds + 1, sizeof *yard->used)};
    fill(yard, network);
    speed->yards = mem_grow(speed->yards, &speed->yard_capacity, speed->yard_count + 1,
                            sizeof(struct yardstick *));
    speed->yards[speed->yard_count++] = yard;
    return yard;
}

void speed_device_free(struct sim_speed *speed)
{
    for (size_t i = 0; i < speed->yard_count; i++) {
        struct yardstick *yard = speed->yards[i];
        free(yard->device);
        free(yard->here);
        free(yard->alike);
        free(yard->links_known);
        free(yard->used);
        free(yard);
    }
    free(speed->yards);
    free(speed->recorded);
}

/* For a job in flight; NULL: none needed. */
static const struct yardstick *yard_of(const struct sim *sim, const struct work_job *job)
{
    const struct sim_speed *speed = sim->speed;
    const struct pace *pace =
        speed != NULL && job->core.i < speed->pace_count ? &speed->paces[job->core.i] : NULL;
    return pace != NULL && pace->gen == job->core.gen ? pace->yard : NULL;
}

const struct sim_node_kind *sim_recorded_on(const struct sim *sim, const struct work_job *job)
{
    const struct yardstick *yard = yard_of(sim, job);
    return yard != NULL ? yard->recorded_on : NULL;
}

double sim_device_speed(const struct sim *sim, const struct work_job *job, uint32_t node)
{
    const struct yardstick *yard = yard_of(sim, job);
    if (yard == NULL || yard->recorded_on == NULL)
        return 1;
    return yard->device[sim->config.network.kind_of[node]] / yard->recorded;
}

bool sim_assumed_speed(const struct sim *sim, size_t i, struct sim_assumed_speed *assumed)
{
    const struct sim_speed *speed = sim->speed;
    const struct sim_network *network = &sim->config.network;
    for (size_t y = 0; speed != NULL && y < speed->yard_count; y++) {
        const struct yardstick *yard = speed->yards[y];
        for (uint32_t kind = 0; yard->recorded_on != NULL && kind < network->kind_count; kind++) {
            bool other = strcmp(network->kinds[kind].gpu_type, yard->recorded_on->gpu_type) != 0 ||
                         yard->device[kind] < yard->recorded || yard->device[kind] > yard->recorded;
            if (!yard->used[kind] || !other || i-- > 0)
                continue;
            *assumed = (struct sim_assumed_speed){.recorded_on = yard->recorded_on,
                                                  .node = &network->kinds[kind],
                                                  .model = yard->model,
                                                  .speed = yard->device[kind] / yard->recorded,
                                                  .here = yard->here[kind],
                                                  .there = yard->there};
            return true;
        }
    }
    return false;
}

/* ---- devices of a job ---- */

bool speed_devices(const struct sim *sim, const struct work_job *job, const struct pace *pace,
                   double *fastest, double *slowest)
{
    const struct yardstick *yard = pace->yard;
    *fastest = 0;
    *slowest = (double)INFINITY;
    for (uint32_t id = job->first_task; id != WORK_NONE; id = sim->work.tasks[id].next) {
        const struct work_task *task = &sim->work.tasks[id];
        if (task->release_ms != WORK_NEVER || task->node == WORK_NONE ||
            (task->devices == 0 && job->request.profile == 0))
            continue;
        uint32_t kind = sim->config.network.kind_of[task->node];
        double own = yard->recorded_on != NULL ? yard->device[kind] / yard->recorded : 1;
        *fastest = fmax(*fastest, own);
        *slowest = fmin(*slowest, own);
        yard->used[kind] = true;
    }
    return *fastest > 0;
}

static bool may_use(const struct sim *sim, const struct work_job *job,
                    const struct fleet_node *node)
{
    const struct sim_queue *queue = &sim->queues[job->queue];
    if (node->gpus == 0 ||
        (job->request.types != 0 && (job->request.types >> node->gpu_type & 1) == 0))
        return false;
    bool bound = queue->pool_count > 0;
    for (uint32_t i = 0; i < queue->pool_count; i++)
        if (queue->pools[i] == node->pool)
            return true;
    return !bound;
}

bool speed_counted(struct sim *sim, const struct work_job *job, struct pace *pace, struct err *err)
{
    const struct sim_network *network = &sim->config.network;
    const struct yardstick *yard = pace->yard;
    uint32_t first = WORK_NONE, last = WORK_NONE;
    pace->counted = 1;
    for (size_t i = 0; i < sim->fleet->node_count && yard->recorded_on != NULL; i++) {
        uint32_t kind = network->kind_of[i];
        if (kind == last || !may_use(sim, job, &sim->fleet->nodes[i]))
            continue;
        last = kind;
        double own = yard->device[kind] / yard->recorded;
        yard->used[kind] = true;
        if (first == WORK_NONE) {
            first = kind;
            pace->counted = own;
            if (yard->even)
                return true;
        } else if (own < pace->counted || own > pace->counted) {
            return err_set(
                err, EXIT_INPUT,
                "placement 'count' does not say on which nodes it runs, and those that it may use "
                "are "
                "not equally fast ('%s' and '%s'): use another policy.options.placement, bind its "
                "queue to pools of one kind (queues[].pools), or say the type it wants (gpu_type)",
                network->kinds[first].gpu_type, network->kinds[kind].gpu_type);
        }
    }
    return true;
}
