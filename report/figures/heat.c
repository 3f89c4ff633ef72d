/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Figures: the busy share over time of every node, and of every domain of the fabric with its
 * uplinks. The file has one row per node or domain (or group of neighbours); neighbouring rows and
 * intervals are averaged if there are too many to see. Shades are eighths; equal neighbours in a
 * row become one rectangle, so any fleet has at most HEAT_ROWS x HEAT_COLUMNS rectangles.
 */
#include "report/figures/plot.h"
#include "report/words/units.h"
#include "sim/base/mem.h"
#include "sim/base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HEAT_ROWS    ((size_t)64)
#define HEAT_COLUMNS ((size_t)160)
#define CAPACITY     (2 * HEAT_ROWS)
#define LEVELS       8 /* shades; level 0 is idle and not drawn */
#define DOWN         (-1)
#define LABELS       ((size_t)16)
#define UPLINKS      "uplinks " /* rows that the conclusion ignores */
#define LABEL_WIDTH  ((size_t)20)

/* The subject of a file: nodes, or domains of the fabric. */
struct kind {
    const char *id, *file, *column; /* the figure's id and file; name of the first column */
    const char *many;               /* name of the rows, in the sentence below the figure */
};

struct cell {
    double busy; /* sum of shares over the intervals in which the node was up */
    size_t up, down;
};

struct heat {
    const struct kind *kind;
    struct plot_time window;
    double *edge_s; /* columns + 1 entries */
    bool *inside;   /* by field: the interval begins in the window */
    size_t fields, columns, fields_per_column, column_node;
    struct cell *cells;    /* CAPACITY rows x columns */
    char *label[CAPACITY]; /* name of the first node of a row */
    size_t rows, lines, lines_per_row;
    struct cell total;
    double busiest, quietest;
    char *busiest_node, *quietest_node;
};

static bool header_time(const struct rundir_row *header, size_t field, double *time_s,
                        struct err *err)
{
    const char *text = header->field[field];
    if (text_f64(text, strlen(text), time_s))
        return true;
    return err_set(err, EXIT_INPUT, "column %zu: '%.40s' is not a time", field + 1, text);
}

static bool on_header(void *ctx, const struct rundir_row *header, struct err *err)
{
    struct heat *heat = ctx;
    heat->fields = header->count - 1;
    if (strcmp(header->field[0], heat->kind->column) != 0 || heat->fields == 0)
        return err_set(err, EXIT_INPUT, "expected the header %s,<time>,<time>,...",
                       heat->kind->column);
    heat->fields_per_column = (heat->fields + HEAT_COLUMNS - 1) / HEAT_COLUMNS;
    heat->columns = (heat->fields + heat->fields_per_column - 1) / heat->fields_per_column;
    heat->edge_s = mem_alloc(heat->columns + 1, sizeof *heat->edge_s);
    heat->inside = mem_alloc(heat->fields, sizeof *heat->inside);
    heat->cells = mem_alloc(CAPACITY * heat->columns, sizeof *heat->cells);
    double before_s = 0, time_s = 0, step_s = 1;
    for (size_t i = 0; i < heat->fields; i++) {
        if (!header_time(header, i + 1, &time_s, err))
            return false;
        if (i > 0 && !(time_s > before_s))
            return err_set(err, EXIT_INPUT, "column %zu: times must rise", i + 2);
        step_s = i > 0 ? time_s - before_s : 1;
        before_s = time_s;
        heat->inside[i] = plot_time_inside(&heat->window, time_s);
        if (i % heat->fields_per_column == 0)
            heat->edge_s[i / heat->fields_per_column] = time_s;
    }
    heat->edge_s[heat->columns] = time_s + step_s;
    return true;
}

static void add_cell(struct cell *to, const struct cell *from)
{
    to->busy += from->busy;
    to->up += from->up;
    to->down += from->down;
}

static void merge_rows(struct heat *heat)
{
    size_t merged = (heat->rows + 1) / 2, columns = heat->columns;
    for (size_t r = 0; r < merged; r++) {
        bool paired = 2 * r + 1 < heat->rows;
        for (size_t c = 0; c < columns; c++) {
            struct cell cell = heat->cells[2 * r * columns + c];
            if (paired)
                add_cell(&cell, &heat->cells[(2 * r + 1) * columns + c]);
            heat->cells[r * columns + c] = cell;
        }
        char *label = heat->label[2 * r];
        if (paired)
            free(heat->label[2 * r + 1]);
        heat->label[2 * r] = NULL;
        heat->label[r] = label;
    }
    for (size_t r = merged; r < heat->rows; r++)
        heat->label[r] = NULL;
    memset(heat->cells + merged * columns, 0, (CAPACITY - merged) * columns * sizeof *heat->cells);
    heat->rows = merged;
    heat->lines_per_row *= 2;
}

