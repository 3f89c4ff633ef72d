/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Links the plugins of policies/examples into a test program, and makes a policy of any plugin. */
#ifndef TESTS_LIB_PLUGINS_H
#define TESTS_LIB_PLUGINS_H

#include "policies/plugin.h"
#include "tests/lib/core.h"

extern const struct policy_plugin least_waste_plugin, researcher_plugin, smallest_first_plugin;

/* Like core_create(), with a plugin. */
struct policy *plugin_create(struct tally *, const struct policy_plugin *, const char *options);

#endif
