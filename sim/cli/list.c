/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `fauxfleet list TOPIC`: the built-in tables, one line per row. A topic is a subcommand; its
 * function collects the rows of a table that is defined elsewhere and passes them to print().
 */
#include "policies/plugin.h"
#include "report/gate/reports.h"
#include "report/words/metric_rows.h"
#include "scenarios/schema/policy_file.h"
#include "sim/base/json.h"
#include "sim/base/mem.h"
#include "sim/policy/choice.h"
#include "sim/policy/memory.h"
#include "sim/policy/plugin_options.h"
#include "sim/policy/plugins.h"
#include "sim/program/command.h"
#include "traces/trace.h"

#include <stdlib.h>
#include <string.h>

struct list_row {
    char *name, *description; /* owned */
};

struct list {
    struct list_row *rows;
    size_t count, capacity;
};

static void add_owned(struct list *list, char *name, char *description)
{
    list->rows = mem_grow(list->rows, &list->capacity, list->count + 1, sizeof *list->rows);
    list->rows[list->count++] = (struct list_row){name, description};
}

static void add(struct list *list, const char *name, const char *description)
{
    add_owned(list, mem_text(name), mem_text(description));
}

static void print_table(struct out *out, const struct list *list)
{
    size_t widest = 0;
    for (size_t i = 0; i < list->count; i++) {
        size_t n = strlen(list->rows[i].name);
        widest = n > widest ? n : widest;
    }
    for (size_t i = 0; i < list->count; i++)
        out_format(out, "%-*s  %s\n", (int)widest, list->rows[i].name, list->rows[i].description);
}

static void print_json(struct out *out, const struct list *list)
{
    struct json json;
    json_init(&json, out, 2);
    json_begin_array(&json, NULL);
    for (size_t i = 0; i < list->count; i++) {
        json_begin_object(&json, NULL);
        json_text(&json, "name", list->rows[i].name);
        json_text(&json, "description", list->rows[i].description);
        json_end_object(&json);
    }
    json_end_array(&json);
    out_char(out, '\n');
}

static void discard(struct list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->rows[i].name);
        free(list->rows[i].description);
    }
    free(list->rows);
}

/* Prints and frees the list. */
static int print(struct cli *cli, struct list *list)
{
    (cli_given(cli, OPT_JSON) ? print_json : print_table)(cli->out, list);
    discard(list);
    return EXIT_OK;
}

static int list_commands(struct cli *cli, const struct command *table)
{
    struct list list = {0};
    for (const struct command *row = table; row->name; row++)
        add(&list, row->name, row->summary);
    return print(cli, &list);
}

static int list_policy_rows(struct cli *cli, const struct policy_row *(*row_at)(size_t))
{
    struct list list = {0};
    const struct policy_row *row;
    for (size_t i = 0; (row = row_at(i)) != NULL; i++)
        add(&list, row->name, row->summary);
    return print(cli, &list);
}

static const char *where_named(const void *of, const char *path, char *buffer, size_t size)
{
    (void)of, (void)path, (void)size;
    *buffer = '\0';
    return "list options";
}

/* The rows of a library, if it can be loaded. */
static bool add_library(struct list *list, const char *path, struct err *err)
{
    struct policy_error error = {0};
    struct policy_config config;
    const struct policy_plugin *plugin = plugin_load(path, err);
    if (plugin == NULL)
        return false;
    if (policy_config_plugin(&config, plugin, policy_memory(), &error) != POLICY_OK)
        return err_set(err, EXIT_INPUT, "cannot use the policy '%s': %s", path, error.message);
    add(list, plugin->name, plugin->summary);
    return true;
}

static int topic_policies(struct cli *cli)
{
    struct list list = {0};
    struct err err = {0};
    bool ok = true;
    for (size_t i = 0; i < cli->operand_count; i++)
        if (!policy_name_is_library(cli->operands[i]))
            return cli_misuse(cli, "unexpected operand '%s': it is not a shared library",
                              cli->operands[i]);
    for (size_t i = 0; cli->operand_count == 0 && policy_preset_row(i) != NULL; i++)
        add(&list, policy_preset_row(i)->name, policy_preset_row(i)->summary);
    for (size_t i = 0; i < cli->operand_count && ok; i++)
        ok = add_library(&list, cli->operands[i], &err);
    if (ok)
        return print(cli, &list);
    discard(&list);
    return cli_fail(&err);
}

