/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `fauxfleet list faults [NAME]`: profiles and classes of faults, one line each; with the name of a
 * profile its classes with their rates, with the name of a class its figures, each with its
 * evidence.
 */
#include "scenarios/catalog/faults.h"
#include "sim/base/json.h"
#include "sim/base/mem.h"
#include "sim/base/text.h"
#include "sim/faults/rates.h"
#include "sim/program/command.h"

#include <stdlib.h>
#include <string.h>

#define NAMES_MOST 128

/* The unit of rates per 1,000 days. */
static const char *unit_of(enum fault_scope scope)
{
    static const char *const units[FAULT_SCOPES] = {
        [FAULT_SCOPE_LEAF] = "leaf-days", [FAULT_SCOPE_SPINE] = "spine-days",
        [FAULT_SCOPE_RACK] = "rack-days", [FAULT_SCOPE_FLEET] = "fleet-days",
        [FAULT_SCOPE_USER] = NULL,
    };
    bool devices = fault_per_node(scope, 1) < 1;
    return units[scope] ? units[scope] : devices ? "days of 8 GPUs" : "node-days";
}

static char *rate_text(const struct fault_class *class)
{
    if (class->scope == FAULT_SCOPE_USER)
        return mem_format("%.4g of all jobs", class->rate);
    return mem_format("%.4g in 1,000 %s", class->rate, unit_of(class->scope));
}

/* True for the figures of a catalogue object: all keys except descriptive ones. */
static bool is_figure(const cJSON *member)
{
    static const char *const texts[] = {"id", "summary", "source", "marks", "based_on", "classes"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (strcmp(member->string, texts[i]) == 0)
            return false;
    }
    return true;
}

static const cJSON *object_of(const struct catalog_faults *catalog, const char *kind,
                              const char *name)
{
    return json_member(json_member(catalog->tree, kind), name);
}

/* ---- as a table */

static void print_all(struct out *out, const struct catalog_faults *catalog)
{
    for (size_t i = 0; i < catalog->profile_count; i++)
        out_format(out, "%-16s  profile: %s\n", catalog->profiles[i].name,
                   catalog->profiles[i].summary);
    for (int i = 0; i < FAULT_CLASSES; i++) {
        const struct catalog_fault_class *row = &catalog->classes[i];
        bool verified = catalog_mark_verified(catalog_mark_of(&row->marks, "rate"));
        char *rate = rate_text(&row->class);
        out_format(out, "%-16s  class %s: %s; %s%s\n", row->name, row->id, row->summary, rate,
                   verified ? "" : " [unverified]");
        free(rate);
    }
}

static void print_figures(struct out *out, const cJSON *object, const struct catalog_marks *marks)
{
    for (const cJSON *member = object->child; member; member = member->next) {
        if (!is_figure(member))
            continue;
        char mark = catalog_mark_of(marks, member->string);
        char *value = cJSON_PrintUnformatted(member);
        out_format(out, "  %-18s%c %s\n", member->string, catalog_mark_verified(mark) ? mark : '?',
                   value ? value : "");
        cJSON_free(value);
    }
}

static void print_class(struct out *out, const struct catalog_faults *catalog,
                        const struct catalog_fault_class *row)
{
    out_format(out, "%s  %s: %s\n", row->name, row->id, row->summary);
    out_format(out, "  scope             %s\n", fault_scope_name(row->class.scope));
    print_figures(out, object_of(catalog, "classes", row->name), &row->marks);
    out_format(out, "Source: %s\n", row->source);
    out_format(out, "P primary text, S quoted elsewhere, D derived from those, ? not verified\n");
}

static void print_profile(struct out *out, const struct catalog_faults *catalog,
                          const struct catalog_fault_profile *row)
{
    out_format(out, "%s  %s\n", row->name, row->summary);
    if (row->based_on)
        out_format(out, "  based on          %s\n", row->based_on);
    print_figures(out, object_of(catalog, "faults", row->name), &row->marks);
    out_format(out, "Source: %s\n\n", row->source);
    for (int i = 0; i < FAULT_CLASSES; i++) {
        const struct fault_class *class = &row->profile.classes[i];
        char *rate = rate_text(class);
        out_format(out, "  %-18s%-32s %-12s %-8s drain: %s\n", catalog->classes[i].name, rate,
                   fault_arrival_name(class->arrival), fault_effect_name(class->effect),
                   fault_drain_name(class->drain));
        free(rate);
    }
    out_format(out,
               "  Together %.4g in 1,000 node-days of 8 GPUs, without what has units of its own "
               "and what stops no job.\n",
               fault_profile_total(&row->profile));
}

