/* SPDX-License-Identifier: MIT */
/*
 * What a plugin decides on the quota state: its functions check first and then do, each as a transaction of its own. What
 * may not be ends the decision: POLICY_WRONG_PLUGIN, with a sentence.
 */
#ifndef POLICY_ACT_PLUGIN_PLAN_H
#define POLICY_ACT_PLUGIN_PLAN_H

#include "state/plugins.h"

struct pq_plan {
    struct policy_plan open; /* what the plugin is given; first, so that its functions find the rest */
    struct policy *p;
    bool stopped; /* it did what it may not, or there is no memory; the error says what */
};

/* The plugin's action, in the turn of this one of the base (enum policy_action), or 0 after all. False: it was stopped. */
bool pq_plugin_act(struct policy *, uint32_t action);

/* Sets the error "policy 'mine' starts ...: task 3", stops the plan, and returns false. `of` NULL: without a number. */
bool pq_plan_wrong(struct pq_plan *, uint32_t job, const char *what, const char *of, int64_t value);

/* What is wrong with starting the task there, or NULL; *place is then its place. */
const char *pq_check_start(struct policy *, uint32_t job, const struct policy_plugin_start *,
                           struct pq_place *place);

/* Whether tasks of the job that have to be near each other are. No memory counts as not. */
bool pq_is_together(struct policy *, uint32_t job);

#endif
