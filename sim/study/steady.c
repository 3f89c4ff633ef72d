/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The run that finds the end of the warm-up; see steady.h. */
#include "sim/study/steady.h"

#include "report/measure/warmup.h"
#include "report/words/units.h"
#include "sim/base/mem.h"
#include "sim/program/command.h"
#include "sim/program/signals.h"
#include "sim/world/simulate.h"
#include "sim/world/workload.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool keep_going(void *self, const struct sim *sim)
{
    (void)self;
    return !warmup_complete(sim) && cli_interrupted() == 0;
}

/* Replica 1, up to its last submission or a little longer. */
static bool measure(const struct scenario *sc, struct steady *steady, struct err *err)
{
    struct warmup warmup = {0};
    struct sim_observer observer;
    struct simulation_options options = {.replica = 1,
                                         .pilot = true,
                                         .observers = &observer,
                                         .observer_count = 1,
                                         .keep_going = keep_going};
    struct simulation s;
    bool ok;
    do {
        warmup_fini(&warmup);
        observer = warmup_observer(&warmup);
        ok = simulation_open(&s, sc, &options, err) && simulation_run(&s, INT64_MAX, err);
    } while (!ok && simulation_again(&s, &options, err));
    if (ok && cli_interrupted() != 0)
        ok = err_set(err, 128 + cli_interrupted(),
                     "interrupted while the end of the warm-up was looked for");
    if (ok)
        steady->warmup_ms = warmup_end(&warmup, s.sim, &steady->half);
    steady->known = ok;
    warmup_fini(&warmup);
    simulation_close(&s);
    return ok;
}

static bool find(const struct scenario *sc, struct steady *steady, struct err *err)
{
    char where[256];
    (void)scenario_where(sc, "window.warmup", where, sizeof where);
    if (sc->mode == SCEN_FILL)
        return err_set(err, EXIT_INPUT, "%s: 'auto', but a packing study has no time", where);
    if (workload_reads_stdin(sc))
        return err_set(err, EXIT_INPUT,
                       "%s: 'auto' reads the trace twice, which standard input cannot be; give a "
                       "file or a time",
                       where);
    return simulation_check_policy(sc, err) && measure(sc, steady, err);
}

/* The same scenario, with the time in place of "auto": the last of all changes. */
static bool load_again(struct scenario **scenario, const char *path,
                       const struct scen_overrides *from, int64_t warmup_ms, struct err *err)
{
    struct scen_overrides overrides = *from;
    struct scen_change *changes = mem_alloc(from->change_count + 1, sizeof *changes);
    char *value =
        mem_format("%lld.%03lld", (long long)(warmup_ms / 1000), (long long)(warmup_ms % 1000));
    for (size_t i = 0; i < from->change_count; i++)
        changes[i] = from->changes[i];
    changes[overrides.change_count++] = (struct scen_change){
        .label = "window.warmup: 'auto'", .path = "window.warmup", .value = value, .folder = ""};
    overrides.changes = changes;
    bool ok = scenario_load(scenario, path, &overrides, err);
    free(value);
    free(changes);
    return ok;
}

bool steady_load(struct scenario **scenario, const char *path,
                 const struct scen_overrides *overrides, struct steady *steady, struct err *err)
{
    if (!scenario_load(scenario, path, overrides, err))
        return false;
    if (!(*scenario)->window.warmup_auto)
        return true;
    bool ok = steady->known || find(*scenario, steady, err);
    scenario_destroy(*scenario);
    *scenario = NULL;
    return ok && load_again(scenario, path, overrides, steady->warmup_ms, err);
}

void steady_note(const struct steady *steady, const char *scenario)
{
    char text[UNIT_TEXT], of[128] = "";
    if (!steady->known)
        return;
    if (scenario != NULL)
        (void)snprintf(of, sizeof of, "scenario '%.100s': ", scenario);
    cli_note(
        "%swindow.warmup 'auto': measured from %s after the first submission on (%lld s; MSER-5)",
        of, unit_duration(text, (double)steady->warmup_ms / 1000),
        (long long)(steady->warmup_ms / 1000));
    if (steady->half)
        cli_note("%swindow.warmup 'auto': that is half of the run, no steady state was found: it "
                 "is too short, or its load grows",
                 of);
}
