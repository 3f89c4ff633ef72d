/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Figure of packing studies: the allocated and the fragmented share of the fleet as requests keep
 * arriving. The grey line is a fleet on which everything fits.
 */
#include "report/figures/plot.h"
#include "report/words/units.h"
#include "sim/base/mem.h"

#include <math.h>
#include <stdlib.h>

static const struct {
    const char *key;
    size_t color;
    const char *title;
} curves[] = {
    {"alloc_pct", PALETTE_ALLOCATED, "allocated"},
    {"frag_amount_pct", PALETTE_FRAGMENTED, "fragmented, share of all GPUs"},
    {"frag_ratio_pct", PALETTE_CHANGED, "fragmented, share of the free"},
};
#define CURVES (sizeof curves / sizeof *curves)

static char *answer(const cJSON *summary, double arrived, double allocated)
{
    char requests[UNIT_TEXT], share[UNIT_TEXT], count[UNIT_TEXT];
    double failed = json_number_at(summary, "fill.failed_tasks");
    char *more = isnan(failed) ? mem_text("")
                               : mem_format("; %s tasks found no place", unit_count(count, failed));
    char *text = mem_format(
        "When requests had reached %s of the capacity, %s of it was allocated%s.",
        unit_percent(requests, arrived / 100), unit_percent(share, allocated / 100), more);
    free(more);
    return text;
}

static size_t write_data(struct out *dat, const cJSON *curve, double *arrived, double *allocated)
{
    size_t points = 0;
    const cJSON *item;
    out_text(dat, "# % of the capacity that was requested so far, then %:");
    for (size_t c = 0; c < CURVES; c++)
        out_format(dat, " %s", curves[c].key);
    out_char(dat, '\n');
    cJSON_ArrayForEach(item, curve)
    {
        double x = json_number_at(item, "arrived_pct"), y = json_number_at(item, curves[0].key);
        if (isnan(x) || isnan(y))
            continue;
        *arrived = x;
        *allocated = y;
        points++;
        out_f64(dat, x, 4);
        for (size_t c = 0; c < CURVES; c++)
            plot_value(dat, json_number_at(item, curves[c].key), 4);
        out_char(dat, '\n');
    }
    return points;
}

static void write_script(struct out *gp, double arrived)
{
    plot_begin(gp, "fill", 340);
    out_text(gp, "set xrange [0:");
    out_f64(gp, arrived > 0 ? arrived : 100, 4);
    out_text(gp,
             "]\nset yrange [0:100]\nset xlabel 'GPUs requested so far, % of the capacity'\nset "
             "ylabel '%'\n"
             "plot x with lines linewidth 1 linecolor rgb '#888888' title 'if everything fitted'");
    for (size_t c = 0; c < CURVES; c++)
        out_format(gp,
                   ", \\\n     'fill.dat' using 1:%zu with lines linewidth 2 linecolor rgb '%s' "
                   "title '%s'",
                   c + 2, palette_file(curves[c].color), curves[c].title);
    out_char(gp, '\n');
}

bool figure_fill(struct figure_job *job)
{
    const cJSON *curve = json_at(job->run->summary, "fill.curve");
    double arrived = 0, allocated = 0;
    size_t points = cJSON_IsArray(curve) ? write_data(job->dat, curve, &arrived, &allocated) : 0;
    if (points == 0) {
        job->figure->absent = true;
        return false;
    }
    write_script(job->gp, arrived);
    job->figure->answer = answer(job->run->summary, arrived, allocated);
    return true;
}
