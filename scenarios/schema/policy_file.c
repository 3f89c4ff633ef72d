/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A policy with its options from a file; see policy_file.h. */
#include "scenarios/schema/policy_file.h"

#include "scenarios/schema/check.h"
#include "scenarios/schema/policy.h"
#include "scenarios/schema/resolve.h"
#include "sim/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// clang-format off
static const struct schema_row rows[] = {
    {.key = "name", .type = SCHEMA_POLICY, .min = 1, .required = true,
     .summary = "a policy preset, or the path of a shared library"},
    {.key = "options", .type = SCHEMA_OBJECT, .child = schema_policy_option_rows,
     .open = &schema_policy_option,
     .fallback = "{}", .summary = "its options"},
    {0},
};
// clang-format on
static const struct schema_row file_row = {.type = SCHEMA_OBJECT, .child = rows};

/* Numbers are written as the policy core parses them; lists are separated by commas. */
static char *text_of(const cJSON *value)
{
    char number[32];
    if (cJSON_IsString(value))
        return mem_text(value->valuestring);
    if (cJSON_IsBool(value))
        return mem_text(cJSON_IsTrue(value) ? "true" : "false");
    if (cJSON_IsNumber(value) && floor(value->valuedouble) == value->valuedouble)
        return mem_format("%.0f", value->valuedouble);
    if (cJSON_IsNumber(value))
        return mem_text(resolve_number(value->valuedouble, number));
    char *text = mem_text("");
    for (const cJSON *part = value->child; part != NULL; part = part->next) {
        char *last = text_of(part);
        char *longer = mem_format("%s%s%s", text, part == value->child ? "" : ",", last);
        free(last);
        free(text);
        text = longer;
    }
    return text;
}

static void take_options(struct policy_file *f)
{
    int size = f->options != NULL ? cJSON_GetArraySize(f->options) : 0;
    f->option = mem_alloc((size_t)size + 1, sizeof *f->option);
    f->texts = mem_alloc((size_t)size + 1, sizeof *f->texts);
    for (const cJSON *o = size > 0 ? f->options->child : NULL; o != NULL; o = o->next) {
        if (cJSON_IsNull(o))
            continue;
        f->texts[f->option_count] = text_of(o);
        f->option[f->option_count] = (struct scen_option){o->string, f->texts[f->option_count]};
        f->option_count++;
    }
}

bool policy_file_open(struct policy_file *f, const char *path, struct err *err)
{
    *f = (struct policy_file){.name = NULL};
    if (!json_source_open(&f->source, path, err))
        return false;
    struct check check = {.where = check_where_file, .of = &f->source, .whole = true, .err = err};
    bool ok = check_value(&check, &file_row, f->source.root);
    const cJSON *name = ok ? json_member(f->source.root, "name") : NULL;
    if (ok && policy_name_is_file(name->valuestring)) {
        json_path_add(check.path, "name");
        ok = check_fail(&check, "expected a policy or a library, got the name of another file");
    }
    if (!ok) {
        policy_file_close(f);
        return false;
    }
    f->name = policy_name_beside(path, name->valuestring);
    f->options = json_member(f->source.root, "options");
    take_options(f);
    return true;
}

void policy_file_close(struct policy_file *f)
{
    for (size_t i = 0; i < f->option_count; i++)
        free(f->texts[i]);
    free(f->texts);
    free(f->option);
    free(f->name);
    json_source_close(&f->source);
    *f = (struct policy_file){.name = NULL};
}
