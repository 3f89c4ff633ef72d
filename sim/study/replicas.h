/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What varies between the replicas of a scenario, in a sentence for the terminal, JSON and reports:
 *
 *     replicas resample 812 users and 4 weeks of the trace
 *     replicas jitter arrivals by up to 30 s
 *     replicas draw the generator anew
 */
#ifndef SIM_STUDY_REPLICAS_H
#define SIM_STUDY_REPLICAS_H

#include "scenarios/scenario.h"
#include "sim/base/err.h"

/*
 * *text is to be freed; NULL if nothing varies, as for one replica or for the jobs of a snapshot
 * alone. A resampled trace is read for it. Returns false with err set if that fails.
 */
bool replicas_vary(const struct scenario *, char **text, struct err *);

#endif
