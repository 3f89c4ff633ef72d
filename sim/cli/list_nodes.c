/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `fauxfleet list nodes [NAME]`: the catalogue of nodes, one line each; with a name the figures of
 * that one, each with its source, a question mark at unverified ones.
 */
#include "scenarios/catalog/node.h"
#include "scenarios/catalog/node_figures.h"
#include "scenarios/json/source.h"
#include "scenarios/load/fill.h"
#include "scenarios/schema/node.h"
#include "scenarios/schema/resolve.h"
#include "sim/base/mem.h"
#include "sim/base/text.h"
#include "sim/power/price.h"
#include "sim/program/command.h"

#include <stdlib.h>
#include <string.h>

static const char *summary_of(const cJSON *node)
{
    const cJSON *summary = json_member(node, "summary");
    return summary ? summary->valuestring : "";
}

static void print_line(struct out *out, const cJSON *node, int width)
{
    struct figure figures[FIGURES];
    size_t count = figures_of(node, &schema_node, figures), unverified = 0;
    for (size_t i = 0; i < count; i++)
        unverified += figures[i].unverified;
    out_format(out, "%-*s  %s", width, node->string, summary_of(node));
    if (unverified > 0)
        out_format(out, " [%zu of %zu figures unverified]", unverified, count);
    out_char(out, '\n');
}

static void print_all(struct out *out, const cJSON *nodes)
{
    int width = 0;
    for (const cJSON *node = nodes->child; node; node = node->next)
        width = (int)strlen(node->string) > width ? (int)strlen(node->string) : width;
    for (const cJSON *node = nodes->child; node; node = node->next)
        print_line(out, node, width);
}

static void print_price(struct out *out, const char *what, const struct node_traits *traits,
                        const struct price_terms *terms)
{
    struct node_price price = price_of(traits, terms);
    if (price.source == PRICE_UNKNOWN)
        out_format(out, "%s not known", what);
    else
        out_format(out, "%s %.4g (%.4g to %.4g)", what, price.usd, price.low, price.high);
}

/* Prices derived from these figures on either basis of `cost.basis`; owners pay energy on top. */
static void print_prices(struct out *out, const cJSON *node)
{
    const struct price_terms rent = price_terms_usual(PRICE_RENT),
                             own = price_terms_usual(PRICE_OWN);
    cJSON *resolved = resolve_value(node, &schema_node);
    struct node_traits traits;
    (void)fill_node(resolved, node->string, &traits);
    out_text(out, "costs USD an hour: ");
    print_price(out, "rent", &traits, &rent);
    print_price(out, "; own", &traits, &own);
    double all = price_usd_per_hour(&traits, &own);
    if (all > 0)
        out_format(out, ", %.4g with energy at 0.7 of peak_w", all);
    out_char(out, '\n');
    cJSON_Delete(resolved);
}

/* Key, value, "?" when unverified, source. */
static void print_figures(struct out *out, const cJSON *node)
{
    struct figure figures[FIGURES];
    char *texts[FIGURES];
    size_t count = figures_of(node, &schema_node, figures);
    int key_width = 0, width = 0;
    for (size_t i = 0; i < count; i++) {
        int key = (int)strlen(figures[i].row->key), value;
        texts[i] = node_figure_text(&figures[i]);
        value = (int)strlen(texts[i]);
        key_width = key > key_width ? key : key_width;
        width = value > width ? value : width;
    }
    out_format(out, "%s  %s\n", node->string, summary_of(node));
    for (size_t i = 0; i < count; i++) {
        out_format(out, "  %-*s  %-*s %s  %s\n", key_width, figures[i].row->key, width, texts[i],
                   figures[i].unverified ? "?" : " ", figures[i].source ? figures[i].source : "");
        free(texts[i]);
    }
    print_prices(out, node);
    out_format(out, "?  not verified; change it in a scenario if you know better\n");
}

static void print_json(struct json *json, const cJSON *node)
{
    json_begin_object(json, NULL);
    json_text(json, "name", node->string);
    json_text(json, "description", summary_of(node));
    node_figures_write(node, json, "node");
    json_end_object(json);
}

static int unknown_name(const cJSON *nodes, const char *name)
{
    struct err err = {0};
    char hint[128];
    size_t count = 0;
    const char **names = mem_alloc((size_t)cJSON_GetArraySize(nodes), sizeof *names);
    for (const cJSON *node = nodes->child; node; node = node->next)
        names[count++] = node->string;
    text_suggest(hint, sizeof hint, name, names, count, sizeof *names);
    free(names);
    err_set(&err, EXIT_INPUT, "unknown kind of node '%.64s'%s", name, hint);
    return cli_fail(&err);
}

int cmd_list_nodes(struct cli *cli)
{
    struct err err;
    cJSON *nodes;
    if (!catalog_node_tree(&nodes, &err))
        return cli_fail(&err);
    const char *name = cli->operand_count > 0 ? cli->operands[0] : NULL;
    const cJSON *one = name ? cJSON_GetObjectItemCaseSensitive(nodes, name) : NULL;
    int code = EXIT_OK;
    if (name && !one) {
        code = unknown_name(nodes, name);
    } else if (cli_given(cli, OPT_JSON)) {
        struct json json;
        json_init(&json, cli->out, 2);
        json_begin_array(&json, NULL);
        for (const cJSON *node = one ? one : nodes->child; node; node = one ? NULL : node->next)
            print_json(&json, node);
        json_end_array(&json);
        out_char(cli->out, '\n');
    } else if (one) {
        print_figures(cli->out, one);
    } else {
        print_all(cli->out, nodes);
    }
    cJSON_Delete(nodes);
    return code;
}
