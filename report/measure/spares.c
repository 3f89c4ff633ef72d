/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Integrates the number of spare nodes in use; see spares.h. */
#include "report/measure/spares.h"

#include "sim/base/json.h"

#include <math.h>

void spares_init(struct spares *s)
{
    *s = (struct spares){.since_ms = INT64_MIN};
}

static void look(struct spares *s, const struct sim *sim)
{
    s->total = s->in_use = s->missing = 0;
    for (uint32_t i = 0; i < sim->spares->pool_count; i++) {
        const struct sim_spare_pool *pool = &sim->spares->pools[i];
        s->total += pool->spares;
        s->in_use += pool->spares - pool->count[SIM_NODE_SPARE];
        s->missing += sim_spares_missing(pool);
    }
}

/* The state has not changed since the last call. */
static void integrate(struct spares *s, const struct sim *sim)
{
    int64_t from = s->since_ms == INT64_MIN ? sim->window_start_ms : s->since_ms;
    int64_t ms = sim_inside(sim, from, sim->now_ms);
    s->since_ms = sim->now_ms;
    if (ms == 0)
        return;
    s->span_ms += ms;
    s->in_use_ms += (double)s->in_use * (double)ms;
    s->exhausted_ms += s->missing > 0 ? ms : 0;
    s->peak = s->in_use > s->peak ? s->in_use : s->peak;
}

static void turned(void *self, const struct sim *sim, uint32_t node)
{
    (void)node;
    if (sim->spares == NULL)
        return;
    integrate(self, sim);
    look(self, sim);
}

struct sim_observer spares_observer(struct spares *s)
{
    return (struct sim_observer){.self = s, .turned = turned};
}

void spares_finish(struct spares *s, const struct sim *sim)
{
    if (sim->spares == NULL)
        return;
    integrate(s, sim);
    look(s, sim);
}

void spares_json(const struct spares *s, const struct sim *sim, struct json *j)
{
    if (sim->spares == NULL)
        return;
    double span = s->span_ms > 0 ? (double)s->span_ms : (double)NAN;
    json_begin_object(j, "spares");
    json_i64(j, "total", s->total);
    json_f64(j, "in_use_mean", s->in_use_ms / span, 6);
    json_i64(j, "in_use_peak", s->peak);
    json_f64(j, "exhausted", (double)s->exhausted_ms / span, 6);
    json_i64(j, "swaps", (int64_t)sim->spares->swaps);
    json_end_object(j);
}
