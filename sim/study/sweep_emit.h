/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `sweep --emit` prints: a script or manifest by which an engine runs the shards of a sweep.
 */
#ifndef SIM_STUDY_SWEEP_EMIT_H
#define SIM_STUDY_SWEEP_EMIT_H

#include "sim/program/command.h"

struct sweep_emit {
    const struct cli *cli; /* of `sweep`: plan, folder and options are handed on */
    const char *name;      /* of the sweep */
    size_t shards;
    int threads; /* of each */
};

/* False with err set (EXIT_INPUT) when there is no such engine. */
bool sweep_emit(const char *engine, const struct sweep_emit *, struct out *, struct err *err);

#endif
