/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Overheads by the size of a job, from their text: "1", "2-8", "9+". */
#ifndef SCENARIOS_LOAD_POLICY_H
#define SCENARIOS_LOAD_POLICY_H

#include "scenarios/load/fill.h"

/* From policy.options to the policy of the scenario; false with the error set. */
bool fill_policy_options(struct build *, const cJSON *options);

#endif
