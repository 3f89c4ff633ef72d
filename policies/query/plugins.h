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

/* Records submission data of jobs for the plugin. */
extern const struct pc_module pc_plugin_module;

#endif
