/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values of metrics; see metric_text.h. */
#include "report/words/metric_text.h"

#include "report/words/metric_rows.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define MILLION 1e6
#define ROUNDED 999500 /* from here on, amounts are shown in millions */

static const char *unit_of(const char *path)
{
    const struct metric_row *row = metric_find(path);
    return row != NULL ? row->unit : "";
}

static bool is_seconds(const char *path)
{
    size_t n = strlen(path);
    return strcmp(unit_of(path), "s") == 0 || (n > 2 && strcmp(path + n - 2, "_s") == 0);
}

const char *metric_text(char text[UNIT_TEXT], const char *path, double value)
{
    char amount[UNIT_TEXT];
    const char *unit = unit_of(path);
    if (is_seconds(path))
        return unit_duration(text, value);
    if (strcmp(unit, "ratio") == 0)
        return strncmp(path, "utilization.", 12) == 0 ? unit_percent(text, value)
                                                      : unit_ratio(text, value);
    if (strcmp(unit, "count") == 0)
        return unit_count(text, value);
    if (strcmp(unit, "USD") != 0 || !(fabs(value) >= ROUNDED))
        return unit_amount(text, value);
    (void)snprintf(text, UNIT_TEXT, "%.40s million", unit_amount(amount, value / MILLION));
    return text;
}

const char *metric_unit(const char *path)
{
    const char *unit = unit_of(path);
    bool said = is_seconds(path) || strcmp(unit, "ratio") == 0 || strcmp(unit, "count") == 0;
    return said ? "" : unit;
}
