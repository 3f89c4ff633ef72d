/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The example plugins, each under a name of its own; see plugins.h. */
#include "tests/lib/plugins.h"

#define fauxpolicy_plugin least_waste_plugin
#include "policies/examples/least_waste.c"
#undef fauxpolicy_plugin
#define fauxpolicy_plugin researcher_plugin
#include "policies/examples/researcher.c"
#undef fauxpolicy_plugin
#define fauxpolicy_plugin smallest_first_plugin
#include "policies/examples/smallest_first.c"
#undef fauxpolicy_plugin

#include "tests/lib/harness.h"

#include <stdio.h>
#include <string.h>

struct policy *plugin_create(struct tally *tally, const struct policy_plugin *plugin,
                             const char *options)
{
    struct policy_config config;
    struct policy_error error;
    ck_assert_int_eq(policy_config_plugin(&config, plugin, tally_allocator(tally), &error),
                     POLICY_OK);
    char words[256];
    int n = snprintf(words, sizeof words, "%s ", options);
    ck_assert(n > 0 && (size_t)n < sizeof words);
    for (char *word = words, *end; (end = strchr(word, ' ')) != NULL; word = end + 1) {
        *end = '\0';
        char *value = strchr(word, '=');
        if (value == NULL)
            continue;
        *value++ = '\0';
        ck_assert_msg(policy_config_set(&config, word, value, &error) == POLICY_OK, "%s",
                      error.message);
    }
    struct policy *p = policy_create(&config, &error);
    ck_assert_msg(p != NULL || tally->failed, "%s", error.message);
    return p;
}
