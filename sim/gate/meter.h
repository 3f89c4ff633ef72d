/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The cost of a simulation's policy: CPU time within the policy core (including plugins), memory
 * still held when the run ends, and the peak of the process, which must do nothing else.
 *
 *     struct gate_meter meter;
 *     gate_meter_init(&meter);
 *     struct run_watch watch = gate_meter_watch(&meter);
 *     struct run_one one = {..., .watch = &watch, .stopwatch = gate_meter_stopwatch(&meter)};
 *
 * One call in four is timed, drawn by a generator of its own that is the same in every run, since
 * reading the clock takes as long as an order by submission does.
 *
 * The memory held is what malloc() gave out to the whole process. The simulator's own share is the
 * same on both sides as long as they decide alike, so the difference is due to the policies.
 */
#ifndef SIM_GATE_METER_H
#define SIM_GATE_METER_H

#include "report/gate/gate.h"
#include "sim/world/run_watch.h"

struct gate_meter {
    uint64_t draws;             /* selects the timed calls */
    bool timed;                 /* the call that runs is */
    int64_t begun_ns, spent_ns; /* timed calls */
    uint64_t asked;             /* decisions */
    int64_t before, ended;      /* bytes that are held: before the run, and at its end */
};

void gate_meter_init(struct gate_meter *);
struct sim_stopwatch gate_meter_stopwatch(struct gate_meter *);
struct run_watch gate_meter_watch(struct gate_meter *);

/* After the run, of which only a block of memory remains. */
struct gate_cost gate_meter_cost(const struct gate_meter *, void *result);

#endif
