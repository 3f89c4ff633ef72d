/* SPDX-License-Identifier: MIT */
/*
 * Decisions of a plugin on the quota state. Each function checks first and then acts in a
 * transaction of its own. An illegal call ends the decision with POLICY_WRONG_PLUGIN and an
 * explanation.
 */
#ifndef POLICY_ACT_PLUGIN_PLAN_H
#define POLICY_ACT_PLUGIN_PLAN_H

#include "state/plugins.h"

struct pc_plugin_plan {
    struct policy_plan
        open; /* what the plugin is given; first, so that its functions find the rest */
    struct policy *p;
    bool stopped; /* an illegal call, or no memory; see the error */
};

/* The plugin's action, in the turn of this one of the base (enum policy_action), or 0 after all.
 * False: it was stopped. */
bool pc_plugin_act(struct policy *, uint32_t action);

/* Sets the error "policy 'mine' starts ...: task 3", stops the plan, and returns false. `of` NULL:
 * without a number. */
bool pc_plugin_plan_wrong(struct pc_plugin_plan *, uint32_t job, const char *what, const char *of,
                          int64_t value);

/* What a plugin may call, by the id of the job: place_job() and so on of struct policy_plan. */
bool pc_plugin_plan_place(struct policy_plan *, policy_job);
bool pc_plugin_plan_start(struct policy_plan *, policy_job, const struct policy_plugin_start *,
                          uint32_t count);
bool pc_plugin_plan_evict(struct policy_plan *, policy_job, policy_job for_job);
bool pc_plugin_plan_shrink(struct policy_plan *, policy_job, policy_job for_job);
void pc_plugin_plan_give_up(struct policy_plan *, const char *why);

/* A whole policy decides about the lane of the fleet. False: it was stopped, with the error set. */
bool pc_plugin_decide(struct policy *);

/* What is wrong with starting the task there, or NULL; *place is then its place. */
const char *pc_check_start(struct policy *, uint32_t job, const struct policy_plugin_start *,
                           struct pc_place *place);

/* True if tasks of the job that have to be near each other are. False also without memory. */
bool pc_is_together(struct policy *, uint32_t job);

#endif
