/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds roles by the contents of columns whose names say nothing; see roles.h. */
#include "traces/roles.h"

#include "sim/base/text.h"
#include "traces/glimpse.h"
#include "traces/times.h"

#include <string.h>

#define DATED_MS INT64_C(946684800000) /* 2000-01-01: an earlier value may be any number */

/* Returns true if a field could belong to a role. *ms: its value as a moment or span. */
typedef bool looks(const char *text, int64_t *ms);

static bool is_moment(const char *text, int64_t *ms)
{
    return times_moment(text, strlen(text), &times_utc, ms) && *ms >= DATED_MS;
}

static bool is_span(const char *text, int64_t *ms)
{
    return strchr(text, ':') != NULL && times_elapsed(text, strlen(text), ms);
}

static bool is_gpus(const char *text, int64_t *ms)
{
    (void)ms;
    return strstr(text, "gres/gpu") != NULL || strncmp(text, "gpu:", 4) == 0 ||
           strstr(text, "nvidia.com/gpu") != NULL;
}

static bool is_unknown(const char *text)
{
    return text[0] == '\0' || strcmp(text, "Unknown") == 0 || strcmp(text, "None") == 0;
}

/* Returns true if there are known fields and all of them pass the test. */
static bool all_look(const struct glimpse *glimpse, size_t column, looks *like)
{
    size_t count = 0;
    int64_t ms;
    for (size_t row = 1; row < glimpse->rows; row++) {
        const char *text = glimpse_field(glimpse, row, column);
        if (is_unknown(text))
            continue;
        if (!like(text, &ms))
            return false;
        count++;
    }
    return count > 0;
}

static bool is_open(const struct roles *roles, enum role role)
{
    return !roles->settled[role] && roles_column(roles, role) == NULL;
}

/* Returns the only column without a role that passes the test; NULL if there is none or several. */
static struct role_column *only(struct roles *roles, const struct glimpse *glimpse, looks *like)
{
    struct role_column *found = NULL;
    for (size_t i = 0; i < roles->count; i++) {
        if (roles->columns[i].role >= 0 || !all_look(glimpse, i, like))
            continue;
        if (found != NULL)
            return NULL;
        found = &roles->columns[i];
    }
    return found;
}

/* Returns true if column a is never later than column b, and earlier in some row. */
static bool precedes(const struct glimpse *glimpse, size_t a, size_t b)
{
    bool once = false;
    for (size_t row = 1; row < glimpse->rows; row++) {
        int64_t first, second;
        if (!is_moment(glimpse_field(glimpse, row, a), &first) ||
            !is_moment(glimpse_field(glimpse, row, b), &second))
            continue;
        if (first > second)
            return false;
        once |= first < second;
    }
    return once;
}

#define MOMENTS 3

/* Returns false if a column precedes one that should come before it: a job is submitted, starts and
 * ends. */
static bool in_order(const struct roles *roles, const struct glimpse *glimpse)
{
    const struct role_column *before = NULL;
    for (int role = ROLE_SUBMIT; role <= ROLE_END; role++) {
        const struct role_column *column = roles_column(roles, (enum role)role);
        if (column == NULL)
            continue;
        size_t a = before ? (size_t)(before - roles->columns) : 0;
        if (before != NULL && precedes(glimpse, (size_t)(column - roles->columns), a))
            return false;
        before = column;
    }
    return true;
}

/* Assigns submit, start and end to columns with moments by their order. Assigns none unless there
 * are as many columns as open roles, each preceding the next. */
static void order_moments(struct roles *roles, const struct glimpse *glimpse)
{
    size_t at[MOMENTS], count = 0, open = 0;
    int role[MOMENTS];
    for (int r = ROLE_SUBMIT; r <= ROLE_END; r++)
        if (is_open(roles, (enum role)r))
            role[open++] = r;
    for (size_t i = 0; i < roles->count; i++) {
        if (roles->columns[i].role >= 0 || !all_look(glimpse, i, is_moment))
            continue;
        if (count == open)
            return;
        size_t place = count++;
        for (; place > 0 && precedes(glimpse, i, at[place - 1]); place--)
            at[place] = at[place - 1];
        at[place] = i;
    }
    if (count != open)
        return;
    for (size_t i = 1; i < count; i++)
        if (!precedes(glimpse, at[i - 1], at[i]))
            return;
    for (size_t i = 0; i < count; i++)
        roles->columns[at[i]].role = role[i];
    for (size_t i = 0; i < count && !in_order(roles, glimpse); i++)
        roles->columns[at[i]].role = -1;
}

static void give(struct roles *roles, const struct glimpse *glimpse, enum role role, looks *like)
{
    struct role_column *column = is_open(roles, role) ? only(roles, glimpse, like) : NULL;
    if (column != NULL)
        column->role = (int)role;
}

void roles_by_content(struct roles *roles, const struct glimpse *glimpse)
{
    order_moments(roles, glimpse);
    give(roles, glimpse, ROLE_SUBMIT, is_moment);
    give(roles, glimpse, ROLE_DURATION, is_span);
    give(roles, glimpse, ROLE_GPUS, is_gpus);
}
