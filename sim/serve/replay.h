/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Passes records of the journal to the core of a starting service: decisions are repeated, and must
 * be equal. Where they differ and that is allowed, the recorded ones stand (sim/replay/takeover.h).
 *
 * In shadow mode the facts that take a decision back are records of their own. Those that the
 * writer did not get to are written now.
 */
#ifndef SIM_SERVE_REPLAY_H
#define SIM_SERVE_REPLAY_H

#include "sim/serve/running.h"

struct service_replay {
    struct service *s;
    bool is_other;   /* the records belong to another policy than the service's */
    bool takes_over; /* where the core decides otherwise than was recorded it does not matter */
    bool is_foreign; /* and the core is not that of the policy that wrote them */
    bool is_handed;  /* the core receives what another policy knew */
    uint64_t next;   /* record */
    struct fact_line line;
    size_t expected; /* decisions of the cycle that is being read */
    struct fact_decision *recorded;
    size_t count, capacity;
    struct fact *owed; /* facts that take back the last decision */
    size_t owed_at, owed_count, owed_room;
    struct err *err;
};

/* A fact of a state, from line `number`. What another policy remembers is passed on as far as this
 * one remembers the same. */
bool service_replay_state(const struct service_replay *, const struct fact *, uint64_t number,
                          struct err *);

/* All records from that one on. */
bool service_replay_from(struct service_replay *, uint64_t from, struct err *);
void service_replay_fini(struct service_replay *);

#endif
