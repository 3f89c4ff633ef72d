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
 * *text is to be freed; NULL where there is nothing to say, as of one replica or of the jobs of a
 * snapshot alone. A trace that is resampled is read for it. False with err set when it cannot be.
 */
bool replicas_vary(const struct scenario *, char **text, struct err *);

#endif
