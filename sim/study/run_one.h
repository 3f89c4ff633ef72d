/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One replica of a scenario, from its workload to the files of its run directory. */
#ifndef SIM_STUDY_RUN_ONE_H
#define SIM_STUDY_RUN_ONE_H

#include "scenarios/scenario.h"
#include "sim/base/err.h"
#include "sim/program/progress.h"
#include "sim/world/run_watch.h"

struct run_one {
    const struct scenario *scenario;
    const char *dir;     /* exists; NULL: no files, the summary alone */
    struct out *summary; /* without dir: where the text of summary.json goes */
    int replica;
    bool audit, notes;             /* notes: print the notes of trace readers */
    const struct run_watch *watch; /* NULL: none */
    struct sim_stopwatch stopwatch;
    const char *snapshot_at;   /* time of snapshot.json, as given; NULL: none is written */
    const char *trace_events;  /* path of the run in the Trace Event format; NULL: not wanted */
    struct progress *progress; /* NULL: none */
    bool interrupted; /* out: a signal stopped it, and the results up to then are written */
};

/* Thread-safe for different directories. */
bool run_one(struct run_one *, struct err *);

#endif
