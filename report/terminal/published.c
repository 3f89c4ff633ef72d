/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Published figures beside simulated ones; see published.h. */
#include "report/terminal/published.h"
#include "report/terminal/table.h"
#include "report/words/units.h"
#include "sim/base/mem.h"

#include <math.h>
#include <stdlib.h>

static char *number(double value)
{
    char text[UNIT_TEXT];
    if (!isnan(value) && fabs(value) >= 1e4)
        return mem_text(unit_count(text, round(value)));
    return isnan(value) ? mem_text("-") : mem_format("%.4g", value);
}

/* "0.7", or "0.68 to 0.73". */
static char *range(const cJSON *figure)
{
    double low = json_number_at(figure, "low");
    double high = json_number_at(figure, "high");
    if (isnan(low) || isnan(high))
        return number(json_number_at(figure, "value"));
    return mem_format("%.4g to %.4g", low, high);
}

/*
 * Describes the distance from the value, and whether it is within the tolerance, if there is one.
 */
static char *distance(const cJSON *figure, double off)
{
    double tolerance = json_number_at(figure, "tolerance");
    if (isnan(tolerance))
        return mem_format("%+.1f%%", 100 * off);
    return mem_format("%+.1f%%, %s %g%%", 100 * off, fabs(off) <= tolerance ? "within" : "outside",
                      100 * tolerance);
}

/* Says that the value is inside the range, or how far from the published value it is. */
static char *difference(const cJSON *figure, double simulated)
{
    double low = json_number_at(figure, "low");
    double high = json_number_at(figure, "high");
    double value = json_number_at(figure, "value");
    if (!isnan(low) && !isnan(high))
        return mem_text(simulated >= low && simulated <= high ? "within" : "outside");
    return isnan(simulated) || !(fabs(value) > 0) ? mem_text("-")
                                                  : distance(figure, simulated / value - 1);
}

static void add_figure(struct table *table, const cJSON *summary, const cJSON *figure)
{
    double simulated = json_number_at(summary, figure->string);
    char *texts[] = {range(figure), number(simulated), difference(figure, simulated)};
    table_row(table, (const char *const[]){figure->string, texts[0], texts[1], texts[2]});
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        free(texts[i]);
}

bool published_print(const struct rundir *run, struct out *out, size_t width, struct err *err)
{
    cJSON *scenario;
    if (!rundir_scenario(run, &scenario, err))
        return false;
    const cJSON *figures = json_at(scenario, "published");
    if (cJSON_IsObject(figures) && figures->child) {
        struct table *table = table_create(4);
        table_row(table, (const char *const[]){"metric", "published", "simulated", "difference"});
        for (const cJSON *figure = figures->child; figure; figure = figure->next)
            add_figure(table, run->summary, figure);
        out_char(out, '\n');
        table_print(table, out, width);
        table_destroy(table);
        for (const cJSON *figure = figures->child; figure; figure = figure->next)
            out_format(out, "%s: %s\n", figure->string, json_text_at(figure, "source"));
    }
    cJSON_Delete(scenario);
    return true;
}
