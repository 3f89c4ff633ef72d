/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Hardware speeds that a run assumed (sim/speed.h), for each kind of node on which jobs of a model
 * ran and each kind on which they were recorded: the relative speed of the devices, and how
 * reliable it is. In a summary:
 *
 *     "speeds": [{"recorded_on": "dgx-a100", "node": "dgx-b200", "gpu_type": "b200", "model":
 *     "generic-medium",
 *                 "speed": 4.2, "low": 3.36, "high": 5.25, "mark": "derived", "source": "..."}]
 *
 * `speed` is that of a device relative to the recorded one; the effect of links and placement
 * follows from the model. The mark is the less reliable one of the two devices. Runs on the
 * recorded hardware assume nothing and have no such key.
 */
#ifndef REPORT_MEASURE_SPEEDS_H
#define REPORT_MEASURE_SPEEDS_H

#include "sim/base/json.h"
#include "sim/sim.h"

#include <cjson/cJSON.h>

void speeds_json(const struct sim *, struct json *);

/*
 * Returns one line: "recorded on dgx-a100; on dgx-b200: generic-medium x4.2 (assumed), gpt3-5b x4.6
 * (derived)". `other` may be NULL; a ratio in both summaries is listed once. Returns NULL if
 * nothing was assumed. The caller frees it.
 */
char *speeds_note(const cJSON *summary, const cJSON *other);

#endif
