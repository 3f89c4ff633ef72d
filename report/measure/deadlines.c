/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collecting lateness; definitions in deadlines.h. */
#include "report/measure/deadlines.h"

#include <math.h>

static bool has_deadline(const struct work_job *job)
{
    return job->counted && job->deadline_ms != TRACE_UNKNOWN;
}

static void ended(void *self, const struct sim *sim, const struct work_job *job)
{
    (void)sim;
    struct deadlines *d = self;
    if (!has_deadline(job) || job->first_start_ms == WORK_NEVER)
        return;
    int64_t late_ms = job->end_ms - job->deadline_ms;
    d->jobs++;
    ++*(late_ms > 0 ? &d->missed : &d->met);
    tally_add(&d->lateness, late_ms > 0 ? late_ms : 0, false);
}

struct sim_observer deadlines_observer(struct deadlines *d)
{
    return (struct sim_observer){.self = d, .ended = ended};
}

static void left_over(struct deadlines *d, const struct sim *sim, const struct work_job *job)
{
    int64_t late_ms = sim->now_ms - job->deadline_ms;
    if (job->state == WORK_PENDING && sim_never_fits(sim, job))
        return;
    d->jobs++;
    if (late_ms <= 0)
        return;
    d->missed++;
    tally_add(&d->lateness, late_ms, true);
}

void deadlines_finish(struct deadlines *d, const struct sim *sim)
{
    for (size_t i = 0; i < sim->work.capacity; i++) {
        const struct work_job *job = &sim->work.jobs[i];
        if ((job->state == WORK_RUNNING || job->state == WORK_PENDING) && has_deadline(job))
            left_over(d, sim, job);
    }
}

void deadlines_fini(struct deadlines *d)
{
    tally_fini(&d->lateness);
}

void deadlines_json(const struct deadlines *d, struct json *j)
{
    uint64_t known = d->met + d->missed;
    json_begin_object(j, "deadlines");
    json_u64(j, "jobs", d->jobs);
    json_u64(j, "met", d->met);
    json_u64(j, "missed", d->missed);
    json_f64(j, "met_share", known > 0 ? (double)d->met / (double)known : (double)NAN, 6);
    tally_json(&d->lateness, j, "lateness_s");
    json_end_object(j);
}
