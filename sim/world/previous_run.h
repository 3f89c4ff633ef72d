/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The run of a directory, possibly a single replica's, to be repeated: runs are deterministic, and
 * the directory records its inputs.
 *
 *     struct previous_run f;
 *     bool ok = previous_run_open(&f, "out", NULL, &err);
 *     ... previous_run_run(&f, observers, count, until_ms, &simulation, &err) ...
 *     previous_run_close(&f);
 */
#ifndef SIM_WORLD_PREVIOUS_RUN_H
#define SIM_WORLD_PREVIOUS_RUN_H

#include "scenarios/scenario.h"
#include "sim/world/simulate.h"

struct previous_run {
    const char *dir; /* the caller's */
    struct scenario *scenario;
    int replica; /* 1.. */
    bool sort;   /* the trace is loaded and sorted, since it turned out not to be sorted by time */
    bool again;  /* which the last run failed of */
};

/* `trace` (or NULL) is where the trace is now. To be closed in any case. */
bool previous_run_open(struct previous_run *, const char *dir, const char *trace, struct err *);
void previous_run_close(struct previous_run *);

/*
 * Its scenario with these changes, beginning with the present state of its simulation. The caller
 * destroys it.
 */
bool previous_run_go_on(const struct previous_run *, const struct scen_overrides *,
                        const struct simulation *, struct scenario **, struct err *);

/*
 * Runs until everything up to `until_ms` has happened; if it returns true the caller closes the
 * simulation. If it fails because the trace is not sorted, `again` is set: observers must be reset,
 * and it is run again.
 */
bool previous_run_run(struct previous_run *, const struct sim_observer *, size_t observer_count,
                      int64_t until_ms, struct simulation *, struct err *);

/* Returns true if the trace, read to its end, is the one that the directory was made from; else
 * sets err. */
bool previous_run_check_trace(const struct previous_run *, const struct simulation *, struct err *);

/* Sets *same if the decisions are those of the directory, or if it does not record them. */
bool previous_run_decided(const struct previous_run *, const char *journal_hex, bool *same,
                          struct err *err);

#endif
