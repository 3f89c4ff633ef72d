/* SPDX-License-Identifier: MIT */
/* Plugins in configurations; see plugin_config.h. */
#include "plugin_config.h"
#include "base/words.h"
#include "state/plugins.h"
#include "state/sized.h"

#include <string.h>

#define MOST_BYTES 4096u /* of the struct, in any version */

/* ---- structs of other versions ---- */

/* Returns true if all members unknown to this version are zero: otherwise the plugin relies on
 * something unsupported. */
static bool is_known(const struct policy_plugin *given)
{
    const unsigned char *bytes = (const unsigned char *)given;
    if (given->size < POLICY_PLUGIN_FIRST_SIZE || given->size > MOST_BYTES)
        return false;
    for (size_t i = sizeof *given; i < given->size; i++)
        if (bytes[i] != 0)
            return false;
    return true;
}

/* ---- checking ---- */

static int refuse(struct policy_error *error, const char *name, const char *why)
{
    pc_error_set(error, POLICY_INVALID, "plugin '", name, why);
    return POLICY_INVALID;
}

static int refuse_option(struct policy_error *error, const struct policy_plugin *plugin,
                         const char *option, const char *why)
{
    pc_error_set(error, POLICY_INVALID, "plugin '", plugin->name, "': its option '");
    pc_error_text(error, option);
    pc_error_text(error, "' ");
    pc_error_text(error, why);
    return POLICY_INVALID;
}

