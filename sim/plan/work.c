/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A moment of a run; see work.h. */
#include "sim/plan/work.h"

#include "scenarios/json/source.h"
#include "sim/program/overrides.h"
#include "sim/program/signals.h"
#include "sim/world/network.h"
#include "sim/world/present.h"
#include "sim/world/scenario_notes.h"
#include "sim/world/simulate.h"

#include <math.h>

/* ---- the peak of demand ---- */

struct demand {
    int64_t milli, most_milli,
        at_ms; /* wanted by jobs in the system: now, at most, and when that was first */
};

static void on_submitted(void *self, const struct sim *sim, const struct work_job *job)
{
    struct demand *demand = self;
    demand->milli += job->gpu_milli;
    if (demand->milli > demand->most_milli) {
        demand->most_milli = demand->milli;
        demand->at_ms = sim->now_ms;
    }
}

static void on_ended(void *self, const struct sim *sim, const struct work_job *job)
{
    (void)sim;
    struct demand *demand = self;
    demand->milli -= job->gpu_milli;
}

static bool find_time(struct simulation *s, const char *at, int64_t *at_ms, struct err *err)
{
    return simulation_run(s, INT64_MIN, err) && /* from now on the first submission is known */
           simulation_time("--at", at, s->sim->first_submit_ms, at_ms, err);
}

/*
 * Runs replica 1 up to a time, optionally watching the demand. Only a run to the end detects an
 * unsorted trace, which is then loaded and sorted; *sort records this for the next run.
 */
static bool run_until(const struct scenario *sc, const char *at, int64_t until_ms,
                      struct demand *demand, bool *sort, struct simulation *s, struct err *err)
{
    const struct sim_observer observer = {
        .self = demand, .submitted = on_submitted, .ended = on_ended};
    struct simulation_options options = {.replica = 1,
                                         .sort = *sort,
                                         .observers = &observer,
                                         .observer_count = demand != NULL,
                                         .keep_going = cli_go_on};
    bool ok;
    do {
        if (demand != NULL)
            *demand = (struct demand){0};
        ok = simulation_open(s, sc, &options, err) &&
             (at == NULL || find_time(s, at, &until_ms, err)) && simulation_run(s, until_ms, err);
    } while (!ok && simulation_again(s, &options, err));
    *sort = options.sort;
    return ok;
}

static bool state_of(const struct scenario *sc, const char *at, struct snapshot **snapshot,
                     double *at_s, struct err *err)
{
    struct simulation s;
    struct demand demand = {0};
    bool sort = at != NULL; /* no run to the end comes first */
    if (at == NULL) {
        bool ok = run_until(sc, NULL, INT64_MAX, &demand, &sort, &s, err);
        simulation_close(&s);
        if (!ok)
            return false;
    }
    bool ok = run_until(sc, at, demand.at_ms, NULL, &sort, &s, err) &&
              present_snapshot(&s, snapshot, err);
    if (ok)
        *at_s = (double)s.sim->now_ms / 1000;
    simulation_close(&s);
    return ok;
}

/* ---- either ---- */

static bool from_scenario(const struct cli *cli, struct snapshot **snapshot, double *at_s,
                          uint64_t *seed, struct err *err)
{
    struct scenario *sc;
    struct scen_overrides overrides = overrides_of(cli);
    if (!scenario_load(&sc, cli->operands[0], &overrides, err))
        return false;
    *seed = sc->seed;
    if (!cli_given(cli, OPT_QUIET)) {
        (void)network_note(sc);
        scenario_notes(sc);
    }
    bool ok = simulation_check_policy(sc, err);
    if (ok && sc->mode == SCEN_FILL)
        ok = err_set(err, EXIT_INPUT, "%s: a packing study has no moments", cli->operands[0]);
    ok = ok && state_of(sc, cli_option(cli, OPT_AT), snapshot, at_s, err);
    scenario_destroy(sc);
    return ok;
}

bool plan_work(const struct cli *cli, struct snapshot **snapshot, double *at_s, uint64_t *seed,
               struct err *err)
{
    struct json_source file;
    *at_s = (double)NAN;
    *seed = cli_number(cli, OPT_SEED, 1);
    if (!json_source_open_max(&file, cli->operands[0], SNAPSHOT_MAX_BYTES, err))
        return false;
    bool is_snapshot = json_member(file.root, "fauxfleet_snapshot") != NULL;
    bool ok;
    if (!is_snapshot)
        ok = from_scenario(cli, snapshot, at_s, seed, err);
    else if (cli_given(cli, OPT_AT) || cli_given(cli, OPT_TRACE) || cli_given(cli, OPT_SET))
        ok = err_set(err, EXIT_INPUT,
                     "%s: --at, --trace and --set are for scenarios, this is a snapshot",
                     cli->operands[0]);
    else
        ok = snapshot_parse(snapshot, cli->operands[0], file.text, file.n, err);
    json_source_close(&file);
    return ok;
}
