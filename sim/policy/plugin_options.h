/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options that plugins declare, in words for people; see struct policy_plugin_option. */
#ifndef SIM_POLICY_PLUGIN_OPTIONS_H
#define SIM_POLICY_PLUGIN_OPTIONS_H

#include "policies/plugin.h"

/* The option of that name; NULL: the plugin (or NULL) has none. */
const struct policy_plugin_option *plugin_option(const struct policy_plugin *, const char *name);

/* The caller's: the values that there are, "true|false", "0 to 10 seconds"; and the default. */
char *plugin_option_values(const struct policy_plugin_option *);
char *plugin_option_usual(const struct policy_plugin_option *);

#endif