/* ---- as JSON */

static void write_figures(struct json *json, const cJSON *object, const struct catalog_marks *marks)
{
    json_begin_array(json, "figures");
    for (const cJSON *member = object->child; member; member = member->next) {
        if (!is_figure(member))
            continue;
        json_begin_object(json, NULL);
        json_text(json, "key", member->string);
        char *value = cJSON_IsString(member) ? NULL : cJSON_PrintUnformatted(member);
        if (cJSON_IsNumber(member))
            json_f64(json, "value", member->valuedouble, 6);
        else
            json_text(json, "value", value ? value : member->valuestring);
        cJSON_free(value);
        char mark[2] = {catalog_mark_of(marks, member->string), '\0'};
        json_text(json, "mark", mark);
        json_bool(json, "verified", catalog_mark_verified(*mark));
        json_end_object(json);
    }
    json_end_array(json);
}

static void write_class(struct json *json, const struct catalog_faults *catalog,
                        const struct catalog_fault_class *row)
{
    json_begin_object(json, NULL);
    json_text(json, "name", row->name);
    json_text(json, "kind", "class");
    json_text(json, "description", row->summary);
    json_text(json, "id", row->id);
    json_text(json, "scope", fault_scope_name(row->class.scope));
    json_text(json, "source", row->source);
    write_figures(json, object_of(catalog, "classes", row->name), &row->marks);
    json_end_object(json);
}

static void write_profile(struct json *json, const struct catalog_faults *catalog,
                          const struct catalog_fault_profile *row)
{
    json_begin_object(json, NULL);
    json_text(json, "name", row->name);
    json_text(json, "kind", "profile");
    json_text(json, "description", row->summary);
    json_text(json, "based_on", row->based_on);
    json_text(json, "source", row->source);
    json_f64(json, "total", fault_profile_total(&row->profile), 6);
    json_begin_object(json, "rates");
    for (int i = 0; i < FAULT_CLASSES; i++)
        json_f64(json, catalog->classes[i].name, row->profile.classes[i].rate, 6);
    json_end_object(json);
    write_figures(json, object_of(catalog, "faults", row->name), &row->marks);
    json_end_object(json);
}

static void write_json(struct out *out, const struct catalog_faults *catalog, const char *name)
{
    struct json json;
    json_init(&json, out, 2);
    json_begin_array(&json, NULL);
    for (size_t i = 0; i < catalog->profile_count; i++) {
        if (!name || strcmp(name, catalog->profiles[i].name) == 0)
            write_profile(&json, catalog, &catalog->profiles[i]);
    }
    for (int i = 0; i < FAULT_CLASSES; i++) {
        if (!name || strcmp(name, catalog->classes[i].name) == 0)
            write_class(&json, catalog, &catalog->classes[i]);
    }
    json_end_array(&json);
    out_char(out, '\n');
}

/* ---- the command */

static int unknown_name(const struct catalog_faults *catalog, const char *name)
{
    struct err err = {0};
    char hint[128];
    const char *names[NAMES_MOST];
    size_t count = 0;
    for (size_t i = 0; i < catalog->profile_count && count < NAMES_MOST - FAULT_CLASSES; i++)
        names[count++] = catalog->profiles[i].name;
    for (int i = 0; i < FAULT_CLASSES; i++)
        names[count++] = catalog->classes[i].name;
    text_suggest(hint, sizeof hint, name, names, count, sizeof *names);
    err_set(&err, EXIT_INPUT, "unknown profile or class of faults '%.64s'%s", name, hint);
    return cli_fail(&err);
}

int cmd_list_faults(struct cli *cli)
{
    struct err err;
    struct catalog_faults *catalog;
    if (!catalog_faults(&catalog, &err))
        return cli_fail(&err);
    const char *name = cli->operand_count > 0 ? cli->operands[0] : NULL;
    const struct catalog_fault_profile *profile = name ? catalog_faults_find(catalog, name) : NULL;
    int class = name ? fault_class_find(name) : -1, code = EXIT_OK;
    if (name && !profile && class < 0)
        code = unknown_name(catalog, name);
    else if (cli_given(cli, OPT_JSON))
        write_json(cli->out, catalog, name);
    else if (profile)
        print_profile(cli->out, catalog, profile);
    else if (class >= 0)
        print_class(cli->out, catalog, &catalog->classes[class]);
    else
        print_all(cli->out, catalog);
    catalog_faults_free(catalog);
    return code;
}
