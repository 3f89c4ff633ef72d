/* SPDX-License-Identifier: MIT */
/* The life of a plugin in a policy: its state, its view, and what was said to it; see
 * state/plugins.h. */
#ifndef POLICY_QUERY_PLUGINS_H
#define POLICY_QUERY_PLUGINS_H

#include "state/plugins.h"

/* True without a plugin; false: no memory. */
bool pc_plugin_create(struct policy *);
void pc_plugin_destroy(struct policy *);

/* Sets the functions of the view; plugin_view.c. */
void pc_plugin_view_open(struct policy *);

/* What the plugin saved, as a row of policy_history(); plugin_state.c. */
extern const struct pc_history_row pc_plugin_history;

/* Hears of jobs, for what is said of them only once. */
extern const struct pc_module pc_plugin_module;

#endif
