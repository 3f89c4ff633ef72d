/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Maps columns to roles and describes the result; see roles.h. */
#include "traces/roles.h"

#include "sim/base/mem.h"
#include "sim/base/out.h"
#include "sim/base/text.h"
#include "traces/glimpse.h"
#include "traces/texts.h"
#include "traces/trace.h"

#include <stdlib.h>
#include <string.h>

#define SHOWN 80

static struct role_column *column_named(struct roles *roles, const char *name, size_t n)
{
    for (size_t i = 0; i < roles->count; i++)
        if (strlen(roles->columns[i].name) == n && memcmp(roles->columns[i].name, name, n) == 0)
            return &roles->columns[i];
    return NULL;
}

static bool no_role(const char *name, size_t n, struct err *err)
{
    char shown[SHOWN], hint[SHOWN];
    texts_show(shown, sizeof shown, name, n);
    return err_set(err, EXIT_INPUT,
                   "map: there is no '%s'%s; expected ROLE=COLUMN of job_id, submit, start, end, "
                   "duration, gpus, queue, user, status, limit, eligible, nodes, cpus, gpu_type",
                   shown,
                   text_suggest(hint, sizeof hint, shown, role_names, ROLES, sizeof *role_names));
}

static bool no_column(const struct roles *roles, const char *name, size_t n, struct err *err)
{
    char shown[SHOWN], hint[SHOWN];
    texts_show(shown, sizeof shown, name, n);
    return err_set(err, EXIT_INPUT, "map: the header has no column '%s'%s", shown,
                   text_suggest(hint, sizeof hint, shown,
                                (const char *const *)&roles->columns->name, roles->count,
                                sizeof *roles->columns));
}

/* Applies one "submit=SubmitTime"; "user=" leaves the role without a column. */
static bool map_one(struct roles *roles, const char *text, size_t n, struct err *err)
{
    const char *equals = memchr(text, '=', n);
    size_t length = equals ? (size_t)(equals - text) : n;
    int role = role_named(text, length);
    if (equals == NULL)
        return err_set(err, EXIT_INPUT, "map: '%.*s', expected ROLE=COLUMN",
                       n < SHOWN ? (int)n : SHOWN, text);
    if (role < 0)
        return no_role(text, length, err);
    roles->settled[role] = true;
    if (length + 1 == n)
        return true;
    struct role_column *column = column_named(roles, equals + 1, n - length - 1);
    if (column == NULL)
        return no_column(roles, equals + 1, n - length - 1, err);
    if (column->role >= 0)
        return err_set(err, EXIT_INPUT, "map: column '%.80s' is both %s and %s", column->name,
                       role_names[column->role], role_names[role]);
    column->role = role;
    column->unit_ms = roles_unit_ms(column->name);
    return true;
}

static bool map_all(struct roles *roles, const char *map, struct err *err)
{
    for (const char *at = map; at != NULL && *at != '\0';) {
        size_t n = strcspn(at, ",");
        if (n > 0 && !map_one(roles, at, n, err))
            return false;
        at += n + (at[n] == ',');
    }
    return true;
}

static void put_words(struct roles *roles)
{
    struct out *out = out_memory();
    const char *between = "";
    for (int role = 0; role < ROLES; role++) {
        const struct role_column *column = roles_column(roles, (enum role)role);
        if (column == NULL)
            continue;
        out_format(out, "%s%s=%s", between, role_names[role], column->name);
        between = ", ";
    }
    between = "; not used: ";
    for (size_t i = 0; i < roles->count; i++) {
        if (roles->columns[i].role >= 0)
            continue;
        out_format(out, "%s%s", between, roles->columns[i].name);
        between = ", ";
    }
    char shown[1024];
    size_t n;
    const char *text = out_memory_text(out, &n);
    roles->words = mem_format("columns: %s (--map says it otherwise)",
                              texts_show(shown, sizeof shown, text, n));
    out_discard(out);
}

static bool is_complete(const struct roles *roles, struct err *err)
{
    bool has[ROLES];
    for (int role = 0; role < ROLES; role++)
        has[role] = roles_column(roles, (enum role)role) != NULL;
    bool runs = has[ROLE_DURATION] || (has[ROLE_START] && has[ROLE_END]);
    if (has[ROLE_SUBMIT] && has[ROLE_GPUS] && runs)
        return true;
    const char *what = !has[ROLE_SUBMIT] ? "when a job was submitted; name it: --map submit=COLUMN"
                       : !has[ROLE_GPUS] ? "how many GPUs a job had; name it: --map gpus=COLUMN"
                                         : "how long a job ran; name it: --map duration=COLUMN, or "
                                           "--map start=COLUMN,end=COLUMN";
    return err_set(err, EXIT_INPUT, "no column says %s", what);
}

bool roles_find(struct roles *roles, const char *head, size_t n, char delimiter, const char *map,
                struct err *err)
{
    struct glimpse glimpse;
    *roles = (struct roles){.columns = NULL};
    bool ok = glimpse_take(&glimpse, head, n, delimiter) ||
              err_set(err, EXIT_INPUT, "no table: expected a header row with several columns");
    roles->columns = mem_alloc(glimpse.columns + 1, sizeof *roles->columns);
    for (; ok && roles->count < glimpse.columns; roles->count++)
        roles->columns[roles->count] =
            (struct role_column){.name = mem_text(glimpse_field(&glimpse, 0, roles->count)),
                                 .role = -1,
                                 .unit_ms = 1000};
    ok = ok && map_all(roles, map, err);
    if (ok) {
        roles_by_name(roles);
        roles_by_content(roles, &glimpse);
        ok = is_complete(roles, err);
        put_words(roles);
    }
    glimpse_fini(&glimpse);
    return ok;
}

char *trace_map_join(const char *const *maps, size_t count)
{
    struct out *out = out_memory();
    for (size_t i = 0; i < count; i++)
        out_format(out, "%s%s", i > 0 ? "," : "", maps[i]);
    size_t n;
    const char *text = out_memory_text(out, &n);
    char *joined = mem_text_n(text, n);
    out_discard(out);
    return joined;
}

int roles_of(const struct roles *roles, const char *name, size_t n)
{
    for (size_t i = 0; i < roles->count; i++)
        if (strlen(roles->columns[i].name) == n && memcmp(roles->columns[i].name, name, n) == 0)
            return roles->columns[i].role;
    return -1;
}

const struct role_column *roles_column(const struct roles *roles, enum role role)
{
    for (size_t i = 0; i < roles->count; i++)
        if (roles->columns[i].role == (int)role)
            return &roles->columns[i];
    return NULL;
}

void roles_fini(struct roles *roles)
{
    for (size_t i = 0; i < roles->count; i++)
        free(roles->columns[i].name);
    free(roles->columns);
    free(roles->words);
}
