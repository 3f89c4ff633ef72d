/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What was recorded happened, whatever another policy decided: see replay.h. */
#ifndef SIM_REPLAY_TAKEOVER_H
#define SIM_REPLAY_TAKEOVER_H

#include "sim/replay/core.h"

/* Where tasks run according to the recording. */
struct replay_places {
    struct replay_place *places; /* hash */
};

void replay_places_fini(struct replay_places *);

/* After a fact, and after the decisions of a cycle. */
void replay_places_fact(struct replay_places *, const struct fact *);
void replay_places_decided(struct replay_places *, const struct fact_decision *recorded,
                           size_t count);

/* Passes consequences to the core; returns its status. */
struct replay_teller {
    int (*tell)(void *, const struct fact *);
    void *self;
};

/*
 * Replaces what `core` has just decided by what was recorded (by nothing, for a core that is only
 * watched). Call it before the places are updated. Returns the number of refused facts.
 */
uint64_t replay_take_over(const struct replay_core *core, const struct replay_places *,
                          const struct fact_decision *recorded, size_t count, struct replay_teller);

#endif
