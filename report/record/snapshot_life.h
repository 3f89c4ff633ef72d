/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a simulation that begins with the snapshot goes by, beside what decisions follow from
 * (scenarios/snapshot/life.h has the keys).
 */
#ifndef REPORT_RECORD_SNAPSHOT_LIFE_H
#define REPORT_RECORD_SNAPSHOT_LIFE_H

#include "sim/base/json.h"
#include "sim/sim.h"

/* Into the object of the job. */
void snapshot_life(const struct sim *, const struct work_job *, struct json *);

#endif
