/* SPDX-License-Identifier: MIT */
/*
 * Decisions of a plugin. Each function checks its arguments first and then acts in a transaction of
 * its own. An illegal call ends the decision with POLICY_WRONG_PLUGIN and an explanation.
 */
#ifndef POLICY_ACT_PLUGIN_PLAN_H
#define POLICY_ACT_PLUGIN_PLAN_H

#include "state/plugins.h"

struct pc_plugin_plan {
    struct policy_plan open; /* given to the plugin; first, so that its functions find the rest */
    struct policy *p;
    bool stopped; /* illegal call or out of memory; see the error */
};

/* Runs the plugin's action in place of the base's `action` (enum policy_action), or after all
 * actions (0). Returns false if the plan was stopped. */
bool pc_plugin_act(struct policy *, uint32_t action);

/* Sets the error "policy 'mine' starts ...: task 3", stops the plan, and returns false. `of` NULL:
 * omit the number. */
bool pc_plugin_plan_wrong(struct pc_plugin_plan *, uint32_t job, const char *what, const char *of,
                          int64_t value);

/* Functions of struct policy_plan that take a job id: place_job() and so on. */
bool pc_plugin_plan_place(struct policy_plan *, policy_job);
bool pc_plugin_plan_start(struct policy_plan *, policy_job, const struct policy_plugin_start *,
                          uint32_t count);
bool pc_plugin_plan_evict(struct policy_plan *, policy_job, policy_job for_job);
bool pc_plugin_plan_shrink(struct policy_plan *, policy_job, policy_job for_job);
void pc_plugin_plan_give_up(struct policy_plan *, const char *why);

/* Lets a whole policy decide about the lane of the fleet. Returns false if it was stopped, with the
 * error set. */
bool pc_plugin_decide(struct policy *);

/* Returns what is wrong with starting the task there, or NULL with *place set. */
const char *pc_check_start(struct policy *, uint32_t job, const struct policy_plugin_start *,
                           struct pc_place *place);

/* Returns true if the job's topology constraints hold. Also returns false if out of memory. */
bool pc_is_together(struct policy *, uint32_t job);

#endif