static int topic_orders(struct cli *cli)
{
    return list_policy_rows(cli, policy_order_row);
}

static int topic_placements(struct cli *cli)
{
    return list_policy_rows(cli, policy_placement_row);
}

static int topic_queue_orders(struct cli *cli)
{
    return list_policy_rows(cli, policy_queue_order_row);
}

static int topic_actions(struct cli *cli)
{
    return list_policy_rows(cli, policy_action_row);
}

/* The options of the policy: a plugin's own with values and defaults, then those of its base. */
static bool add_options(struct list *list, const char *name, struct err *err)
{
    struct policy_config config;
    const struct policy_choice choice = {.name = name, .where = where_named};
    if (!policy_choose(&config, &choice, err))
        return false;
    const struct policy_plugin *plugin = config.plugin;
    for (uint32_t i = 0; plugin != NULL && i < plugin->option_count; i++) {
        char *values = plugin_option_values(&plugin->options[i]);
        char *usual = plugin_option_usual(&plugin->options[i]);
        add_owned(list, mem_text(plugin->options[i].row.name),
                  mem_format("%s: %s [%s]", values, plugin->options[i].row.summary, usual));
        free(values);
        free(usual);
    }
    for (size_t i = 0; policy_config_option_row(&config, i) != NULL; i++)
        if (plugin_option(plugin, policy_config_option_row(&config, i)->name) == NULL)
            add(list, policy_config_option_row(&config, i)->name,
                policy_config_option_row(&config, i)->summary);
    return true;
}

static int topic_options(struct cli *cli)
{
    struct list list = {0};
    struct err err = {0};
    if (cli->operand_count == 0)
        return list_policy_rows(cli, policy_option_row);
    if (add_options(&list, cli->operands[0], &err))
        return print(cli, &list);
    discard(&list);
    return cli_fail(&err);
}

static int metrics_json(struct cli *cli)
{
    struct json json;
    const struct metric_row *row;
    json_init(&json, cli->out, 2);
    json_begin_array(&json, NULL);
    for (size_t i = 0; (row = metric_row_at(i)) != NULL; i++) {
        json_begin_object(&json, NULL);
        json_text(&json, "name", row->name);
        json_text(&json, "unit", row->unit);
        json_text(&json, "better", metric_better_name(row->better));
        json_text(&json, "description", row->summary);
        json_end_object(&json);
    }
    json_end_array(&json);
    out_char(cli->out, '\n');
    return EXIT_OK;
}

static int topic_metrics(struct cli *cli)
{
    if (cli_given(cli, OPT_JSON))
        return metrics_json(cli);
    struct list list = {0};
    const struct metric_row *row;
    for (size_t i = 0; (row = metric_row_at(i)) != NULL; i++) {
        const char *better = metric_better_name(row->better);
        add_owned(&list, mem_text(row->name),
                  mem_format("[%s%s%s%s] %s", row->unit, better[0] ? ", " : "", better,
                             better[0] ? " is better" : "", row->summary));
    }
    return print(cli, &list);
}

int cmd_list_formats(struct cli *cli)
{
    size_t count;
    const struct trace_format_row *rows = trace_formats(&count);
    struct list list = {0};
    for (size_t i = 0; i < count; i++)
        add(&list, rows[i].name, rows[i].summary);
    return print(cli, &list);
}

static int topic_profiles(struct cli *cli)
{
    size_t count;
    const struct trace_profile_row *rows = trace_profiles(&count);
    struct list list = {0};
    for (size_t i = 0; i < count; i++)
        add(&list, rows[i].name, rows[i].summary);
    return print(cli, &list);
}

static int topic_trace_options(struct cli *cli)
{
    size_t count;
    const struct trace_setting_row *rows = trace_settings(&count);
    struct list list = {0};
    for (size_t i = 0; i < count; i++)
        add_owned(&list, mem_format("%s", rows[i].key),
                  mem_format("%s: %s", rows[i].formats, rows[i].summary));
    return print(cli, &list);
}

