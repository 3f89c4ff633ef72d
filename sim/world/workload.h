/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The workload of a scenario: traces and generators, adjusted, with jitter, and merged; or the list
 * of a packing study. */
#ifndef SIM_WORLD_WORKLOAD_H
#define SIM_WORLD_WORKLOAD_H

#include "sim/world/simulation.h"

/* Opens s->trace, and for a packing study reads it into s->fill_jobs and s->fill_order. The fleet
 * must be built. */
bool workload_open(struct simulation *, bool sort, struct err *);

/* What a generated load is relative to: spare nodes are none of it, and of a slice it is the whole
 * fleet. */
double workload_gpus(const struct simulation *);

/* What moves arrivals of its replicas at most, either way. */
int64_t workload_jitter_ms(const struct scenario *);

/* Takes the errors of rows that are left out, see struct trace_options. */
struct workload_rejects {
    void (*reject)(void *to, const struct err *row);
    void *to;
    bool all; /* however many they are */
};

/* The recorded trace of a part (which has one), before replicas of it are drawn; the names are the
 * caller's. Rows with errors are left out unless they are too many; `rejects` may be NULL. */
bool workload_recorded(const struct scenario *, size_t part, uint64_t seed,
                       const struct trace_names *, bool sort, const struct workload_rejects *,
                       struct trace **, struct err *);

bool workload_reads_stdin(const struct scenario *);
/* False with err set when it does, for `what` that reads the jobs several times. */
bool workload_rereadable(const struct scenario *, const char *what, struct err *err);

/* The whole workload once more from its beginning, beside s->trace; the caller closes it. Not of
 * standard input. */
bool workload_reopen(struct simulation *, struct trace **, struct err *);
/* rejected.csv in the folder, if rows were rejected. */
bool workload_write_rejected(const struct simulation *, const char *dir, struct err *err);
void workload_close(struct simulation *);

#endif
