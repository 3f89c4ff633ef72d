/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bars of a sweep's metrics for the terminal: a block per metric and a row per point, from
 * results.csv, whose columns are the keys that vary, the metrics and the point's id.
 */
#include "report/terminal/charts.h"

#include "report/results/rundir.h"
#include "report/words/units.h"
#include "sim/base/mem.h"

#include <math.h>
#include <stdlib.h>

#define ROWS    ((size_t)48) /* points shown */
#define BLOCKS  ((size_t)3)  /* metrics shown */
#define LONGEST ((size_t)40)

struct sweep_bars {
    size_t keys, metrics;
    char *keys_name;      /* "fleet.pools[0].count, policy" */
    char *metric[BLOCKS]; /* names */
    char *label[ROWS];    /* "12, fifo" */
    double value[BLOCKS][ROWS];
    size_t rows; /* all points, shown or not */
};

static char *joined(const char *const *field, size_t count)
{
    struct out *out = out_memory();
    for (size_t i = 0; i < count; i++)
        out_format(out, "%s%s", i ? ", " : "", *field[i] ? field[i] : "-");
    return out_memory_take(out);
}

static size_t blocks_of(const struct sweep_bars *bars)
{
    return bars->metrics < BLOCKS ? bars->metrics : BLOCKS;
}

static bool on_header(void *ctx, const struct rundir_row *header, struct err *err)
{
    struct sweep_bars *bars = ctx;
    if (header->count < bars->metrics + 1)
        return err_set(err, EXIT_INPUT, "expected %zu metrics and the id of the point",
                       bars->metrics);
    bars->keys = header->count - bars->metrics - 1;
    bars->keys_name = joined(header->field, bars->keys);
    for (size_t m = 0; m < blocks_of(bars); m++)
        bars->metric[m] = mem_text(header->field[bars->keys + m]);
    return true;
}

static bool on_row(void *ctx, const struct rundir_row *row, struct err *err)
{
    struct sweep_bars *bars = ctx;
    size_t r = bars->rows++;
    if (r >= ROWS)
        return true;
    bars->label[r] = joined(row->field, bars->keys);
    for (size_t m = 0; m < blocks_of(bars); m++)
        if (!rundir_number(row, bars->keys + m, &bars->value[m][r], err))
            return false;
    return true;
}

static void put_block(const struct sweep_bars *bars, size_t m, struct out *out, enum spark spark,
                      size_t width)
{
    char text[UNIT_TEXT];
    size_t shown = bars->rows < ROWS ? bars->rows : ROWS, label = 8;
    double most = 0;
    for (size_t r = 0; r < shown; r++) {
        size_t n = unit_width(bars->label[r]);
        label = n > label ? n : label;
        most = bars->value[m][r] > most ? bars->value[m][r] : most;
    }
    label = label < LONGEST ? label : LONGEST;
    out_format(out, "\n%s by %s\n", bars->metric[m], *bars->keys_name ? bars->keys_name : "point");
    for (size_t r = 0; r < shown; r++) {
        charts_label(out, bars->label[r], label);
        out_format(out, "  %10s  ", unit_amount(text, bars->value[m][r]));
        spark_bar(out, spark, most > 0 ? bars->value[m][r] / most : (double)NAN,
                  charts_room(width, label + 12));
        out_char(out, '\n');
    }
    if (shown < bars->rows)
        out_format(out, "(%zu more points)\n", bars->rows - shown);
}

static void forget(struct sweep_bars *bars)
{
    free(bars->keys_name);
    for (size_t m = 0; m < BLOCKS; m++)
        free(bars->metric[m]);
    for (size_t r = 0; r < ROWS; r++)
        free(bars->label[r]);
    free(bars);
}

bool charts_sweep(const char *dir, const char *name, size_t metrics, struct out *out,
                  enum spark spark, size_t width, struct err *err)
{
    static const struct rundir_reader reader = {.header = on_header, .row = on_row};
    if (spark == SPARK_NONE)
        return true;
    struct rundir run = {.data = mem_text(dir)};
    struct sweep_bars *bars = mem_alloc(1, sizeof *bars);
    bars->metrics = metrics;
    enum rundir_read read = rundir_csv(&run, name, &reader, bars, err);
    bool ok = read == RUNDIR_READ;
    if (read == RUNDIR_ABSENT)
        err_set(err, EXIT_INPUT, "%s/%s: cannot read", dir, name);
    for (size_t m = 0; ok && bars->rows > 0 && m < blocks_of(bars); m++)
        put_block(bars, m, out, spark, width);
    forget(bars);
    free(run.data);
    return ok;
}
