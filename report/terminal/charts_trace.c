/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Charts of a trace for the terminal. */
#include "report/terminal/charts.h"

#include "report/results/rundir.h"
#include "report/words/units.h"

#include <math.h>

#define LABEL ((size_t)12)
#define HOURS 24
#define DAYS  7

/*
 * Rates relative to the average, each one or a few columns wide. The average is at half height
 * unless some rate is more than twice as high.
 */
static void put_rates(struct out *out, enum spark spark, const char *label, const cJSON *rates,
                      size_t most, size_t columns_each)
{
    double value[HOURS], top = 2;
    size_t count = 0;
    const cJSON *rate;
    cJSON_ArrayForEach(rate, rates)
    {
        if (count == most)
            break;
        value[count] = cJSON_IsNumber(rate) ? rate->valuedouble : (double)NAN;
        top = value[count] > top ? value[count] : top;
        count++;
    }
    if (count == 0)
        return;
    charts_label(out, label, LABEL);
    spark_line(out, spark, value, count, top, count * columns_each);
    out_char(out, '\n');
}

static void put_arrivals(const cJSON *stats, struct out *out, enum spark spark)
{
    bool dated = *json_text_at(stats, "arrivals.first_weekday") != '\0';
    out_format(out, "\narrivals, %s\n", dated ? "UTC" : "by the trace's clock");
    put_rates(out, spark, "by hour", json_at(stats, "arrivals.by_hour"), HOURS, 2);
    charts_label(out, "", LABEL);
    out_text(out, "00          06          12          18\n");
    put_rates(out, spark, "by weekday", json_at(stats, "arrivals.by_weekday"), DAYS, 4);
    charts_label(out, "", LABEL);
    out_text(out, dated ? "Mon Tue Wed Thu Fri Sat Sun\n" : "1   2   3   4   5   6   7\n");
}

static void put_bar(struct out *out, enum spark spark, double share, size_t columns)
{
    char text[UNIT_TEXT];
    spark_bar(out, spark, share, columns);
    out_format(out, " %6s", unit_percent(text, share));
}

static void put_sizes(const cJSON *stats, struct out *out, enum spark spark, size_t width)
{
    double jobs = json_number_at(stats, "jobs"), hours = json_number_at(stats, "gpu_hours");
    size_t columns = (charts_room(width, LABEL) - 18) / 2;
    const cJSON *size;
    out_char(out, '\n');
    charts_label(out, "size (GPUs)", LABEL);
    charts_label(out, "of the jobs", columns + 9);
    out_text(out, "of the GPU-hours\n");
    cJSON_ArrayForEach(size, json_at(stats, "by_size"))
    {
        double n = json_number_at(size, "jobs");
        if (size->string == NULL || !(n > 0))
            continue;
        charts_label(out, size->string, LABEL);
        put_bar(out, spark, n / jobs, columns);
        out_text(out, "  ");
        put_bar(out, spark, hours > 0 ? json_number_at(size, "gpu_hours") / hours : (double)NAN,
                columns);
        out_char(out, '\n');
    }
}

void charts_trace(const cJSON *stats, struct out *out, enum spark spark, size_t width)
{
    if (spark == SPARK_NONE || !(json_number_at(stats, "jobs") > 0))
        return;
    put_arrivals(stats, out, spark);
    put_sizes(stats, out, spark, width < 60 ? 60 : width);
}
