/* SPDX-License-Identifier: MIT */
/*
 * Plugins in configurations: whether one can be used, which options it leaves to its base, and its
 * own options.
 *
 * A plugin's struct may be older, and so shorter, than this version's; missing members are zero.
 * pc_plugin_known() (state/plugins.h) converts it, and all other code takes it converted.
 */
#ifndef POLICY_PLUGIN_CONFIG_H
#define POLICY_PLUGIN_CONFIG_H

#include "plugin.h"

/* Checks that the struct follows this contract and that its parts are consistent. Returns a status,
 * with the error set. */
int pc_plugin_check(const struct policy_plugin *given, struct policy_error *);

/* Returns true if it evicts in its own order: it needs a base that does so. */
bool pc_plugin_evicts(const struct policy_plugin *known);

/* Returns true if the plugin replaces the part of the base that the option belongs to. */
bool pc_plugin_replaces(const struct policy_plugin *known, const char *option);

/* ---- its options ---- */

void pc_plugin_defaults(struct policy_config *, const struct policy_plugin *known);

/* Returns POLICY_UNKNOWN, without an error set, if the configuration's plugin has no such
 * option. */
int pc_plugin_set_option(struct policy_config *, const char *option, const char *value,
                         struct policy_error *);

/* Returns what is wrong with their values, as a sentence, or NULL. */
const char *pc_plugin_check_options(const struct policy_config *);

#endif
