/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GPU time after the window; see drain.h. */
#include "report/measure/drain.h"

#include <math.h>

static void interval(void *self, const struct sim *sim, uint32_t id, int64_t from, int64_t to)
{
    struct drain *d = self;
    const struct sim_site *site = &sim->sites[id];
    if (from < sim->window_end_ms)
        from = sim->window_end_ms;
    if (to <= from)
        return;
    d->available +=
        (ledger_amount)(site->milli - site->milli_down - site->milli_drained) * (to - from);
    d->allocated += (ledger_amount)site->milli_used * (to - from);
}

static void ended(void *self, const struct sim *sim, const struct work_job *job)
{
    struct drain *d = self;
    d->jobs += job->counted && sim->now_ms > sim->window_end_ms;
}

struct sim_observer drain_observer(struct drain *d)
{
    return (struct sim_observer){.self = d, .interval = interval, .ended = ended};
}

void drain_json(const struct drain *d, const struct sim *sim, struct json *j)
{
    int64_t length_ms = sim->now_ms > sim->window_end_ms ? sim->now_ms - sim->window_end_ms : 0;
    double available = ledger_hours(d->available), allocated = ledger_hours(d->allocated);
    json_begin_object(j, "drain");
    json_seconds(j, "length_s", length_ms);
    json_u64(j, "jobs", d->jobs);
    json_f64(j, "available_gpu_h", available, 6);
    json_f64(j, "allocated_gpu_h", allocated, 6);
    json_f64(j, "allocation", available > 0 ? allocated / available : (double)NAN, 6);
    json_end_object(j);
}
