/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jobs that waited for others before they were submitted (sim/dependencies.h): the object
 * "dependencies" of summary.json. */
#ifndef REPORT_MEASURE_DEPENDENCIES_H
#define REPORT_MEASURE_DEPENDENCIES_H

#include "sim/base/json.h"
#include "sim/sim.h"

/* Nothing where no job of the run could wait for another. */
void dependencies_json(const struct sim *, struct json *);

#endif
