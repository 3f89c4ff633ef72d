/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Amounts over time in bounded memory; see heat_map.h. */
#include "report/measure/heat_map.h"

#include "report/words/units.h"
#include "sim/base/mem.h"

#include <stdlib.h>

void heat_map_init(struct heat_map *m, size_t rows, int64_t start_ms, int64_t interval_ms)
{
    *m = (struct heat_map){.rows = rows, .start_ms = start_ms, .interval_ms = interval_ms};
    m->busy = mem_alloc(rows * SERIES_INTERVALS, sizeof *m->busy);
    m->level = mem_alloc(rows, sizeof *m->level);
    m->since_ms = mem_alloc(rows, sizeof *m->since_ms);
    for (size_t row = 0; row < rows; row++)
        m->since_ms[row] = start_ms;
}

void heat_map_fini(struct heat_map *m)
{
    free(m->busy);
    free(m->level);
    free(m->since_ms);
    free(m->gone);
    free(m->gone_level);
    *m = (struct heat_map){0};
}

static void halve(double *cells)
{
    for (size_t i = 0; i < SERIES_INTERVALS / 2; i++)
        cells[i] = cells[2 * i] + cells[2 * i + 1];
    for (size_t i = SERIES_INTERVALS / 2; i < SERIES_INTERVALS; i++)
        cells[i] = 0;
}

/* Doubles the intervals until they cover `at`. */
static void cover(struct heat_map *m, int64_t at)
{
    while (at - m->start_ms > SERIES_INTERVALS * m->interval_ms) {
        for (size_t row = 0; row < m->rows; row++) {
            halve(&m->busy[row * SERIES_INTERVALS]);
            if (m->gone != NULL)
                halve(&m->gone[row * SERIES_INTERVALS]);
        }
        m->interval_ms *= 2;
    }
}

static void fill(const struct heat_map *m, double *cells, int64_t level, int64_t from, int64_t now)
{
    while (level > 0 && from < now) {
        int64_t i = (from - m->start_ms) / m->interval_ms;
        int64_t end = m->start_ms + (i + 1) * m->interval_ms;
        int64_t to = end < now ? end : now;
        cells[i] += (double)level * (double)(to - from);
        from = to;
    }
}

/* Adds up a row until `now`. */
static void settle(struct heat_map *m, size_t row, int64_t now)
{
    int64_t from = m->since_ms[row];
    m->since_ms[row] = now;
    int64_t gone = m->gone != NULL ? m->gone_level[row] : 0;
    if (now <= from || (m->level[row] == 0 && gone == 0))
        return;
    cover(m, now);
    fill(m, &m->busy[row * SERIES_INTERVALS], m->level[row], from, now);
    if (gone > 0)
        fill(m, &m->gone[row * SERIES_INTERVALS], gone, from, now);
}

void heat_map_add(struct heat_map *m, size_t row, int64_t now, int64_t busy, int64_t gone)
{
    if (m->gone == NULL && gone != 0) {
        m->gone = mem_alloc(m->rows * SERIES_INTERVALS, sizeof *m->gone);
        m->gone_level = mem_alloc(m->rows, sizeof *m->gone_level);
    }
    settle(m, row, now);
    m->level[row] += busy;
    if (gone != 0)
        m->gone_level[row] += gone;
}

void heat_map_close(struct heat_map *m, int64_t now)
{
    for (size_t row = 0; row < m->rows; row++)
        settle(m, row, now);
    cover(m, now);
}

static size_t intervals_until(const struct heat_map *m, int64_t now)
{
    return (size_t)((now - m->start_ms + m->interval_ms - 1) / m->interval_ms);
}

void heat_map_times(const struct heat_map *m, int64_t now, struct out *out)
{
    for (size_t i = 0; i < intervals_until(m, now); i++) {
        out_char(out, ',');
        out_seconds(out, m->start_ms + (int64_t)i * m->interval_ms);
    }
    out_char(out, '\n');
}

/*
 * Returns the busy share of a cell whose row has the size `whole` (multiplied by milliseconds); -1
 * if more than half was out of service.
 */
static double share_of(const struct heat_map *m, size_t cell, double whole)
{
    double gone = m->gone != NULL ? m->gone[cell] : 0;
    if (whole <= 0)
        return 0;
    return 2 * gone > whole ? -1 : m->busy[cell] / (whole - gone);
}

void heat_map_shares(const struct heat_map *m, size_t row, int64_t whole, int64_t now,
                     struct out *out)
{
    for (size_t i = 0; i < intervals_until(m, now); i++) {
        int64_t from = m->start_ms + (int64_t)i * m->interval_ms;
        int64_t to = from + m->interval_ms < now ? from + m->interval_ms : now;
        out_char(out, ',');
        out_f64(out,
                share_of(m, row * SERIES_INTERVALS + i,
                         to > from ? (double)whole * (double)(to - from) : 0),
                3);
    }
    out_char(out, '\n');
}
