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
    const char *job; /* the job of the call; NULL: none */
    void *self;
    /* The name of a job of the policy core, NULL unknown; called in handlers. May be NULL. */
    const char *(*name)(void *self, policy_job);
};

void asked_begin(const struct asked *); /* stays the caller's, until asked_end() */
void asked_end(void);

/* NULL: nothing. *number is another one for each question of this thread. */
const struct asked *asked_now(uint64_t *number);

#endif
