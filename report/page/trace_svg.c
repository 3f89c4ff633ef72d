/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bars and ranges as SVG in the look of the other figures: lines follow the page through
 * currentColor, and the palette is that of gnuplot's figures. Coordinates have one decimal.
 */
#include "report/figures/palette.h"
#include "report/figures/plot.h"
#include "report/page/html.h"
#include "report/page/trace.h"
#include "report/words/units.h"

#include <math.h>

#define WIDTH  800
#define LEFT   60
#define TOP    14
#define BOTTOM 30
#define HEIGHT 240

static void open_svg(struct out *out, int height, const char *label)
{
    out_format(out,
               "<svg viewBox=\"0 0 %d %d\" role=\"img\" font-size=\"13\" fill=\"currentColor\" "
               "aria-label=\"",
               WIDTH, height);
    html_text(out, label);
    out_text(out, "\">\n");
}

static void put_text(struct out *out, double x, double y, const char *anchor, const char *text)
{
    out_format(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
    html_text(out, text);
    out_text(out, "</text>\n");
}

static void put_line(struct out *out, double x1, double y1, double x2, double y2, const char *style)
{
    out_format(
        out, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"currentColor\" %s/>\n",
        x1, y1, x2, y2, style);
}

static double largest(const struct trace_page_bars *bars)
{
    double most = isnan(bars->line) ? 0 : bars->line;
    for (int i = 0; i < bars->count; i++)
        most = bars->values[i] > most ? bars->values[i] : most;
    return most > 0 ? most : 1;
}

void trace_page_bars(struct out *out, const struct trace_page_bars *bars)
{
    char text[UNIT_TEXT];
    double step = plot_step(largest(bars), 5), top = ceil(largest(bars) / step) * step;
    double plot = HEIGHT - TOP - BOTTOM, slot = (double)(WIDTH - LEFT) / bars->count;
    open_svg(out, HEIGHT, bars->label);
    for (double at = 0; at < top + step / 2; at += step) {
        double y = TOP + plot * (1 - at / top);
        put_line(out, LEFT, y, WIDTH, y, "stroke-opacity=\".25\"");
        put_text(out, LEFT - 8, y + 4, "end", unit_amount(text, at));
    }
    for (int i = 0; i < bars->count; i++) {
        double x = LEFT + slot * i, height = plot * bars->values[i] / top;
        put_text(out, x + slot / 2, HEIGHT - 8, "middle", bars->names[i]);
        if (height > 0)
            out_format(out,
                       "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>\n",
                       x + slot * .1, TOP + plot - height, slot * .8, height, palette_page(0));
    }
    if (!isnan(bars->line)) {
        double y = TOP + plot * (1 - bars->line / top);
        put_line(out, LEFT, y, WIDTH, y, "stroke-dasharray=\"4 4\"");
    }
    out_text(out, "</svg>\n");
}

/* Tics of the axis of durations. */
static const struct {
    double s;
    const char *name;
} tics[] = {
    {1, "1 s"},     {10, "10 s"},   {60, "1 min"},   {600, "10 min"},   {3600, "1 h"},
    {21600, "6 h"}, {86400, "1 d"}, {604800, "1 w"}, {2592000, "30 d"}, {31536000, "1 y"},
};

#define AXIS_LEFT 80
#define ROW       26

struct axis {
    double low, high; /* natural logarithms of seconds */
};

/* Durations below a second are drawn at one second. */
static double at_axis(const struct axis *axis, double seconds)
{
    double x = log(fmax(seconds, 1));
    return AXIS_LEFT + (WIDTH - AXIS_LEFT - 20) * (x - axis->low) / (axis->high - axis->low);
}

static struct axis axis_of(const struct trace_page_range *ranges, int count)
{
    double low = HUGE_VAL, high = 0;
    size_t last = sizeof tics / sizeof *tics - 1, from = 0, to = last;
    for (int i = 0; i < count; i++) {
        low = fmin(low, fmax(ranges[i].p10, 1));
        high = fmax(high, ranges[i].p99);
    }
    while (from < last && tics[from + 1].s <= low)
        from++;
    while (to > from + 1 && tics[to - 1].s >= high)
        to--;
    return (struct axis){log(tics[from].s), log(fmax(tics[to].s, high))};
}

static void put_range(struct out *out, const struct axis *axis,
                      const struct trace_page_range *range, double y)
{
    double from = at_axis(axis, range->p10), to = at_axis(axis, range->p90),
           far = at_axis(axis, range->p99);
    put_text(out, AXIS_LEFT - 12, y + 4, "end", range->name);
    put_line(out, to, y, far, y, "stroke-opacity=\".5\"");
    put_line(out, far, y - 4, far, y + 4, "stroke-opacity=\".5\"");
    out_format(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"10\" fill=\"%s\"/>\n",
               from, y - 5, fmax(to - from, 1), palette_page(0));
    out_format(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"3\" height=\"16\" fill=\"%s\"/>\n",
               at_axis(axis, range->p50) - 1.5, y - 8, palette_page(1));
}

void trace_page_ranges(struct out *out, const char *label, const struct trace_page_range *ranges,
                       int count)
{
    struct axis axis = axis_of(ranges, count);
    int height = TOP + count * ROW + BOTTOM;
    open_svg(out, height, label);
    for (size_t i = 0; i < sizeof tics / sizeof *tics; i++) {
        double x = at_axis(&axis, tics[i].s);
        if (log(tics[i].s) < axis.low - 1e-9 || log(tics[i].s) > axis.high + 1e-9)
            continue;
        put_line(out, x, TOP, x, height - BOTTOM, "stroke-opacity=\".25\"");
        put_text(out, x, height - 8, "middle", tics[i].name);
    }
    for (int i = 0; i < count; i++)
        put_range(out, &axis, &ranges[i], TOP + ROW * (i + .5));
    out_text(out, "</svg>\n");
}
