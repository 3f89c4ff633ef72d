/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Configuring the policy core from text; see choice.h. */
#include "sim/policy/choice.h"

#include "scenarios/schema/policy.h"
#include "scenarios/schema/policy_file.h"
#include "sim/base/mem.h"
#include "sim/base/out.h"
#include "sim/base/text.h"
#include "sim/policy/memory.h"
#include "sim/policy/plugin_options.h"
#include "sim/policy/plugin_watch.h"
#include "sim/policy/plugins.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- memory of the policy core: libc's ---- */

/* ---- names ---- */

#define MOST_NAMES (POLICY_MAX_PLUGIN_OPTIONS + 128) /* of rows of one kind */

static bool unknown_among(const struct policy_choice *choice, const char *path, const char *what,
                          const char *name, const char *const *names, size_t count, struct err *err)
{
    char where[256];
    char hint[128];
    return err_set(err, EXIT_INPUT, "%s: no %s is named '%s'%s",
                   choice->where(choice->of, path, where, sizeof where), what, name,
                   text_suggest(hint, sizeof hint, name, names, count, sizeof *names));
}

static bool unknown_name(const struct policy_choice *choice, const char *path, const char *what,
                         const char *name, const struct policy_row *(*row)(size_t), struct err *err)
{
    const char *names[MOST_NAMES];
    size_t count = 0;
    for (; count < MOST_NAMES && row(count) != NULL; count++)
        names[count] = row(count)->name;
    return unknown_among(choice, path, what, name, names, count, err);
}

/* Handles built-in options, and those of the policy's plugin. */
static bool unknown_option(const struct policy_choice *choice, const struct policy_config *config,
                           const char *path, const char *name, struct err *err)
{
    const char *names[MOST_NAMES];
    size_t count = 0;
    const uint32_t own = config->plugin != NULL ? config->plugin->option_count : 0;
    for (uint32_t i = 0; i < own; i++)
        names[count++] = config->plugin->options[i].row.name;
    for (size_t i = 0; count < MOST_NAMES && policy_option_row(i) != NULL; i++)
        names[count++] = policy_option_row(i)->name;
    return unknown_among(choice, path, "policy option", name, names, count, err);
}

#define MOST_VALUES 16 /* of an option */

/* Cuts `text` at each separator. */
static size_t split(char *text, char separator, const char **parts)
{
    size_t count = 0;
    for (char *end = text; end != NULL && count < MOST_VALUES; count++) {
        parts[count] = text;
        end = strchr(text, separator);
        if (end != NULL) {
            *end = '\0';
            text = end + 1;
        }
    }
    return count;
}

static char *join(const char *const *parts, size_t count, const char *between)
{
    char text[256] = "";
    for (size_t i = 0; i < count; i++) {
        size_t used = strlen(text);
        (void)snprintf(text + used, sizeof text - used, "%s%s", i > 0 ? between : "", parts[i]);
    }
    return mem_text(text);
}

static bool is_among(const char *word, size_t length, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(names[i]) == length && memcmp(names[i], word, length) == 0)
            return true;
    return false;
}

/*
 * The first word of a comma-separated list that is none of the names; the whole list if no word is.
 */
static char *wrong_word(const char *list, const char *const *names, size_t count)
{
    for (const char *word = list; *word != '\0';) {
        size_t length = strcspn(word, ",");
        if (!is_among(word, length, names, count))
            return mem_text_n(word, length);
        word += length + (word[length] == ',');
    }
    return mem_text(list);
}

static const char *summary_of(const char *option)
{
    for (size_t i = 0; policy_option_row(i) != NULL; i++)
        if (strcmp(policy_option_row(i)->name, option) == 0)
            return policy_option_row(i)->summary;
    return NULL;
}

/* The values that there are. The summary of a built-in option begins with them: "strict|skip: ...",
 * "1,2: ..." for any. */
static char *values_of(const struct policy_config *config, const char *option)
{
    const struct policy_plugin_option *own = plugin_option(config->plugin, option);
    const char *summary = own == NULL ? summary_of(option) : NULL;
    return own != NULL ? plugin_option_values(own) : mem_text_n(summary, strcspn(summary, ":"));
}

/* A wrong value. */
static bool unknown_value(const struct policy_choice *choice, const struct policy_config *config,
                          const char *path, const struct scen_option *option, struct err *err)
{
    char *values = values_of(config, option->name);
    bool list = strchr(values, ',') != NULL && strchr(values, ' ') == NULL;
    const char *names[MOST_VALUES];
    size_t count = split(values, list ? ',' : '|', names);
    char *expected = join(names, count, list ? ", " : " or ");
    char *wrong = list ? wrong_word(option->value, names, count) : mem_text(option->value);
    char where[256];
    char hint[128];
    text_suggest(hint, sizeof hint, wrong, names, count > 1 ? count : 0, sizeof *names);
    err_set(err, EXIT_INPUT, "%s: '%.64s' is not valid, expected %s%s%s",
            choice->where(choice->of, path, where, sizeof where), wrong,
            list ? "some, separated by commas, of " : "", expected, hint);
    free(wrong);
    free(expected);
    free(values);
    return false;
}

/* ---- a name that was changed, and options that stayed ---- */

/* What changed the name on the command line: "--set" or "--both"; NULL if the scenario has it. */
static const char *renamed_by(const struct policy_choice *choice)
{
    static const char *const options[] = {"--set", "--both"};
    char where[256];
    choice->where(choice->of, "policy.name", where, sizeof where);
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        size_t n = strlen(options[i]);
        if (strncmp(where, options[i], n) == 0 && strncmp(where + n, " policy", 7) == 0)
            return options[i];
    }
    return NULL;
}

