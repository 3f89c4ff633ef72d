/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Offered work by set of pools; see offered.h. */
#include "report/plan/offered.h"

#include "sim/base/mem.h"

#include <math.h>
#include <stdlib.h>

#define NEGLIGIBLE 0.01 /* of the window */

/* The work of jobs that may run on the same set of pools. */
struct confined {
    uint64_t pools;
    double gpu_ms;
};

static double work_of(const struct offered_job *job, const struct offered_window *w)
{
    int64_t from = job->submit_ms > w->from_ms ? job->submit_ms : w->from_ms;
    int64_t to = job->submit_ms + job->run_ms;
    if (w->whole)
        return job->submit_ms < w->from_ms || job->submit_ms > w->to_ms
                   ? 0
                   : (double)job->gpu_milli / 1000 * (double)job->run_ms;
    to = to < w->to_ms ? to : w->to_ms;
    return to > from ? (double)job->gpu_milli / 1000 * (double)(to - from) : 0;
}

static size_t add_up(const struct offered_job *jobs, size_t count, const struct offered_window *w,
                     struct confined **sets)
{
    size_t set_count = 0, capacity = 0;
    for (size_t i = 0; i < count; i++) {
        size_t k = 0;
        while (k < set_count && (*sets)[k].pools != jobs[i].pools)
            k++;
        if (k == set_count) {
            *sets = mem_grow(*sets, &capacity, set_count + 1, sizeof **sets);
            (*sets)[set_count++] = (struct confined){.pools = jobs[i].pools};
        }
        (*sets)[k].gpu_ms += work_of(&jobs[i], w);
    }
    return set_count;
}

/* Returns the nodes needed for the jobs that can run only on these pools. */
static double nodes_for(uint64_t pools, const struct confined *sets, size_t set_count,
                        double length_ms, const struct offered_pool *pool, size_t pool_count)
{
    double milli = 0, added = 0;
    for (size_t k = 0; k < set_count; k++)
        milli += (sets[k].pools & ~pools) == 0 ? sets[k].gpu_ms / length_ms * 1000 : 0;
    for (size_t i = 0; i < pool_count; i++)
        if ((pools >> i & 1) != 0) {
            milli -= pool[i].fixed_milli;
            added += pool[i].added_milli;
        }
    if (!(milli > 0))
        return 0;
    return added > 0 ? milli / added : (double)NAN;
}

struct offered offered_load(const struct offered_job *jobs, size_t count,
                            const struct offered_window *w, const struct offered_pool *pools,
                            size_t pool_count)
{
    double length = (double)(w->to_ms - w->from_ms), slack = (double)w->slack_ms, sum = 0;
    if (!(length > 0) || count == 0)
        return (struct offered){.gpus = (double)NAN, .nodes = (double)NAN};
    length += slack < NEGLIGIBLE * length ? 0 : slack;
    struct confined *sets = NULL;
    size_t set_count = add_up(jobs, count, w, &sets);
    uint64_t all = 0;
    for (size_t k = 0; k < set_count; k++) {
        sum += sets[k].gpu_ms;
        all |= sets[k].pools;
    }
    struct offered load = {.gpus = sum / length,
                           .nodes = nodes_for(all, sets, set_count, length, pools, pool_count)};
    for (size_t k = 0; k < set_count; k++) {
        double nodes = nodes_for(sets[k].pools, sets, set_count, length, pools, pool_count);
        if (isnan(nodes) || nodes > load.nodes)
            load.nodes = isnan(load.nodes) ? load.nodes : nodes;
    }
    free(sets);
    return load;
}

double offered_shown(double nodes)
{
    double unit = nodes >= 99.95 ? 1 : nodes >= 9.995 ? 10 : 100;
    return round(nodes * unit) / unit;
}
