/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a candidate costs beyond the base: CPU time of a decision, peak memory, memory that is never
 * given back. Replica k of either side does the same work on the same machine at about the same
 * time (the gate runs A B B A A B ...), so it is a pair, and judged as a metric is (harm.h): a
 * finding only where the interval lies beyond the margin. What is too noisy to tell is no finding.
 *
 * The values differ from run to run. So reports that have to be the same bytes for the same gate
 * say no more than whether there was a finding; the values are in the report "timing" and in the
 * note on standard error.
 */
#ifndef REPORT_GATE_RESOURCES_H
#define REPORT_GATE_RESOURCES_H

#include "report/gate/state.h"
#include "sim/base/out.h"

/* A resource as a metric with the margin of a suite; `off`: it is not judged. */
void gate_resource_rule(struct gate *, enum gate_resource, double margin, double floor, bool guard,
                        bool off);

/*
 * Judges all pairs that there are, adds findings, and fails a gate that passed or was inconclusive
 * when one of them is no warning. The level is shared by resources and scenarios, once: there is
 * one look.
 */
void gate_judge_resources(struct gate *);

/* "2.1 us to 35.4 us, 1590% more (99.6% interval ..., tolerated ...) over 20 replicas". To be
 * freed. */
char *gate_resource_words(const struct gate *, const struct gate_row *);

/* What was measured, a line a resource and scenario; "" when nothing was. To be freed. */
char *gate_resources_text(const struct gate *);

#endif
