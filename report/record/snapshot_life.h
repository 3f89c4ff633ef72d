/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * State that a simulation starting from the snapshot needs in addition to what decisions depend on
 * (scenarios/snapshot/life.h has the keys).
 */
#ifndef REPORT_RECORD_SNAPSHOT_LIFE_H
#define REPORT_RECORD_SNAPSHOT_LIFE_H

#include "sim/base/json.h"
#include "sim/sim.h"

/* Writes members of the job's object. */
void snapshot_life(const struct sim *, const struct work_job *, struct json *);

#endif
