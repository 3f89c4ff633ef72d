/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The first decision of a replica that two policies take differently, in words, and what became of
 * its job on the other side at that time: that it runs or waits there, and why. Runs are
 * deterministic, so both are simulated again: once to find the decision, and once up to it.
 */
#ifndef SIM_GATE_DIFFERENCE_H
#define SIM_GATE_DIFFERENCE_H

#include "report/gate/gate.h"
#include "scenarios/scenario.h"
#include "sim/base/out.h"

/* Fills number and sides; `known` stays false if all decisions are equal. Returns false with err
 * set if a run fails. */
bool gate_find_difference(const struct scenario *const sides[SIDES], int replica,
                          struct gate_difference *, struct err *err);

/*
 * The same if the base is a record of its decisions (gate_record()). The other side's job is then
 * described from the record. Nothing is found if decisions differ only in what is not described in
 * words.
 */
bool gate_find_difference_kept(const char *record, const struct scenario *candidate, int replica,
                               struct gate_difference *, struct err *err);

/* All decisions of a replica, a line each: the time in ms, a blank, words, a tab, the job's id.
 * False with err set when the run fails. */
bool gate_record(const struct scenario *, int replica, struct out *, struct err *err);

#endif
