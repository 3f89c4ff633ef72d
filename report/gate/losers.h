/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Groups that are worse off with the candidate, in the gate's reports, for every scenario whose
 * statistics were computed.
 */
#ifndef REPORT_GATE_LOSERS_H
#define REPORT_GATE_LOSERS_H

#include "report/gate/state.h"
#include "sim/base/json.h"
#include "sim/base/out.h"

void gate_losers_print(const struct gate *, struct out *);
void gate_losers_markdown(const struct gate *, struct out *);
void gate_losers_json(const struct gate *,
                      struct json *); /* "losers_known", "losers" and "observed_harms" */

#endif