static void remember_extremes(struct heat *heat, const char *node, const struct cell *line)
{
    if (line->up == 0)
        return;
    double share = line->busy / (double)line->up;
    if (!heat->busiest_node || share > heat->busiest) {
        free(heat->busiest_node);
        heat->busiest_node = unit_name(node, LABEL_WIDTH);
        heat->busiest = share;
    }
    if (!heat->quietest_node || share < heat->quietest) {
        free(heat->quietest_node);
        heat->quietest_node = unit_name(node, LABEL_WIDTH);
        heat->quietest = share;
    }
}

static bool on_row(void *ctx, const struct rundir_row *row, struct err *err)
{
    struct heat *heat = ctx;
    if (heat->lines == CAPACITY * heat->lines_per_row)
        merge_rows(heat);
    size_t r = heat->lines++ / heat->lines_per_row;
    if (r == heat->rows)
        heat->label[heat->rows++] = unit_name(row->field[0], LABEL_WIDTH);
    struct cell line = {0};
    for (size_t i = 0; i < heat->fields; i++) {
        double share;
        if (!rundir_number(row, i + 1, &share, err))
            return false;
        if (isnan(share))
            continue;
        bool down = share < 0;
        struct cell one = {.busy = down ? 0 : fmin(share, 1), .up = !down, .down = down};
        add_cell(&heat->cells[r * heat->columns + i / heat->fields_per_column], &one);
        if (heat->inside[i])
            add_cell(&line, &one);
    }
    if (strncmp(row->field[0], UPLINKS, strlen(UPLINKS)) == 0)
        return true;
    add_cell(&heat->total, &line);
    remember_extremes(heat, row->field[0], &line);
    return true;
}

/*
 * Returns DOWN if it was down for more than half of the time, else the busy share while up in
 * eighths.
 */
static int level_of(const struct cell *cell)
{
    if (cell->down > cell->up)
        return DOWN;
    return cell->up ? (int)floor(cell->busy / (double)cell->up * LEVELS + 0.5) : 0;
}

/* Writes all rectangles of one level; returns their number. */
static size_t write_level(struct out *dat, const struct heat *heat, const struct plot_time *time,
                          int level)
{
    size_t count = 0;
    for (size_t r = 0; r < heat->rows; r++) {
        const struct cell *cells = heat->cells + r * heat->columns;
        for (size_t c = 0; c < heat->columns;) {
            size_t from = c++;
            if (level_of(&cells[from]) != level)
                continue;
            while (c < heat->columns && level_of(&cells[c]) == level)
                c++;
            out_f64(dat, plot_time_at(time, heat->edge_s[from]), 5);
            out_char(dat, ' ');
            out_f64(dat, plot_time_at(time, heat->edge_s[c]), 5);
            out_format(dat, " %zu %zu\n", r, r + 1);
            count++;
        }
    }
    return count;
}

static void write_labels(struct out *gp, const struct heat *heat)
{
    size_t every = (heat->rows + LABELS - 1) / LABELS, widest = 7;
    out_text(gp, "set ytics (");
    for (size_t r = 0; r < heat->rows; r += every) {
        size_t width = unit_width(heat->label[r]);
        widest = width > widest ? width : widest;
        out_text(gp, r ? ", " : "");
        plot_tic_name(gp, heat->label[r], LABEL_WIDTH);
        out_format(gp, " %zu.5", r);
    }
    out_format(gp, ")\nset lmargin %zu\n", widest + 2);
}

