/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a gate simulates: the scenarios of its suite under both policies. The gate and its child
 * processes load them here, from the same command line.
 */
#ifndef SIM_GATE_SOURCE_H
#define SIM_GATE_SOURCE_H

#include "report/gate/gate.h"
#include "scenarios/load/gate_suite.h"
#include "sim/program/command.h"
#include "sim/study/steady.h"

struct gate_source {
    const struct cli *cli;
    const char *policies[SIDES]; /* as given, NULL: not simulated */
    struct gate_suite suite;
    int looks[STAT_LOOKS];
    size_t look_count;
};

/* Reads the suite. False with err set; to be closed in any case. */
bool gate_source_open(struct gate_source *, const struct cli *, struct err *);
void gate_source_close(struct gate_source *);

/* A scenario with its own policy, which the digest of its world is taken with; "auto" is left to be
 * found. */
bool gate_source_world(const struct gate_source *, size_t s, struct scenario **, struct err *);

/*
 * A scenario with the policy of a side. The end of a warm-up that is "auto" is that of *steady,
 * where it is known; else replica 1 is simulated for it. No code of a policy runs otherwise.
 */
bool gate_source_side(const struct gate_source *, size_t s, int side, struct steady *,
                      struct scenario **, struct err *);

#endif
