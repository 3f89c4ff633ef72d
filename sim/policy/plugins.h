/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Policies from shared libraries; see policies/plugin.h. A library stays loaded until the program
 * ends, since its policies may live anywhere.
 */
#ifndef SIM_POLICY_PLUGINS_H
#define SIM_POLICY_PLUGINS_H

#include "sim/base/err.h"

struct policy_plugin;

/* The plugin of a library, under watch (plugin_watch.h) and not checked yet. Returns NULL with err
 * set. */
const struct policy_plugin *plugin_load(const char *path, struct err *err);

/* The name by which outputs speak of a policy that was chosen before: the plugin's own, or the
 * preset's. */
const char *plugin_name_of(const char *name);

#endif
