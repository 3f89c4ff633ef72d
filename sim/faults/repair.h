/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Repairs. A fault is either cleared by a reset, a restart or a reboot (transient), or needs a new
 * part (hardware); this is drawn with the fault. A transient repair may fail: the node returns, and
 * some time later the same fault recurs. After two such repairs the part is replaced.
 *
 *     fault --> drained --> repair 0 (transient) --> back --> the same fault --> repair 1 --> back
 *
 * Draws are keyed by (seed, fault, attempt), so a repair takes equally long under every policy.
 */
#ifndef SIM_FAULTS_REPAIR_H
#define SIM_FAULTS_REPAIR_H

#include "sim/faults/classes.h"

#define FAULT_RESETS 2 /* transient repairs of one fault; after them a part is replaced */

struct fault_repair {
    bool hardware;
    int64_t takes_ms;   /* from the drain until the node is back */
    bool relapses;      /* the same fault comes back... */
    int64_t relapse_ms; /* ...this long after the node returned */
};

/* `key` is the fault's, below 2^57; `attempt` counts its repairs from 0, up to 127. */
struct fault_repair fault_repair_draw(const struct fault_class *, uint64_t seed, uint64_t key,
                                      unsigned attempt);

/* How often one fault strikes on average, its relapses included: 1 when repairs always help. */
double fault_repair_strikes(const struct fault_class *);

/* Mean time of a fault's first repair in seconds, computed. */
double fault_repair_mean_s(const struct fault_class *);

#endif
