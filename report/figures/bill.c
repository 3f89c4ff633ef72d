/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figure: the bill as bars, the most expensive queues first, then the cost charged to nobody. */
#include "report/results/bill.h"
#include "report/figures/plot.h"
#include "report/words/units.h"
#include "sim/base/mem.h"

#include <math.h>
#include <stdlib.h>

#define BARS        ((size_t)16) /* bars of queues */
#define LABEL_WIDTH ((size_t)24)

struct bars {
    struct figure_job *job;
    size_t count, widest;
};

static void add_bar(struct bars *bars, const char *name, double usd, bool idle)
{
    char *label = unit_name(name, LABEL_WIDTH);
    size_t width = unit_width(label);
    bars->widest = width > bars->widest ? width : bars->widest;
    free(label);
    out_text(bars->job->gp, bars->count > 0 ? ", " : "");
    plot_tic_name(bars->job->gp, name, LABEL_WIDTH);
    out_format(bars->job->gp, " %zu", bars->count);
    out_format(bars->job->dat, "%zu", bars->count);
    plot_value(bars->job->dat, idle ? (double)NAN : usd, 6);
    plot_value(bars->job->dat, idle ? usd : (double)NAN, 6);
    out_char(bars->job->dat, '\n');
    bars->count++;
}

static char *answer(const cJSON *summary, const struct bill_part *most)
{
    char part[UNIT_TEXT], idle[UNIT_TEXT], bill[UNIT_TEXT];
    double all = json_number_at(summary, "cost.usd");
    char *name = unit_name(most->name, LABEL_WIDTH);
    char *text =
        mem_format("Of %s USD, %s went to %s, the most of all queues, and %s to idle GPUs.",
                   unit_amount(bill, all), unit_percent(part, most->usd / all), name,
                   unit_percent(idle, json_number_at(summary, "cost.idle_usd") / all));
    free(name);
    return text;
}

static size_t rest_count(const cJSON *summary)
{
    size_t count = 0;
    for (size_t i = 0; i < BILL_REST; i++)
        count += json_number_at(summary, bill_rest[i].path) > 0;
    return count;
}

bool figure_bill(struct figure_job *job)
{
    const cJSON *summary = job->run->summary;
    size_t count;
    struct bill_part *parts = bill_parts(summary, "cost.by_queue", &count);
    job->figure->absent = count == 0 || !(parts[0].usd > 0);
    if (!job->figure->absent) {
        size_t shown = count < BARS ? count : BARS;
        struct bars bars = {.job = job, .widest = 7};
        plot_begin(job->gp, "bill", 100 + 26 * (int)(shown + rest_count(summary)));
        out_text(job->dat, "# row, USD of a queue, USD of nobody\n");
        out_text(job->gp, "set ytics (");
        for (size_t i = 0; i < shown; i++)
            add_bar(&bars, *parts[i].name ? parts[i].name : "(no name)", parts[i].usd, false);
        for (size_t i = 0; i < BILL_REST; i++)
            if (json_number_at(summary, bill_rest[i].path) > 0)
                add_bar(&bars, bill_rest[i].name, json_number_at(summary, bill_rest[i].path), true);
        out_format(job->gp,
                   ")\nset lmargin %zu\nset rmargin 4\nunset grid\nset grid xtics linecolor rgb "
                   "'#888888' linewidth 0.4\nset xrange [0:*]\nset yrange [%zu.4:-0.6]\nset xlabel "
                   "'USD in the window'\n"
                   "plot 'bill.dat' using (0):1:(0):2:($1-0.3):($1+0.3) with boxxyerror linecolor "
                   "rgb '#56B4E9' title 'queues', \\\n"
                   "     '' using (0):1:(0):3:($1-0.3):($1+0.3) with boxxyerror linecolor rgb "
                   "'#888888' title 'nobody'\n",
                   bars.widest + 2, bars.count - 1);
        job->figure->answer = answer(summary, &parts[0]);
        if (shown < count)
            job->figure->method = mem_format("The %zu most expensive queues of %zu.", shown, count);
    }
    free(parts);
    return !job->figure->absent;
}