static void write_plots(const struct figure_job *job, const struct heat *heat,
                        const struct plot_time *time)
{
    struct out *gp = job->gp;
    size_t height = 100 + heat->rows * 16;
    plot_begin(gp, heat->kind->id, height < 220 ? 220 : height > 520 ? 520 : (int)height);
    plot_time_range(gp, time, heat->edge_s[0], heat->edge_s[heat->columns]);
    write_labels(gp, heat);
    out_format(gp, "set border 15\nunset grid\nset yrange [%zu:0]\nplot ", heat->rows);
    static const struct {
        int level;
        const char *title;
    } keys[] = {
        {2, "1/4 busy"},
        {4, "1/2"},
        {6, "3/4"},
        {8, "all"},
    };
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        out_format(gp, "%skeyentry with boxes linecolor rgb '#%02X56B4E9' title '%s'",
                   k ? ", \\\n     " : "", 255 - 255 * keys[k].level / LEVELS, keys[k].title);
    out_text(gp, ", \\\n     keyentry with boxes linecolor rgb '#D55E00' title 'down'");
    out_format(job->dat, "# %s from, to; row from, to; one block for each level\n", time->unit);
    size_t block = 0;
    for (int level = DOWN; level <= LEVELS; level++) {
        if (level == 0 || write_level(job->dat, heat, time, level) == 0)
            continue;
        out_text(job->dat, "\n\n");
        out_format(gp,
                   ", \\\n     '%s.dat' index %zu using 1:3:1:2:3:4 with boxxyerror linecolor rgb ",
                   heat->kind->id, block++);
        if (level == DOWN)
            out_text(gp, "'#D55E00' notitle");
        else
            out_format(gp, "'#%02X56B4E9' notitle", 255 - 255 * level / LEVELS);
    }
    out_text(gp,
             block == 0 ? ", \\\n     NaN notitle\n" : "\n"); /* entries of the key are no plot */
}

static char *answer(const struct heat *heat)
{
    char mean[UNIT_TEXT], most[UNIT_TEXT], least[UNIT_TEXT], gone[UNIT_TEXT];
    size_t all = heat->total.up + heat->total.down;
    if (!heat->busiest_node)
        return mem_text("No node was up at any time.");
    char *down = heat->total.down
                     ? mem_format("; %s of all node time was down",
                                  unit_percent(gone, (double)heat->total.down / (double)all))
                     : mem_text("");
    char *text =
        mem_format("%s were %s busy while up, between %s (%s) and %s (%s)%s.", heat->kind->many,
                   unit_percent(mean, heat->total.busy / (double)heat->total.up),
                   unit_percent(least, heat->quietest), heat->quietest_node,
                   unit_percent(most, heat->busiest), heat->busiest_node, down);
    free(down);
    return text;
}

static char *method(const struct heat *heat)
{
    if (heat->lines_per_row == 1 && heat->fields_per_column == 1)
        return mem_text("Busy shares are rounded to eighths.");
    char *rows = heat->lines_per_row > 1 ? mem_format("%zu rows of the file", heat->lines_per_row)
                                         : mem_text("");
    char *intervals = heat->fields_per_column > 1
                          ? mem_format("%zu intervals", heat->fields_per_column)
                          : mem_text("");
    char *text = mem_format("Each cell is the mean of %s%s%s while up (down when that was more "
                            "than half), rounded to eighths.",
                            rows, *rows && *intervals ? " and " : "", intervals);
    free(rows);
    free(intervals);
    return text;
}

static void release(struct heat *heat)
{
    for (size_t r = 0; r < CAPACITY; r++)
        free(heat->label[r]);
    free(heat->edge_s);
    free(heat->inside);
    free(heat->cells);
    free(heat->busiest_node);
    free(heat->quietest_node);
}

static bool draw(struct figure_job *job, const struct kind *kind)
{
    static const struct rundir_reader reader = {.header = on_header, .row = on_row};
    struct heat heat = {.kind = kind, .window = plot_time_axis(job->run, 0, 0), .lines_per_row = 1};
    struct err err = {0};
    enum rundir_read read = rundir_csv(job->run, kind->file, &reader, &heat, &err);
    if (read == RUNDIR_READ && heat.lines == 0) {
        err_set(&err, EXIT_INPUT, "%s: no rows", kind->file);
        read = RUNDIR_DAMAGED;
    }
    if (read != RUNDIR_READ) {
        release(&heat);
        return figure_unreadable(job, read, &err);
    }
    while (heat.rows > HEAT_ROWS)
        merge_rows(&heat);
    struct plot_time time = plot_time_axis(job->run, heat.edge_s[0], heat.edge_s[heat.columns]);
    write_plots(job, &heat, &time);
    job->figure->answer = answer(&heat);
    job->figure->method = method(&heat);
    release(&heat);
    return true;
}

bool figure_heat(struct figure_job *job)
{
    static const struct kind nodes = {"heat", "heatmap.csv", "node", "Nodes"};
    return draw(job, &nodes);
}

bool figure_fabric(struct figure_job *job)
{
    static const struct kind domains = {"fabric", "fabric.csv", "domain", "Domains of the fabric"};
    return draw(job, &domains);
}
