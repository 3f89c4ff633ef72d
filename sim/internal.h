/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the driver's files share. */
#ifndef SIM_INTERNAL_H
#define SIM_INTERNAL_H

#include "sim/sim.h"

/* Calls one function of every observer that has it: SIM_TELL(sim, started, sim, job). */
#define SIM_TELL(sim, event, ...)                                                                            \
    do {                                                                                                     \
        for (size_t i_ = 0; i_ < (sim)->config.observer_count; i_++) {                                       \
            const struct sim_observer *o_ = &(sim)->config.observers[i_];                                    \
            if (o_->event != NULL)                                                                           \
                o_->event(o_->self, __VA_ARGS__);                                                            \
        }                                                                                                    \
    } while (0)

/* sites.c: which pools belong together, from the queues' bindings. */
void sim_sites_build(struct sim *);
void sim_sites_free(struct sim *);

/* Closes the site's interval up to now, before its state changes; at most once an instant. */
void sim_touch(struct sim *, uint32_t site);

/* queues.c */
bool sim_queues_add_all(struct sim *, struct err *);
bool sim_queue_for(struct sim *, uint32_t name, uint32_t *queue, struct err *);

/* admit.c: one arrival, told to the core. Returns NULL with err set when it cannot be simulated. */
struct work_job *sim_admit(struct sim *, const struct trace_job *, struct err *);

/* enact.c: asks the core and carries its decisions out. */
bool sim_decide(struct sim *, struct err *);
void sim_end_job(struct sim *, struct work_job *);

/* A call into the core that must not fail. */
bool sim_core_ok(struct sim *, int status, struct err *);

/* Every invariant that can be seen from here and inside the core. */
bool sim_audit(struct sim *, struct err *);

#endif