static int topic_parameters(struct cli *cli)
{
    size_t count;
    const struct trace_profile_row *rows = trace_profiles(&count);
    struct list list = {0};
    for (size_t i = 0; i < count; i++) {
        for (size_t p = 0; rows[i].parameter_names[p]; p++)
            add_owned(&list, mem_format("%s.%s", rows[i].name, rows[i].parameter_names[p]),
                      mem_format("%s [%.10g]", rows[i].parameter_summaries[p],
                                 rows[i].parameter_defaults[p]));
    }
    return print(cli, &list);
}

static int topic_reports(struct cli *cli)
{
    struct list list = {0};
    size_t count;
    const struct gate_report *gates = gate_reports(&count);
    add(&list, "html", "one self-contained page with figures");
    for (size_t i = 0; i < count; i++)
        add(&list, gates[i].name, gates[i].summary);
    return print(cli, &list);
}

static int topic_commands(struct cli *cli)
{
    return list_commands(cli, commands);
}

// clang-format off
const struct command list_topics[] = {
    {.name = "policies",   .operands = "[LIBRARY.so]...", .operands_max = 64,
     .summary = "policies, for --policy and policy.name; or those in shared libraries",
       .run = topic_policies},
    {.name = "orders",     .operands = "", .summary = "orders of pending jobs",
     .run = topic_orders},
    {.name = "placements", .operands = "", .summary = "placements, for policy.options.placement",
     .run = topic_placements},
    {.name = "queue-orders", .operands = "", .summary = "orders of queues, for policy.options.queue_order",
     .run = topic_queue_orders},
    {.name = "actions",    .operands = "",
     .summary = "what a decision does in turn, for policy.options.actions", .run = topic_actions},
    {.name = "options",    .operands = "[POLICY|LIBRARY.so]", .operands_max = 1,
     .summary = "options of policies, for policy.options; or those of one policy, a plugin's own "
                "first", .run = topic_options},
    {.name = "nodes",      .operands = "[NAME]", .operands_max = 1,
     .summary = "kinds of nodes in the catalogue; figures and sources of one",
       .run = cmd_list_nodes},
    {.name = "fabrics",    .operands = "", .summary = "fabrics in the catalogue",
     .run = cmd_list_fabrics},
    {.name = "faults",     .operands = "[NAME]", .operands_max = 1,
     .summary = "profiles and classes of faults; figures and sources of one",
       .run = cmd_list_faults},
    {.name = "spot",       .operands = "[NAME]", .operands_max = 1,
     .summary = "offers of spot capacity; figures and sources of one", .run = cmd_list_spot},
    {.name = "models",     .operands = "[NAME]", .operands_max = 1,
     .summary = "models of how placement changes speed; figures and sources of one",
       .run = cmd_list_models},
    {.name = "speeds",     .operands = "[CLASS|GPU]", .operands_max = 1,
     .summary = "how fast GPUs are for classes of work; all GPUs for one class, or all classes of "
                "one GPU", .run = cmd_list_speeds},
    {.name = "storage",    .operands = "[NAME]", .operands_max = 1,
     .summary = "storage in the catalogue, and how fast models load from it; figures and sources "
                "of one", .run = cmd_list_storage},
    {.name = "metrics",    .operands = "",
     .summary = "keys of summary.json with unit and definition", .run = topic_metrics},
    {.name = "keys",       .operands = "",
     .summary = "keys of a scenario with type, default and meaning", .run = cmd_list_keys},
    {.name = "reasons",    .operands = "",
     .summary = "codes that say why a job is pending or was evicted", .run = cmd_list_reasons},
    {.name = "formats",    .operands = "", .summary = "trace formats that can be read",
     .run = cmd_list_formats},
    {.name = "trace-options", .operands = "",
     .summary = "options of these formats, for workload.options and --option",
       .run = topic_trace_options},
    {.name = "profiles",   .operands = "", .summary = "profiles of generated traces",
     .run = topic_profiles},
    {.name = "parameters", .operands = "",
     .summary = "parameters of these profiles with their defaults", .run = topic_parameters},
    {.name = "reports",    .operands = "", .summary = "formats of reports", .run = topic_reports},
    {.name = "commands",   .operands = "", .summary = "commands of this program",
     .run = topic_commands},
    {.name = NULL},
};
// clang-format on

int cmd_list(struct cli *cli)
{
    return list_commands(cli, list_topics);
}
