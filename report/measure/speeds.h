/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a run assumed of hardware (sim/speed.h): for each kind of node on which jobs of a model ran,
 * and each kind on which they were recorded, how fast its devices were taken to be, and how sure
 * that is. In a summary:
 *
 *     "speeds": [{"recorded_on": "dgx-a100", "node": "dgx-b200", "gpu_type": "b200", "model":
 *     "generic-medium",
 *                 "speed": 4.2, "low": 3.36, "high": 5.25, "mark": "derived", "source": "..."}]
 *
 * `speed` is that of a device relative to the recorded one; what links and placement add follows
 * from the model. The mark is the weaker one of both devices. Runs on the recorded hardware assume
 * nothing, and have no such key.
 */
#ifndef REPORT_MEASURE_SPEEDS_H
#define REPORT_MEASURE_SPEEDS_H

#include "sim/base/json.h"
#include "sim/sim.h"

#include <cjson/cJSON.h>

void speeds_json(const struct sim *, struct json *);

/*
 * One line: "recorded on dgx-a100; on dgx-b200: generic-medium x4.2 (assumed), gpt3-5b x4.6
 * (derived)". Of two summaries (the second may be NULL) each ratio once. NULL when nothing was
 * assumed; the caller frees it.
 */
char *speeds_note(const cJSON *summary, const cJSON *other);

#endif
