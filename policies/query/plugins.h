/* SPDX-License-Identifier: MIT */
/* The lifecycle of a plugin in a policy: its state, its view, and its facts; see
 * state/plugins.h. */
#ifndef POLICY_QUERY_PLUGINS_H
#define POLICY_QUERY_PLUGINS_H

#include "state/plugins.h"

/* Returns true if created or without a plugin, false if out of memory. */
bool pc_plugin_create(struct policy *);
void pc_plugin_destroy(struct policy *);

/* Sets the functions of the view; plugin_view.c. */
void pc_plugin_view_open(struct policy *);

/* The plugin's saved state as a row of policy_history(); plugin_state.c. */
extern const struct pc_history_row pc_plugin_history;

/* Records submission data and attained service of jobs for the plugin; plugin_progress.c. */
extern const struct pc_module pc_plugin_module;

/* The job's attained service, in thousandths of devices x ms; and its remaining run time, as
 * struct policy_view_job has it. */
int64_t pc_plugin_attained(const struct policy *, uint32_t job);
int64_t pc_plugin_remaining(const struct policy *, uint32_t job);

#endif
