/* SPDX-License-Identifier: MIT */
/* Converts the file's contents to a configuration of the policy core. */
#include "policies/adapters/slurm/config.h"

#include <stdio.h>
#include <stdlib.h>

static void *resize(void *user, void *old, size_t old_size, size_t new_size)
{
    (void)user, (void)old_size;
    if (new_size > 0)
        return realloc(old, new_size);
    free(old);
    return NULL;
}

bool config_core(const struct config *c, struct policy_config *core, char error[CONFIG_ERROR])
{
    struct policy_error e = {0};
    const char *option = "";
    *core = (struct policy_config){.size = sizeof *core};
    int status = policy_config_init(core, c->policy, (struct policy_allocator){resize, NULL}, &e);
    for (size_t i = 0; i < c->option_count && status == POLICY_OK; i++) {
        option = c->options[i];
        status = policy_config_set(core, option, c->values[i], &e);
    }
    if (status == POLICY_OK) {
        option = "";
        status = policy_config_check(core, &e);
    }
    if (status == POLICY_OK && policy_placement_counts(core)) {
        (void)snprintf(error, CONFIG_ERROR, "policy '%s': its placement names no nodes", c->policy);
        return false;
    }
    if (status != POLICY_OK)
        (void)snprintf(error, CONFIG_ERROR, "policy '%.64s'%s%.64s: %s", c->policy,
                       *option ? ", option " : "", option, e.message);
    return status == POLICY_OK;
}
