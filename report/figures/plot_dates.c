/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tics of a time axis with dates: round hours, days, Mondays or first days of months in UTC. The
 * data keeps its unit, so a tic is a label at a number.
 */
#include "report/figures/plot.h"
#include "report/words/dates.h"
#include "sim/base/week.h"

#include <math.h>
#include <stdio.h>

#define HOUR_S  3600.0
#define DAY_S   86400.0
#define WEEK_S  (7 * DAY_S)
#define MONTH_S (30.4 * DAY_S) /* about */

/* Steps below a month; longer axes count in months. */
static const double steps_s[] = {HOUR_S / 12, HOUR_S / 4, HOUR_S,    3 * HOUR_S, 6 * HOUR_S,
                                 12 * HOUR_S, DAY_S,      2 * DAY_S, WEEK_S,     2 * WEEK_S};
static const int steps_months[] = {1, 2, 3, 6, 12, 24, 60, 120};

static void put_tic(struct out *gp, const struct plot_time *time, double at_s, double step_s,
                    bool first)
{
    char label[UNIT_TEXT];
    struct date date = date_of(at_s);
    bool midnight = date.hour == 0 && date.minute == 0;
    if (step_s >= MONTH_S)
        (void)date_month(label, at_s);
    else if (midnight || step_s >= DAY_S)
        (void)date_day(label, at_s);
    else
        (void)snprintf(label, sizeof label, "%02d:%02d", date.hour, date.minute);
    out_format(gp, "%s'%s' ", first ? "" : ", ", label);
    out_f64(gp, plot_time_at(time, at_s), 6);
}

static void put_steps(struct out *gp, const struct plot_time *time, double first_s, double last_s,
                      double step_s)
{
    double monday_s = (double)(week_monday((int64_t)first_s * 1000) / 1000);
    double at_s = monday_s + ceil((first_s - monday_s) / step_s) * step_s;
    for (bool first = true; at_s <= last_s; at_s += step_s, first = false)
        put_tic(gp, time, at_s, step_s, first);
}

static void put_months(struct out *gp, const struct plot_time *time, double first_s, double last_s,
                       int months)
{
    bool first = true;
    double at_s = date_month_start(first_s);
    for (; at_s <= last_s; at_s = date_month_start(at_s + 32 * DAY_S)) {
        struct date date = date_of(at_s);
        if (at_s < first_s || (12 * date.year + date.month - 1) % months != 0)
            continue;
        put_tic(gp, time, at_s, MONTH_S, first);
        first = false;
    }
}

void plot_time_tics(struct out *gp, const struct plot_time *time, double first_s, double last_s,
                    int most)
{
    if (!time->dated)
        return;
    double span_s = last_s - first_s;
    size_t i = 0, months = 0;
    while (i < sizeof steps_s / sizeof *steps_s && span_s > most * steps_s[i])
        i++;
    out_text(gp, "set xtics (");
    if (i < sizeof steps_s / sizeof *steps_s) {
        put_steps(gp, time, first_s, last_s, steps_s[i]);
    } else {
        while (months + 1 < sizeof steps_months / sizeof *steps_months &&
               span_s > most * steps_months[months] * MONTH_S)
            months++;
        put_months(gp, time, first_s, last_s, steps_months[months]);
    }
    out_text(gp, ")\n");
}

/* "2026, UTC", "2025 to 2026, UTC" */
void plot_time_years(struct out *gp, double first_s, double last_s)
{
    int first = date_of(first_s).year, last = date_of(last_s).year;
    if (first == last)
        out_format(gp, "%d, UTC", first);
    else
        out_format(gp, "%d to %d, UTC", first, last);
}
