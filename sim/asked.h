/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The current call of a thread into the policy core, for messages about plugins that crash or hang.
 * The signal handler that writes the message runs on the calling thread, so the note is kept where
 * it can find it.
 *
 *     const struct asked asked = {.at = now, .self = sim, .name = name_of_job};
 *     asked_begin(&asked);
 *     policy_decide(...);
 *     asked_end();
 */
#ifndef SIM_ASKED_H
#define SIM_ASKED_H

#include "policies/policy.h"

#include <stdint.h>

struct asked {
    policy_time at;
    const char *job; /* job of the call, or NULL */
    void *self;
    /* Returns the name of a job of the policy core, or NULL if unknown. Called in signal handlers.
     * May be NULL. */
    const char *(*name)(void *self, policy_job);
};

void asked_begin(const struct asked *); /* borrowed until asked_end() */
void asked_end(void);

/* Returns the current call, or NULL. *number differs for each call of this thread. */
const struct asked *asked_now(uint64_t *number);

#endif
