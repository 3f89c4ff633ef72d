/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options of plugins in words; see plugin_options.h. */
#include "sim/policy/plugin_options.h"

#include "sim/base/mem.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

const struct policy_plugin_option *plugin_option(const struct policy_plugin *plugin,
                                                 const char *name)
{
    for (uint32_t i = 0; plugin != NULL && i < plugin->option_count; i++)
        if (strcmp(plugin->options[i].row.name, name) == 0)
            return &plugin->options[i];
    return NULL;
}

/* A value as it is written: -1 stands for itself, whatever the unit. */
static char *number(const struct policy_plugin_option *option, int64_t value)
{
    const int64_t unit = option->kind == POLICY_OPTION_SECONDS ? 1000
                         : option->kind == POLICY_OPTION_RATIO ? 1000000
                                                               : 1;
    if (value % unit == 0 || value < 0)
        return mem_format("%" PRId64, value < 0 ? value : value / unit);
    char *text =
        mem_format("%" PRId64 ".%0*" PRId64, value / unit, unit == 1000 ? 3 : 6, value % unit);
    for (size_t n = strlen(text); text[n - 1] == '0'; n--)
        text[n - 1] = '\0';
    return text;
}

static char *word(const char *words, int64_t which)
{
    for (; which > 0; which--)
        words += strcspn(words, "|") + 1;
    return mem_text_n(words, strcspn(words, "|"));
}

char *plugin_option_usual(const struct policy_plugin_option *option)
{
    if (option->kind == POLICY_OPTION_FLAG)
        return mem_text(option->usual != 0 ? "true" : "false");
    return option->kind == POLICY_OPTION_WORD ? word(option->words, option->usual)
                                              : number(option, option->usual);
}

char *plugin_option_values(const struct policy_plugin_option *option)
{
    if (option->kind == POLICY_OPTION_FLAG)
        return mem_text("true|false");
    if (option->kind == POLICY_OPTION_WORD)
        return mem_text(option->words);
    char *least = number(option, option->least);
    char *most = option->most == INT64_MAX ? NULL : number(option, option->most);
    const char *unit = option->kind == POLICY_OPTION_SECONDS ? " seconds" : "";
    char *text = most != NULL ? mem_format("%s to %s%s", least, most, unit)
                              : mem_format("%s or more%s", least, unit);
    free(least);
    free(most);
    return text;
}
