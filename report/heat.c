/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who was busy when, in bounded memory; see heat.h. */
#include "report/heat.h"

#include "sim/base/mem.h"
#include "sim/base/out.h"

#include <stdlib.h>

static void start(struct series *s, const struct sim *sim)
{
    size_t nodes = sim->fleet->node_count;
    s->nodes_per_row = (nodes + SERIES_ROWS - 1) / SERIES_ROWS;
    s->rows = (nodes + s->nodes_per_row - 1) / s->nodes_per_row;
    s->interval_ms = sim->config.tick_ms;
    s->start_ms = sim->first_submit_ms;
    s->heat = mem_alloc(s->rows * SERIES_INTERVALS, sizeof *s->heat);
    s->level = mem_alloc(s->rows, sizeof *s->level);
    s->since_ms = mem_alloc(s->rows, sizeof *s->since_ms);
    for (size_t row = 0; row < s->rows; row++)
        s->since_ms[row] = s->start_ms;
}

static void halve(double *cells)
{
    for (size_t i = 0; i < SERIES_INTERVALS / 2; i++)
        cells[i] = cells[2 * i] + cells[2 * i + 1];
    for (size_t i = SERIES_INTERVALS / 2; i < SERIES_INTERVALS; i++)
        cells[i] = 0;
}

/* Makes every interval twice as long, until `at` is covered. */
static void cover(struct series *s, int64_t at)
{
    while ((at - s->start_ms - 1) / s->interval_ms >= SERIES_INTERVALS) {
        for (size_t row = 0; row < s->rows; row++) {
            halve(&s->heat[row * SERIES_INTERVALS]);
            if (s->gone != NULL)
                halve(&s->gone[row * SERIES_INTERVALS]);
        }
        s->interval_ms *= 2;
    }
}

static void add(const struct series *s, double *cells, int64_t level, int64_t from, int64_t now)
{
    while (level > 0 && from < now) {
        int64_t i = (from - s->start_ms) / s->interval_ms;
        int64_t end = s->start_ms + (i + 1) * s->interval_ms;
        int64_t to = end < now ? end : now;
        cells[i] += (double)level * (double)(to - from);
        from = to;
    }
}

/* Brings a row up to `now`. */
static void settle(struct series *s, size_t row, int64_t now)
{
    int64_t from = s->since_ms[row];
    s->since_ms[row] = now;
    int64_t gone = s->gone != NULL ? s->gone_level[row] : 0;
    if (now <= from || (s->level[row] == 0 && gone == 0))
        return;
    cover(s, now);
    add(s, &s->heat[row * SERIES_INTERVALS], s->level[row], from, now);
    if (gone > 0)
        add(s, &s->gone[row * SERIES_INTERVALS], gone, from, now);
}

void heat_change(struct series *s, const struct sim *sim, const struct work_job *job,
                 const struct work_task *task, int sign)
{
    if (sim->counts)
        return;
    if (s->heat == NULL)
        start(s, sim);
    size_t row = task->node / s->nodes_per_row;
    settle(s, row, sim->now_ms);
    s->level[row] += sign * work_task_milli(job, task);
}

static void start_gone(struct series *s, const struct sim *sim)
{
    s->gone = mem_alloc(s->rows * SERIES_INTERVALS, sizeof *s->gone);
    s->gone_level = mem_alloc(s->rows, sizeof *s->gone_level);
    s->down = mem_alloc(sim->fleet->node_count, sizeof *s->down);
}

void heat_turn(struct series *s, const struct sim *sim, uint32_t id)
{
    const struct fleet_node *node = &sim->fleet->nodes[id];
    bool down = node->away > 0;
    if (s->heat == NULL)
        start(s, sim);
    if (s->gone == NULL && down)
        start_gone(s, sim);
    if (s->gone == NULL || s->down[id] == down)
        return;
    size_t row = id / s->nodes_per_row;
    settle(s, row, sim->now_ms);
    s->down[id] = down;
    s->gone_level[row] += (down ? 1 : -1) * (int64_t)node->gpus * FLEET_WHOLE;
}

/* Of a cell that is `whole` thousandths times milliseconds large. */
static double share_of(const struct series *s, size_t cell, double whole)
{
    double gone = s->gone != NULL ? s->gone[cell] : 0;
    if (whole <= 0)
        return 0;
    return 2 * gone > whole ? -1 : s->heat[cell] / (whole - gone);
}

static void write_row(struct series *s, const struct sim *sim, size_t row, size_t intervals, struct out *out)
{
    size_t first = row * s->nodes_per_row;
    size_t last = first + s->nodes_per_row - 1;
    last = last < sim->fleet->node_count ? last : sim->fleet->node_count - 1;
    int64_t milli = 0;
    for (size_t node = first; node <= last; node++)
        milli += (int64_t)sim->fleet->nodes[node].gpus * FLEET_WHOLE;
    char *name = first == last
                     ? mem_text(sim->fleet->nodes[first].name)
                     : mem_format("%s..%s", sim->fleet->nodes[first].name, sim->fleet->nodes[last].name);
    out_csv(out, name);
    free(name);
    for (size_t i = 0; i < intervals; i++) {
        int64_t from = s->start_ms + (int64_t)i * s->interval_ms;
        int64_t to = from + s->interval_ms < sim->now_ms ? from + s->interval_ms : sim->now_ms;
        out_char(out, ',');
        double whole = to > from ? (double)milli * (double)(to - from) : 0;
        out_f64(out, share_of(s, row * SERIES_INTERVALS + i, whole), 3);
    }
    out_char(out, '\n');
}

bool heat_write(struct series *s, const struct sim *sim, const char *dir, struct err *err)
{
    if (s->heat == NULL)
        return true;
    for (size_t row = 0; row < s->rows; row++)
        settle(s, row, sim->now_ms);
    struct out *out = out_open_in(dir, "heatmap.csv", err);
    if (out == NULL)
        return false;
    cover(s, sim->now_ms);
    int64_t span = sim->now_ms - s->start_ms;
    size_t intervals = (size_t)((span + s->interval_ms - 1) / s->interval_ms);
    out_text(out, "node");
    for (size_t i = 0; i < intervals; i++) {
        out_char(out, ',');
        out_seconds(out, s->start_ms + (int64_t)i * s->interval_ms);
    }
    out_char(out, '\n');
    for (size_t row = 0; row < s->rows; row++)
        write_row(s, sim, row, intervals, out);
    return out_close(out, err);
}

void heat_fini(struct series *s)
{
    free(s->heat);
    free(s->level);
    free(s->since_ms);
    free(s->gone);
    free(s->gone_level);
    free(s->down);
}
