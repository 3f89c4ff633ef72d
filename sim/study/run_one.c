/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Running one replica; see run_one.h. */
#include "sim/study/run_one.h"
#include "report/record/recorder.h"
#include "sim/policy/plugins.h"
#include "sim/program/signals.h"
#include "sim/world/power_terms.h"
#include "sim/world/present.h"
#include "sim/world/rho.h"
#include "sim/world/simulate.h"
#include "sim/world/workload.h"

#include "sim/base/mem.h"

#include <stdlib.h>
#include <string.h>

static bool keep_going(void *self, const struct sim *sim)
{
    struct run_one *run = self;
    if (run->progress != NULL) {
        int64_t done = sim->now_ms - sim->first_submit_ms;
        int64_t horizon = run->scenario->window.horizon_ms;
        double fraction = horizon > 0 ? (double)done / (double)horizon : -1.0;
        progress_update(run->progress, sim->event_count, fraction > 1.0 ? 1.0 : fraction, done);
    }
    run->interrupted |= cli_interrupted() != 0;
    return !run->interrupted;
}

static bool write_results(struct run_one *run, struct recorder *recorder, struct simulation *s,
                          struct err *err)
{
    char digest[DIGEST_HEX];
    trace_digest(s->trace, digest);
    struct recorder_about about = {
        .scenario = run->scenario->name,
        .scenario_digest = run->scenario->digest,
        .trace_digest = digest,
        .rejected_rows = s->rejected.rows,
        .version = FAUXFLEET_VERSION,
        .resolved = run->scenario->resolved,
        .given = run->scenario,
        .seed = s->seed,
    };
    if (run->notes)
        simulation_notes(s);
    if (run->dir != NULL)
        return recorder_write(recorder, s->sim, &about, err) &&
               workload_write_rejected(s, run->dir, err);
    recorder_summary(recorder, s->sim, &about, run->summary);
    return true;
}

/* ---- the snapshot ---- */

static bool write_snapshot(const struct run_one *run, const struct simulation *s, struct err *err)
{
    struct out *out = out_open_in(run->dir, "snapshot.json", err);
    if (out != NULL && present_print(s, out, err))
        return out_close(out, err);
    out_discard(out);
    return false;
}

/* Runs up to the time of the snapshot and writes it; a run that ends before shows its end. */
static bool run_to_snapshot(const struct run_one *run, struct simulation *s, struct err *err)
{
    int64_t at_ms;
    if (run->snapshot_at == NULL)
        return true;
    if (run->scenario->mode == SCEN_FILL)
        return err_set(err, EXIT_INPUT, "--snapshot-at: a packing study has no time");
    return simulation_run(s, INT64_MIN, err) && /* from now on the first submission is known */
           simulation_time("--snapshot-at", run->snapshot_at, s->sim->first_submit_ms, &at_ms,
                           err) &&
           simulation_run(s, at_ms, err) && write_snapshot(run, s, err);
}

/* ---- all of it ---- */

/* Observers: the recorder's and the caller's; to be freed after the simulation. */
static struct sim_observer *observers_of(const struct run_one *run, struct recorder *recorder,
                                         struct simulation_options *options)
{
    const struct sim_observer *own = recorder_observers(recorder, &options->observer_count);
    struct sim_observer *all = mem_alloc(options->observer_count + 1, sizeof *all);
    memcpy(all, own, options->observer_count * sizeof *all);
    if (run->watch != NULL) {
        run->watch->begin(run->watch->self);
        all[options->observer_count++] = run->watch->observer;
    }
    options->observers = all;
    return all;
}

/* *again: it failed because a trace is not sorted by time. */
static bool attempt(struct run_one *run, struct simulation_options *options, bool *again,
                    struct err *err)
{
    *again = false;
    const struct scenario *sc = run->scenario;
    bool files = run->dir != NULL;
    struct power_terms power;
    power_terms_open(&power, sc);
    struct recorder_options wanted = {
        .dir = run->dir,
        .policy = plugin_name_of(sc->policy.name),
        .trace_events = run->trace_events,
        .tau_ms = sc->tau_ms,
        .rho = sc->rho,
        .jobs = files && sc->outputs.jobs,
        .journal = files && sc->outputs.journal,
        .facts = files && sc->outputs.facts,
        .policy_path = sc->policy.name,
        .policy_options = sc->policy.options,
        .policy_option_count = sc->policy.option_count,
        .timeline = files && sc->outputs.timeline_ms > 0 && sc->mode == SCEN_REPLAY,
        .nodes = files && sc->elastic && sc->mode == SCEN_REPLAY,
        .faults = files && (sc->faults.given || sc->spot || sc->outages.count > 0) &&
                  sc->mode == SCEN_REPLAY,
        .storage = sc->storage.on && sc->mode == SCEN_REPLAY,
        .gpu_memory = sc->gpu_memory.mode != MEMORY_OFF && sc->mode == SCEN_REPLAY,
        .services = sc->service_count > 0,
        .changes = sim_changes_queues(sc->changes, sc->change_count),
        .fill = sc->mode == SCEN_FILL,
        .models = sc->network != SCEN_NETWORK_OFF && sc->mode == SCEN_REPLAY,
        .energy = power.terms,
    };
    struct recorder *recorder;
    if (!recorder_create(&recorder, &wanted, err)) {
        power_terms_close(&power);
        return false;
    }
    options->facts = recorder_facts(recorder);
    struct sim_observer *observers = observers_of(run, recorder, options);
    struct simulation s;
    bool ok = simulation_open(&s, sc, options, err);
    if (ok && wanted.fill)
        recorder_fill(recorder, s.sim, s.fill_jobs, s.fill_job_count);
    ok = ok && recorder_services(recorder, s.services, err);
    ok = ok && run_to_snapshot(run, &s, err) && simulation_run(&s, INT64_MAX, err);
    ok = ok && sim_finish(s.sim, err);
    if (ok && run->watch != NULL)
        run->watch->finish(run->watch->self, &s);
    ok = ok &&
         (!sc->rho || run->interrupted || rho_measure(recorder_rho(recorder), &s, options, err));
    cli_keep();
    ok = ok && write_results(run, recorder, &s, err);
    cli_kept();
    recorder_destroy(recorder);
    power_terms_close(&power);
    *again = !ok && simulation_again(&s, options, err);
    simulation_close(&s);
    free(observers);
    return ok;
}

bool run_one(struct run_one *run, struct err *err)
{
    struct simulation_options options = {.replica = run->replica,
                                         .audit = run->audit,
                                         .stopwatch = run->stopwatch,
                                         .keep_going = keep_going,
                                         .keep_going_self = run};
    bool ok, again;
    if (!rho_check(run->scenario, err))
        return false;
    do
        ok = attempt(run, &options, &again, err);
    while (again);
    return ok;
}
