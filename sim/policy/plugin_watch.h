/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A plugin under watch: the policy core calls it through a wrapper that records the current
 * question, so that a plugin that crashes, exits, takes too long or is interrupted is named
 * together with the question.
 *
 * The limit is on CPU time, not elapsed time: it does not depend on the load of the machine, and
 * only ever ends the run. It is checked several times before it is reached, per decision: all calls
 * of one policy_decide() together.
 *
 *     const struct policy_plugin *watched = plugin_watched(plugin);
 *     policy_config_plugin(&config, watched, plugin_memory(watched), &error);
 */
#ifndef SIM_POLICY_PLUGIN_WATCH_H
#define SIM_POLICY_PLUGIN_WATCH_H

#include "policies/plugin.h"

#include <stdbool.h>
#include <stdint.h>

struct ending_line;

#define PLUGIN_LIMIT_MS 60000 /* default of plugin_limit() */

/* Most CPU time of a decision; 0: any. Before the first plugin is loaded. */
void plugin_limit(int64_t ms);

/* The same plugin for the same one; lives until the program ends. One of another version comes back
 * as it is. */
const struct policy_plugin *plugin_watched(const struct policy_plugin *);

/* The memory that a policy of it needs: libc's. */
struct policy_allocator plugin_memory(const struct policy_plugin *watched);

/* The same for code that runs while a library is being loaded. */
void plugin_loading(const char *path);
void plugin_loaded(void);

/* For handlers: "the plugin 'x' had been asked ...", when this thread is asking one. */
bool plugin_put_question(struct ending_line *);

#endif
