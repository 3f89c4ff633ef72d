/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The plugins of policies/examples as part of a test program, and a policy of any plugin. */
#ifndef TESTS_LIB_PLUGINS_H
#define TESTS_LIB_PLUGINS_H

#include "policies/plugin.h"
#include "tests/lib/core.h"

extern const struct policy_plugin least_waste_plugin, researcher_plugin, smallest_first_plugin;

/* As core_create(), of a plugin. */
struct policy *plugin_create(struct tally *, const struct policy_plugin *, const char *options);

#endif
