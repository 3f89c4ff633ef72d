/* SPDX-License-Identifier: MIT */
/*
 * Plugins in configurations: whether one can be used, which options it leaves to its base, and
 * options of its own.
 *
 * A plugin's struct may be older, and so shorter, than this version's; what it lacks is zero:
 * pc_plugin_known() (state/plugins.h) makes it whole, and everything else takes it so.
 */
#ifndef POLICY_PLUGIN_CONFIG_H
#define POLICY_PLUGIN_CONFIG_H

#include "plugin.h"

/* Checks that it is a struct of this contract, and that what it brings goes together. Returns a
 * status, with the error set. */
int pc_plugin_check(const struct policy_plugin *given, struct policy_error *);

/* True if it evicts in an order of its own: it needs a base that does so. */
bool pc_plugin_evicts(const struct policy_plugin *known);

/* True if the option of the base is taken by what the plugin brings. */
bool pc_plugin_replaces(const struct policy_plugin *known, const char *option);

/* ---- its options ---- */

void pc_plugin_defaults(struct policy_config *, const struct policy_plugin *known);

/* POLICY_UNKNOWN, without an error set, when the configuration's plugin has no such option. */
int pc_plugin_set_option(struct policy_config *, const char *option, const char *value,
                         struct policy_error *);

/* What is wrong with their values, as a sentence, or NULL. */
const char *pc_plugin_check_options(const struct policy_config *);

#endif
