/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is worth a word about a scenario before it is simulated, on stderr. */
#ifndef SIM_WORLD_SCENARIO_NOTES_H
#define SIM_WORLD_SCENARIO_NOTES_H

#include "scenarios/scenario.h"

/* Quotas that promise more than there is. */
void scenario_notes(const struct scenario *);

/* Of a second world only what is not said of the first. */
void scenario_notes_beside(const struct scenario *, const struct scenario *first);

#endif
