/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * "window": {"warmup": "auto"}: when measurement begins is only known after a run. So replica 1 of
 * the scenario is simulated once for that alone (report/measure/warmup.h), and then the scenario is
 * loaded again with what was found in place of "auto": the run that is measured, its replicas,
 * scenario.json and digest are those of a scenario that says the time itself. It costs the time of
 * one replica more.
 *
 * Sides that are compared have to have the same window. The one that is loaded first says it:
 *
 *     struct steady steady = {0};
 *     bool ok = steady_load(&base, path, &overrides, &steady, err) && steady_load(&candidate, path,
 *     &others, &steady, err);
 */
#ifndef SIM_STUDY_STEADY_H
#define SIM_STUDY_STEADY_H

#include "scenarios/scenario.h"
#include "sim/base/err.h"

struct steady {
    bool known;        /* a scenario said "auto": */
    int64_t warmup_ms; /* the result for it */
    bool half;         /* as in warmup_end(): there is no steady state */
};

/*
 * As scenario_load(), with a time for "auto": that of *steady where it is known, else the
 * scenario's own, which is known then. A signal that stops the run for it is an error of code 128 +
 * n.
 */
bool steady_load(struct scenario **, const char *path, const struct scen_overrides *,
                 struct steady *, struct err *);

/* Prints the result on stderr, if there is one. `scenario`: its name if there are several, else
 * NULL. */
void steady_note(const struct steady *, const char *scenario);

#endif