static bool is_good_name(const char *name)
{
    size_t length = 0;
    for (; name != NULL && name[length] != '\0'; length++)
        if (length + 1 >= POLICY_PLUGIN_NAME || name[length] <= ' ' || name[length] > '~')
            return false;
    return length > 0;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

static bool is_good_option_name(const char *name)
{
    size_t length = 0;
    for (; name != NULL && name[length] != '\0'; length++)
        if (length + 1 >= POLICY_PLUGIN_NAME || !is_letter(name[length]))
            return false;
    return length > 0;
}

/* Returns the number of words, or 0 if one is empty. */
static int64_t count_words(const char *words)
{
    int64_t count = 1;
    if (words == NULL)
        return 0;
    for (const char *w = words;; w++) {
        bool ends = *w == '|' || *w == '\0';
        if (ends && (w == words || w[-1] == '|'))
            return 0;
        if (*w == '\0')
            return count;
        count += *w == '|';
    }
}

static bool is_built_in(const char *name)
{
    for (size_t i = 0; policy_option_row(i) != NULL; i++)
        if (pc_text_equal(policy_option_row(i)->name, name))
            return true;
    return false;
}

/* The range of its values. */
static void bounds_of(const struct policy_plugin_option *option, int64_t *least, int64_t *most)
{
    *least = option->least;
    *most = option->most;
    if (option->kind == POLICY_OPTION_FLAG || option->kind == POLICY_OPTION_WORD) {
        *least = 0;
        *most = option->kind == POLICY_OPTION_FLAG ? 1 : count_words(option->words) - 1;
    }
}

static int check_option(const struct policy_plugin *plugin, uint32_t i, struct policy_error *error)
{
    const struct policy_plugin_option *option = &plugin->options[i];
    const char *name = option->row.name;
    int64_t least, most;
    if (!is_good_option_name(name))
        return refuse(error, plugin->name,
                      "': a name of an option has 1 to 31 characters of a to z, 0 to 9 and '_'");
    if (option->row.summary == NULL)
        return refuse_option(error, plugin, name, "has no summary");
    if (is_built_in(name))
        return refuse_option(error, plugin, name, "has the name of a built-in one");
    for (uint32_t before = 0; before < i; before++)
        if (pc_text_equal(plugin->options[before].row.name, name))
            return refuse_option(error, plugin, name, "is there twice");
    if (option->kind < POLICY_OPTION_FLAG || option->kind > POLICY_OPTION_RATIO)
        return refuse_option(error, plugin, name, "is of no known kind");
    if (option->kind == POLICY_OPTION_WORD && count_words(option->words) == 0)
        return refuse_option(error, plugin, name, "needs words, separated by '|'");
    bounds_of(option, &least, &most);
    if (least < -1 || least > option->usual || option->usual > most)
        return refuse_option(error, plugin, name, "needs -1 <= least <= usual <= most");
    return POLICY_OK;
}

static int check_options(const struct policy_plugin *plugin, struct policy_error *error)
{
    if (plugin->option_count > 0 && plugin->options == NULL)
        return refuse(error, plugin->name, "' counts options, and has no table of them");
    if (plugin->option_count > POLICY_MAX_PLUGIN_OPTIONS)
        return refuse(error, plugin->name, "' has more than 32 options");
    if (plugin->option_count > 0 && plugin->open == NULL)
        return refuse(error, plugin->name, "' has options, which open() hands over, and no open()");
    int status = POLICY_OK;
    for (uint32_t i = 0; i < plugin->option_count && status == POLICY_OK; i++)
        status = check_option(plugin, i, error);
    return status;
}

/* Checks that the remaining parts are consistent. */
static const char *check_parts(const struct policy_plugin *plugin)
{
    if (plugin->summary == NULL)
        return "' has no summary";
    const int orders = (plugin->key != NULL) + (plugin->rekey != NULL) + (plugin->rank != NULL);
    if (orders == 0 && plugin->score == NULL && plugin->decide == NULL &&
        plugin->queue_key == NULL && plugin->act == NULL)
        return "' brings nothing: it needs one of key, rekey, rank, queue_key, score, act and "
               "decide";
    if (orders > 1)
        return "' has more than one of key, rekey and rank: one order is enough";
    if (plugin->rekey != NULL && plugin->decide != NULL)
        return "' has both rekey and decide: a whole policy orders jobs by key or rank";
    if (plugin->rekeys_at != NULL && plugin->rekey == NULL)
        return "' has rekeys_at, which goes with rekey";
    if (plugin->changes != NULL && (plugin->rank == NULL || plugin->decide != NULL))
        return "' has changes, which goes with rank and without decide";
    if (plugin->act != NULL && plugin->decide != NULL)
        return "' has both act and decide: a whole policy has no other actions";
    if (plugin->act_for != NULL && plugin->act == NULL)
        return "' has act_for, which goes with act";
    if (plugin->create != NULL && plugin->open != NULL)
        return "' has both create and open: one state is enough";
    if ((plugin->save == NULL) != (plugin->load == NULL))
        return "' has only one of save and load";
    if (plugin->save != NULL && plugin->create == NULL && plugin->open == NULL)
        return "' saves a state, and has none: it needs create or open";
    return (plugin->wants & ~(uint64_t)(POLICY_WANTS_NAMES | POLICY_WANTS_RUN_TIMES)) != 0
               ? "' wants what this version does not know"
               : NULL;
}

int pc_plugin_check(const struct policy_plugin *given, struct policy_error *error)
{
    struct policy_plugin room;
    if (given->version != POLICY_PLUGIN_VERSION || !is_known(given)) {
        pc_error_set(error, POLICY_INVALID, "", "", "");
        pc_error_text(error, "made for version ");
        pc_error_number(error, given->version);
        pc_error_text(error, " of plugin.h with a struct of ");
        pc_error_number(error, given->size);
        pc_error_text(error, " bytes, this is version ");
        pc_error_number(error, POLICY_PLUGIN_VERSION);
        pc_error_text(error, " with ");
        pc_error_number(error, (int64_t)sizeof *given);
        pc_error_text(error, ": compile it anew");
        return POLICY_INVALID;
    }
    const struct policy_plugin *plugin = pc_plugin_known(given, &room);
    if (!is_good_name(plugin->name)) {
        pc_error_set(error, POLICY_INVALID,
                     "a plugin's name has 1 to 31 printable characters without blanks", "", "");
        return POLICY_INVALID;
    }
    const char *wrong = check_parts(plugin);
    return wrong != NULL ? refuse(error, plugin->name, wrong) : check_options(plugin, error);
}

bool pc_plugin_evicts(const struct policy_plugin *known)
{
    return known->rank != NULL || known->decide != NULL;
}

bool pc_plugin_replaces(const struct policy_plugin *plugin, const char *option)
{
    if (plugin == NULL)
        return false;
    if (pc_text_equal(option, "placement"))
        return plugin->score != NULL;
    if (plugin->decide != NULL)
        return !pc_text_equal(option, "seed");
    return pc_text_equal(option, "order") &&
           (plugin->key != NULL || plugin->rank != NULL || pc_plugin_rekeys(plugin));
}

/* ---- its options ---- */

void pc_plugin_defaults(struct policy_config *config, const struct policy_plugin *known)
{
    memset(config->plugin_options, 0, sizeof config->plugin_options);
    for (uint32_t i = 0; i < known->option_count; i++)
        config->plugin_options[i] = known->options[i].usual;
}

static bool value_of(const struct policy_plugin_option *option, const char *text, int64_t *value)
{
    static const int digits[] = {
        [POLICY_OPTION_NUMBER] = 0, [POLICY_OPTION_SECONDS] = 3, [POLICY_OPTION_RATIO] = 6};
    int64_t least, most;
    bounds_of(option, &least, &most);
    if (option->kind == POLICY_OPTION_FLAG || option->kind == POLICY_OPTION_WORD)
        *value =
            pc_word_of(option->kind == POLICY_OPTION_FLAG ? "false|true" : option->words, text);
    else if (!pc_parse_decimal(text, digits[option->kind], value))
        return false;
    return *value >= least && *value <= most;
}

int pc_plugin_set_option(struct policy_config *config, const char *option, const char *value,
                         struct policy_error *error)
{
    struct policy_plugin room;
    const struct policy_plugin *plugin = pc_plugin_known(config->plugin, &room);
    for (uint32_t i = 0; plugin != NULL && i < plugin->option_count; i++) {
        if (!pc_text_equal(plugin->options[i].row.name, option))
            continue;
        int64_t number;
        if (!value_of(&plugin->options[i], value, &number)) {
            pc_error_set(error, POLICY_INVALID, value, " is no value of the option ", option);
            return POLICY_INVALID;
        }
        config->plugin_options[i] = number;
        return POLICY_OK;
    }
    return POLICY_UNKNOWN;
}

/* The message is the plugin's and must not refer to the setup. */
static const char *ask(const struct policy_config *config, const struct policy_plugin *plugin)
{
    const struct policy_plugin_setup setup = pc_plugin_setup(config, plugin);
    // cppcheck-suppress returnDanglingLifetime
    return plugin->check(&setup);
}

const char *pc_plugin_check_options(const struct policy_config *config)
{
    struct policy_plugin room;
    const struct policy_plugin *plugin = pc_plugin_known(config->plugin, &room);
    const uint32_t count = plugin != NULL ? plugin->option_count : 0;
    for (uint32_t i = 0; i < POLICY_MAX_PLUGIN_OPTIONS; i++) {
        int64_t least = 0, most = 0;
        if (i < count)
            bounds_of(&plugin->options[i], &least, &most);
        if (config->plugin_options[i] < least || config->plugin_options[i] > most)
            return "a value of the plugin's options is out of range";
    }
    return plugin != NULL && plugin->check != NULL ? ask(config, plugin) : NULL;
}
