/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the policy of a simulation costs: CPU time inside of the policy core (plugins and all),
 * memory that is still held when the run ends, and the most that the process ever had. Of the whole
 * process, which is to do nothing else.
 *
 *     struct gate_meter meter;
 *     gate_meter_init(&meter);
 *     struct run_watch watch = gate_meter_watch(&meter);
 *     struct run_one one = {..., .watch = &watch, .stopwatch = gate_meter_stopwatch(&meter)};
 *
 * One call in four is timed, drawn by a generator of its own that is the same in every run, since
 * asking for the time takes as long as an order by submission does.
 *
 * Memory that is held counts what malloc() gave out, by all of the process. The simulator's own
 * share of it is the same on both sides as long as they decide alike, so the difference of two
 * policies is theirs.
 */
#ifndef SIM_GATE_METER_H
#define SIM_GATE_METER_H

#include "report/gate/gate.h"
#include "sim/world/run_watch.h"

struct gate_meter {
    uint64_t draws;             /* of which calls are timed */
    bool timed;                 /* the call that runs is */
    int64_t begun_ns, spent_ns; /* of those that are */
    uint64_t asked;             /* decisions */
    int64_t before, ended;      /* bytes that are held: before the run, and at its end */
};

void gate_meter_init(struct gate_meter *);
struct sim_stopwatch gate_meter_stopwatch(struct gate_meter *);
struct run_watch gate_meter_watch(struct gate_meter *);

/* After the run, of which nothing is left but a block of memory. */
struct gate_cost gate_meter_cost(const struct gate_meter *, void *result);

#endif
