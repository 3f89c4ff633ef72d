/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cells; see grid.h. */
#include "report/explore/grid.h"

#include "sim/base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { BY_QUEUE, BY_CLASS, BY_USER, PLANES };

struct grid {
    const struct explore *e;
    size_t rows, rows_a_cell;
    double width_ms; /* width of a column */
    double *held;    /* [plane][column][colour] of one row of cells */
    uint8_t *cells;  /* [1 + plane][row][column] */
};

static double *held_at(const struct grid *g, int plane, size_t column)
{
    return g->held + ((size_t)plane * EXPLORE_COLUMNS + column) * EXPLORE_COLORS;
}

static uint8_t *cell_at(const struct grid *g, int plane, size_t row, size_t column)
{
    return g->cells + ((size_t)plane * g->rows + row) * EXPLORE_COLUMNS + column;
}

/* Adds a bar's part in a row of cells. */
static void add_bar(struct grid *g, const struct explore_bar *bar, double rows)
{
    const struct explore_job *job = &g->e->jobs[bar->job];
    const uint32_t color[PLANES] = {job->queue % EXPLORE_COLORS, job->class % EXPLORE_COLORS,
                                    job->user % EXPLORE_COLORS};
    double from = (double)(bar->from_ms - g->e->begin_ms) / g->width_ms,
           to = (double)(bar->to_ms - g->e->begin_ms) / g->width_ms;
    for (size_t column = (size_t)from; column < EXPLORE_COLUMNS && (double)column < to; column++) {
        double begin = from > (double)column ? from : (double)column;
        double end = to < (double)column + 1 ? to : (double)column + 1;
        for (int plane = 0; plane < PLANES; plane++)
            held_at(g, plane, column)[color[plane]] +=
                (end - begin) * rows * bar->milli / FLEET_WHOLE;
    }
}

static void finish_row(struct grid *g, size_t row)
{
    for (size_t column = 0; column < EXPLORE_COLUMNS; column++) {
        double all = 0;
        for (int plane = 0; plane < PLANES; plane++) {
            const double *held = held_at(g, plane, column);
            size_t most = 0;
            for (size_t k = 0; k < EXPLORE_COLORS; k++) {
                all += plane == 0 ? held[k] : 0;
                most = held[k] > held[most] ? k : most;
            }
            *cell_at(g, 1 + plane, row, column) = (uint8_t)(held[most] > 0 ? most + 1 : 0);
        }
        double share = all / (double)g->rows_a_cell;
        *cell_at(g, 0, row, column) = (uint8_t)(share >= 1 ? 15 : share * 15 + 0.5);
    }
}

/*
 * Groups bars by the row of cells in which they begin: list[first[row]] to list[first[row + 1]]. A
 * bar over several rows of cells is listed in each.
 */
static void fill(struct grid *g)
{
    const struct explore_rows *r = &g->e->rows;
    size_t *first = mem_alloc(g->rows + 2, sizeof *first), n = g->rows_a_cell;
    for (size_t i = 0; i < r->bar_count; i++)
        for (size_t c = r->bars[i].row / n; c <= (r->bars[i].row + r->bars[i].rows - 1) / n; c++)
            first[c + 2]++;
    for (size_t c = 2; c < g->rows + 2; c++)
        first[c] += first[c - 1];
    uint32_t *list = mem_alloc(first[g->rows + 1] + 1, sizeof *list);
    for (size_t i = 0; i < r->bar_count; i++)
        for (size_t c = r->bars[i].row / n; c <= (r->bars[i].row + r->bars[i].rows - 1) / n; c++)
            list[first[c + 1]++] = (uint32_t)i;
    for (size_t c = 0; c < g->rows; c++) {
        memset(g->held, 0, PLANES * EXPLORE_COLUMNS * EXPLORE_COLORS * sizeof *g->held);
        for (size_t k = first[c]; k < first[c + 1]; k++) {
            const struct explore_bar *bar = &r->bars[list[k]];
            size_t from = bar->row > c * n ? bar->row : c * n;
            size_t to = bar->row + bar->rows < (c + 1) * n ? bar->row + bar->rows : (c + 1) * n;
            add_bar(g, bar, (double)(to - from));
        }
        finish_row(g, c);
    }
    free(list);
    free(first);
}

static void put_plane(struct pack *p, const uint8_t *cells, size_t count)
{
    for (size_t i = 0; i < count;) {
        size_t n = 1;
        while (i + n < count && cells[i + n] == cells[i])
            n++;
        pack_number(p, cells[i]);
        pack_number(p, (int64_t)n);
        i += n;
    }
}

void explore_grid(const struct explore *e, struct pack *p)
{
    struct grid g = {.e = e};
    g.rows_a_cell = (e->rows.row_count + EXPLORE_CELL_ROWS - 1) / EXPLORE_CELL_ROWS;
    g.rows = (e->rows.row_count + g.rows_a_cell - 1) / g.rows_a_cell;
    g.width_ms = (double)(e->end_ms - e->begin_ms) / (double)EXPLORE_COLUMNS;
    g.held = mem_alloc(PLANES * EXPLORE_COLUMNS * EXPLORE_COLORS, sizeof *g.held);
    g.cells = mem_alloc((1 + PLANES) * g.rows * EXPLORE_COLUMNS, sizeof *g.cells);
    fill(&g);
    pack_number(p, (int64_t)EXPLORE_COLUMNS);
    pack_number(p, (int64_t)g.rows_a_cell);
    for (int plane = 0; plane <= PLANES; plane++)
        put_plane(p, cell_at(&g, plane, 0, 0), g.rows * EXPLORE_COLUMNS);
    free(g.held);
    free(g.cells);
}
