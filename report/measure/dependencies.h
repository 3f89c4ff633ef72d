/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jobs with dependencies (sim/dependencies.h): the object "dependencies" of summary.json. */
#ifndef REPORT_MEASURE_DEPENDENCIES_H
#define REPORT_MEASURE_DEPENDENCIES_H

#include "sim/base/json.h"
#include "sim/sim.h"

/* Writes nothing if no job of the run has a dependency. */
void dependencies_json(const struct sim *, struct json *);

#endif
