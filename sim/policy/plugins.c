/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loading shared libraries; see plugins.h. */
#include "sim/policy/plugins.h"

#include "policies/plugin.h"
#include "scenarios/schema/policy_file.h"
#include "sim/base/mem.h"
#include "sim/policy/plugin_watch.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* "dlopen(NAME)" searches where libraries are installed unless the name has a slash. */
static void *open_library(const char *path)
{
    char *here = strchr(path, '/') != NULL ? mem_text(path) : mem_format("./%s", path);
    plugin_loading(path);
    void *library = dlopen(here, RTLD_NOW | RTLD_LOCAL);
    plugin_loaded();
    free(here);
    return library;
}

const struct policy_plugin *plugin_load(const char *path, struct err *err)
{
    void *library = open_library(path);
    if (library == NULL) {
        const char *why = dlerror();
        err_set(err, EXIT_INPUT, "cannot load the policy '%s': %s", path,
                why != NULL ? why : "not known why");
        return NULL;
    }
    const struct policy_plugin *plugin = dlsym(library, POLICY_PLUGIN_SYMBOL);
    if (plugin == NULL) {
        (void)dlclose(library);
        err_set(err, EXIT_INPUT,
                "'%s' is not a policy: it does not define '%s' (see policies/plugin.h; in C++ "
                "inside of extern \"C\")",
                path, POLICY_PLUGIN_SYMBOL);
        return NULL;
    }
    return plugin_watched(plugin);
}

const char *plugin_name_of(const char *name)
{
    struct err err = {0};
    const struct policy_plugin *plugin =
        policy_name_is_library(name) ? plugin_load(name, &err) : NULL;
    return plugin != NULL ? plugin->name : name;
}