/* If only the policy's name was changed, explains how to change its options too. --policy leaves
 * the other side unchanged. */
static bool say_instead(const struct policy_choice *choice, struct err *err)
{
    const char *option = renamed_by(choice), *name = choice->name;
    if (option == NULL)
        return false;
    struct err before = *err;
    char *alone =
        strcmp(option, "--set") == 0 ? mem_format("--policy %s, or ", name) : mem_text("");
    err_set(
        err, EXIT_INPUT,
        "%s; %s changed the name alone, and the options stayed those of the previous policy: write "
        "%s%s 'policy={\"name\":\"%s\",\"options\":{}}'",
        before.msg, option, alone, option, name);
    free(alone);
    return false;
}

/* Such options exist, but this policy does not have them; names all of them. */
static bool other_policy(const struct policy_choice *choice, const struct policy_config *config,
                         const char *path, struct err *err)
{
    struct out *names = out_memory();
    size_t count = 0;
    for (size_t i = 0; i < choice->option_count; i++) {
        const struct scen_option *option = &choice->options[i];
        struct policy_config tried = *config;
        struct policy_error error = {0};
        if (summary_of(option->name) != NULL &&
            policy_config_set(&tried, option->name, option->value, &error) == POLICY_UNKNOWN)
            out_format(names, "%s'%s'", count++ > 0 ? ", " : "", option->name);
    }
    char where[256];
    err_set(err, EXIT_INPUT, "%s: the policy '%.64s' has no option%s %s",
            choice->where(choice->of, count > 1 ? "policy.options" : path, where, sizeof where),
            choice->name, count > 1 ? "s" : "", out_memory_text(names, NULL));
    out_discard(names);
    return say_instead(choice, err);
}

static bool set_option(const struct policy_choice *choice, const struct scen_option *option,
                       struct policy_config *config, struct err *err)
{
    struct policy_error error = {0};
    int status = policy_config_set(config, option->name, option->value, &error);
    if (status == POLICY_OK)
        return true;
    char *path = mem_format("policy.options.%s", option->name);
    if (status == POLICY_UNKNOWN && summary_of(option->name) != NULL)
        other_policy(choice, config, path, err);
    else if (status == POLICY_UNKNOWN)
        unknown_option(choice, config, path, option->name, err);
    else if (strcmp(option->name, "placement") == 0)
        unknown_name(choice, path, "placement", option->value, policy_placement_row, err);
    else if (strcmp(option->name, "order") == 0)
        unknown_name(choice, path, "order", option->value, policy_order_row, err);
    else
        unknown_value(choice, config, path, option, err);
    free(path);
    return false;
}

/* These bring options of their own, which others then change: they are set first, whatever the
 * order in which they are given. */
static const char *const bringing[] = {"unit", "queue_order", "order"};
#define BRINGING (sizeof bringing / sizeof *bringing)

static bool set_options(const struct policy_choice *choice, struct policy_config *config,
                        struct err *err)
{
    for (size_t turn = 0; turn <= BRINGING; turn++)
        for (size_t i = 0; i < choice->option_count; i++) {
            size_t its_turn = 0;
            while (its_turn < BRINGING && strcmp(bringing[its_turn], choice->options[i].name) != 0)
                its_turn++;
            if (its_turn == turn && !set_option(choice, &choice->options[i], config, err))
                return false;
        }
    return true;
}

/* Options of scenarios that are no policy's: the scenario would take them. */
static const char *taken_option(const struct policy_plugin *plugin)
{
    for (const struct schema_row *row = schema_policy_option_rows; row->key != NULL; row++)
        if (plugin_option(plugin, row->key) != NULL)
            return row->key;
    return NULL;
}

static bool choose_plugin(struct policy_config *config, const struct policy_choice *choice,
                          struct err *err)
{
    struct policy_error error = {0};
    char where[256];
    const struct policy_plugin *plugin = plugin_load(choice->name, err);
    if (plugin == NULL)
        return err_prefix(err, "%s", choice->where(choice->of, "policy.name", where, sizeof where));
    if (policy_config_plugin(config, plugin, plugin_memory(plugin), &error) != POLICY_OK)
        return err_set(err, EXIT_INPUT, "%s: cannot use the policy '%s': %s",
                       choice->where(choice->of, "policy.name", where, sizeof where), choice->name,
                       error.message);
    const char *taken = taken_option(plugin);
    return taken == NULL ||
           err_set(err, EXIT_INPUT,
                   "%s: cannot use the policy '%s': '%s' is an option of scenarios already",
                   choice->where(choice->of, "policy.name", where, sizeof where), choice->name,
                   taken);
}

bool policy_choose(struct policy_config *config, const struct policy_choice *choice,
                   struct err *err)
{
    struct policy_error error = {0};
    if (policy_name_is_library(choice->name)) {
        if (!choose_plugin(config, choice, err))
            return false;
    } else if (policy_config_init(config, choice->name, policy_memory(), &error) != POLICY_OK) {
        return unknown_name(choice, "policy.name", "policy", choice->name, policy_preset_row, err);
    }
    config->seed = choice->seed;
    if (!set_options(choice, config, err))
        return false;
    char where[256];
    if (policy_config_check(config, &error) == POLICY_OK)
        return true;
    err_set(err, EXIT_INPUT, "%s: %s",
            choice->where(choice->of, "policy.options", where, sizeof where), error.message);
    return say_instead(choice, err);
}
