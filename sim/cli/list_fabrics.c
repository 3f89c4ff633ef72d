/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `fauxfleet list fabrics`: the catalogue of fabrics, with their parts, levels and
 * oversubscription. With --json each object "fabric" can be copied into a pool of a scenario and
 * edited there.
 */
#include "scenarios/catalog/fabrics.h"
#include "sim/base/json.h"
#include "sim/program/command.h"

#include <inttypes.h>
#include <string.h>

/* "leaf 32, rack 4"; of a generated fabric core and pod follow from the number of nodes. */
static void print_levels(struct out *out, const struct fabric_spec *spec)
{
    const char *between = "";
    if (spec->unit_nodes > 0) {
        out_format(out, "; nodes in one leaf %" PRId64, spec->leaf_nodes);
        between = ", ";
    } else {
        out_text(out, "nodes in one ");
    }
    for (int i = 0; i < spec->level_count; i++) {
        out_format(out, "%s%s %" PRId64, between, spec->levels[i].name, spec->levels[i].nodes);
        between = ", ";
    }
}

/* "; 7:1 above pod", "; 1:1" if nothing is oversubscribed. */
static void print_over(struct out *out, const struct fabric_spec *spec)
{
    struct fabric_level levels[FABRIC_GIVEN + 2];
    int count = 0;
    bool any = false;
    for (int i = 0; i < spec->level_count; i++)
        levels[count++] = spec->levels[i];
    if (spec->unit_nodes > 0) {
        levels[count++] =
            (struct fabric_level){.name = "leaf", .oversubscription = spec->leaf_over};
        levels[count++] = (struct fabric_level){.name = "pod", .oversubscription = spec->pod_over};
    }
    for (int i = 0; i < count; i++) {
        if (levels[i].oversubscription <= 1)
            continue;
        out_format(out, "; %.10g:1 above %s", levels[i].oversubscription, levels[i].name);
        any = true;
    }
    out_text(out, any ? "" : "; 1:1");
}

static void print_unverified(struct out *out, const cJSON *object)
{
    const cJSON *list = json_member(object, "unverified");
    const char *before = "; unverified: ";
    for (const cJSON *key = list ? list->child : NULL; key; key = key->next, before = ", ")
        out_format(out, "%s%s", before, key->valuestring);
}

static void print_line(struct out *out, const struct fabric_spec *spec, const cJSON *object,
                       int width)
{
    out_format(out, "%-*s  %s [", width, spec->name, spec->summary);
    if (spec->unit_nodes > 0)
        out_format(out, "units of %" PRId64 " nodes, rails %d, switches of %d ports",
                   spec->unit_nodes, spec->rails, spec->radix);
    print_levels(out, spec);
    print_over(out, spec);
    print_unverified(out, object);
    out_text(out, "]\n");
}

static void json_levels(struct json *json, const struct fabric_spec *spec)
{
    json_begin_object(json, "nodes_per");
    for (int i = 0; i < spec->level_count; i++)
        json_i64(json, spec->levels[i].name, spec->levels[i].nodes);
    json_end_object(json);
    json_begin_object(json, "oversubscription");
    if (spec->unit_nodes > 0) {
        json_f64(json, "leaf", spec->leaf_over, 3);
        json_f64(json, "pod", spec->pod_over, 3);
    }
    for (int i = 0; i < spec->level_count; i++)
        if (spec->levels[i].oversubscription > 0)
            json_f64(json, spec->levels[i].name, spec->levels[i].oversubscription, 3);
    json_end_object(json);
}

static void json_units(struct json *json, const struct fabric_spec *spec)
{
    json_i64(json, "unit_nodes", spec->unit_nodes);
    json_i64(json, "leaf_nodes", spec->leaf_nodes);
    json_i64(json, "spare_slots", spec->spare_slots);
    json_i64(json, "rails", spec->rails);
    json_i64(json, "radix", spec->radix);
    json_i64(json, "max_tiers", spec->max_tiers);
    json_begin_array(json, "installed");
    for (int i = 0; i < spec->installed_count; i++) {
        json_begin_object(json, NULL);
        json_i64(json, "units", spec->installed[i].units);
        json_i64(json, "leaf", spec->installed[i].leaf);
        json_i64(json, "spine", spec->installed[i].spine);
        json_i64(json, "core", spec->installed[i].core);
        json_end_object(json);
    }
    json_end_array(json);
}

static void json_origin(struct json *json, const cJSON *object)
{
    const cJSON *source = json_member(object, "source"), *sources = json_member(object, "sources"),
                *unverified = json_member(object, "unverified");
    json_text(json, "source", source ? source->valuestring : NULL);
    json_begin_object(json, "sources");
    for (const cJSON *entry = sources ? sources->child : NULL; entry; entry = entry->next)
        json_text(json, entry->string, entry->valuestring);
    json_end_object(json);
    json_begin_array(json, "unverified");
    for (const cJSON *entry = unverified ? unverified->child : NULL; entry; entry = entry->next)
        json_text(json, NULL, entry->valuestring);
    json_end_array(json);
}

static void print_json(struct cli *cli, const struct catalog_fabrics *catalog)
{
    struct json json;
    json_init(&json, cli->out, 2);
    json_begin_array(&json, NULL);
    for (size_t i = 0; i < catalog->count; i++) {
        const struct fabric_spec *spec = &catalog->fabrics[i];
        json_begin_object(&json, NULL);
        json_text(&json, "name", spec->name);
        json_text(&json, "description", spec->summary);
        json_begin_object(&json, "fabric");
        if (spec->unit_nodes > 0)
            json_units(&json, spec);
        json_levels(&json, spec);
        json_f64(&json, "nic_gbit_s", spec->nic_gbit, 3);
        json_f64(&json, "ecmp", spec->ecmp, 3);
        json_origin(&json, catalog->objects[i]);
        json_end_object(&json);
        json_end_object(&json);
    }
    json_end_array(&json);
    out_char(cli->out, '\n');
}

int cmd_list_fabrics(struct cli *cli)
{
    struct err err;
    struct catalog_fabrics *catalog;
    if (!catalog_fabrics(&catalog, &err))
        return cli_fail(&err);
    int width = 0;
    for (size_t i = 0; i < catalog->count; i++)
        width = (int)strlen(catalog->fabrics[i].name) > width
                    ? (int)strlen(catalog->fabrics[i].name)
                    : width;
    if (cli_given(cli, OPT_JSON))
        print_json(cli, catalog);
    else
        for (size_t i = 0; i < catalog->count; i++)
            print_line(cli->out, &catalog->fabrics[i], catalog->objects[i], width);
    catalog_fabrics_free(catalog);
    return EXIT_OK;
}
