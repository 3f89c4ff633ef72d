/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The resources a candidate uses compared with the base: CPU time per decision, peak memory, leaked
 * memory. Replica k of both sides does the same work on the same machine at about the same time
 * (the gate runs A B B A A B ...), so it is a pair and is judged like a metric (harm.h): it is a
 * finding only if the interval lies above the margin. Results that are too noisy are not findings.
 *
 * The values differ from run to run. Reports that must have the same bytes for the same gate
 * therefore only say whether there was a finding; the values are in the report "timing" and in a
 * note on standard error.
 */
#ifndef REPORT_GATE_RESOURCES_H
#define REPORT_GATE_RESOURCES_H

#include "report/gate/state.h"
#include "sim/base/out.h"

/* Sets a resource's rule with the suite's margin; `off`: not judged. */
void gate_resource_rule(struct gate *, enum gate_resource, double margin, double floor, bool guard,
                        bool off);

/*
 * Judges all pairs and adds findings; fails a gate that passed or was inconclusive if a finding is
 * not just a warning. There is one look, so resources and scenarios share the level once.
 */
void gate_judge_resources(struct gate *);

/*
 * Returns "2.1 us to 35.4 us, 1590% more (99.6% interval ..., tolerated ...) over 20 replicas". The
 * caller frees it.
 */
char *gate_resource_words(const struct gate *, const struct gate_row *);

/*
 * Returns the measurements, one line per resource and scenario; "" if there are none. The caller
 * frees it.
 */
char *gate_resources_text(const struct gate *);

#endif
