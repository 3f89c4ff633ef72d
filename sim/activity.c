/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How much jobs use their devices. Build sessions are interactive: they alternate between active
 * and idle phases, drawn from exponential distributions whose means add up to an hour, of which a
 * share `active_frac` is active. A session without these figures is always active. Draws depend on
 * (seed, job, phase) alone, so sessions are the same under every policy.
 *
 * Training and inference run unattended: they use their devices evenly, always at their mean,
 * `sm_util` times `active_frac`. Idle time of training is mostly short gaps, and traces do not
 * record a start on CPUs only.
 *
 * Tracked only if the policy ends idle jobs. A report covers the time since the previous one, so
 * each phase is reported at its end, and the new phase at once as well, as by a monitor that
 * samples continuously.
 */
#include "sim/internal.h"

#include "sim/base/mem.h"
#include "sim/base/rng.h"

#include <gsl/gsl_randist.h>

#define ROUND_MS   3600000.0 /* mean of an active and an idle phase together */
#define ALWAYS_PPM 1000000
#define MOST_MS    1e15

struct sim_activity {
    int64_t due_ms; /* due time of the valid event */
    uint32_t gen;   /* generation of the job */
    uint32_t phase; /* even: active */
};

static struct sim_activity *activity_of(struct sim *sim, const struct work_job *job)
{
    if (job->core.i >= sim->activity_count)
        sim->activity = mem_extend(sim->activity, &sim->activity_count, sim->work.capacity,
                                   sizeof *sim->activity);
    struct sim_activity *a = &sim->activity[job->core.i];
    if (a->gen != job->core.gen || a->due_ms == 0)
        *a = (struct sim_activity){.due_ms = WORK_NEVER, .gen = job->core.gen};
    return a;
}

int64_t sim_activity_length(const struct sim *sim, const struct work_job *job, uint32_t phase)
{
    double share = (double)job->active_ppm / ALWAYS_PPM;
    struct rng_stream stream;
    rng_init(&stream, sim->config.seed, RNG_ACTIVITY, job->key << 24 | (phase & 0xffffff));
    double mean = ROUND_MS * (phase % 2 == 0 ? share : 1.0 - share);
    double ms = gsl_ran_exponential(rng_gsl(&stream), mean);
    return ms < MOST_MS ? (int64_t)ms + 1 : (int64_t)MOST_MS;
}

static int report(struct sim *sim, const struct work_job *job, const struct sim_activity *a)
{
    bool always = job->active_ppm < 0 || job->active_ppm >= ALWAYS_PPM;
    bool active = job->active_ppm != 0 && (always || a->phase % 2 == 0);
    int64_t ppm = !active ? 0 : job->sm_util_ppm < 0 ? ALWAYS_PPM : job->sm_util_ppm;
    return sim_tell(sim, &(struct fact){.kind = FACT_ACTIVITY, .job = job->core, .value = ppm});
}

/* Reports the phase that begins, and records when it ends, if ever. */
static int begin_phase(struct sim *sim, const struct work_job *job, struct sim_activity *a)
{
    if (job->active_ppm > 0 && job->active_ppm < ALWAYS_PPM) {
        a->due_ms = sim->now_ms + sim_activity_length(sim, job, a->phase);
        event_push(&sim->events, a->due_ms, EVENT_ACTIVITY, job->core.i);
    }
    return report(sim, job, a);
}

static bool is_known(const struct work_job *job)
{
    return job->active_ppm >= 0 || job->sm_util_ppm >= 0;
}

bool sim_activity_begin(struct sim *sim, const struct work_job *job, struct err *err)
{
    if (!sim_is(sim, POLICY_TRAIT_ACTIVITY) || !is_known(job))
        return true;
    if (job->class != TRACE_BUILD)
        return sim_core_ok(sim,
                           sim_tell(sim, &(struct fact){.kind = FACT_ACTIVITY,
                                                        .job = job->core,
                                                        .value = work_use(job) / WORK_IDEAL}),
                           err);
    struct sim_activity *a = activity_of(sim, job);
    a->phase += a->phase % 2; /* a user who returns is present */
    return sim_core_ok(sim, begin_phase(sim, job, a), err);
}

bool sim_activity_due(struct sim *sim, const struct work_job *job, struct err *err)
{
    struct sim_activity *a = job->core.i < sim->activity_count ? &sim->activity[job->core.i] : NULL;
    if (a == NULL || job->state != WORK_RUNNING || job->stopping || a->gen != job->core.gen ||
        a->due_ms != sim->now_ms)
        return true;
    sim->event_count++;
    if (!sim_core_ok(sim, report(sim, job, a), err))
        return false;
    a->phase++;
    return sim_core_ok(sim, begin_phase(sim, job, a), err);
}
