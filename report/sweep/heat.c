/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Heat maps as tables; see heat.h. */
#include "report/sweep/heat.h"

#include "report/page/html.h"
#include "report/words/labels.h"
#include "report/words/metric_rows.h"
#include "report/words/metric_text.h"
#include "sim/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAPS_SHOWN ((size_t)24)
#define DARKEST    50.0 /* % of the colour; more would hide the text */
#define WIDE       20.0 /* ratio of largest to smallest from which shades are logarithmic */

struct map {
    const struct grid *grid;
    size_t metric; /* index in the plan */
    const char *path;
    size_t rows, columns; /* axes */
    double low, high;     /* over the means of all maps */
    bool logarithmic;
    double best; /* the best mean; NaN if neither high nor low is better */
};

/*
 * Chooses the two axes with the most values, in their order; of equal ones the last, which vary
 * fastest.
 */
static void choose_axes(struct map *map)
{
    const struct grid *grid = map->grid;
    size_t first = GRID_NONE, second = GRID_NONE;
    for (size_t a = 0; a < grid->axis_count; a++) {
        if (first == GRID_NONE || grid->axes[a].count >= grid->axes[first].count) {
            second = first;
            first = a;
        } else if (second == GRID_NONE || grid->axes[a].count >= grid->axes[second].count) {
            second = a;
        }
    }
    map->columns = first > second ? first : second;
    map->rows = first > second ? second : first;
}

static struct map map_of(const struct grid *grid, size_t metric)
{
    size_t lowest, highest;
    struct map map = {.grid = grid,
                      .metric = grid->metrics[metric],
                      .path = grid_metric(grid, metric),
                      .best = (double)NAN};
    const struct metric_row *row = metric_find(map.path);
    choose_axes(&map);
    grid_extremes(grid, metric, &lowest, &highest);
    map.low = grid->places[lowest].of[map.metric].over.mean;
    map.high = grid->places[highest].of[map.metric].over.mean;
    map.logarithmic = map.low > 0 && map.high / map.low > WIDE;
    if (row != NULL && row->better != METRIC_NEUTRAL && map.high > map.low)
        map.best = row->better == METRIC_LOWER ? map.low : map.high;
    return map;
}

static double shade(const struct map *map, double mean)
{
    if (!(map->high > map->low))
        return 0;
    double part = map->logarithmic ? log(mean / map->low) / log(map->high / map->low)
                                   : (mean - map->low) / (map->high - map->low);
    return DARKEST * part;
}

static void put_cell(struct out *out, const struct map *map, size_t place)
{
    char text[UNIT_TEXT], from[UNIT_TEXT], to[UNIT_TEXT];
    const struct grid_sample *sample =
        place == GRID_NONE ? NULL : &map->grid->places[place].of[map->metric];
    if (sample == NULL || sample->n == 0) {
        html_number(out, "-");
        return;
    }
    bool best = sample->over.mean >= map->best && sample->over.mean <= map->best;
    out_format(out, "<td class=\"n%s\" style=\"--h:%.0f%%\"", best ? " best" : "",
               shade(map, sample->over.mean));
    if (!isnan(sample->over.low) && sample->bounds == 0) {
        out_format(out, " title=\"mean of %zu, 95%% interval ", sample->n);
        html_text(out, metric_text(from, map->path, sample->over.low));
        out_text(out, " to ");
        html_text(out, metric_text(to, map->path, sample->over.high));
        out_char(out, '"');
    }
    out_format(out, ">%s", sample->bounds > 0 ? "\xE2\x89\xA5 " : "");
    html_text(out, metric_text(text, map->path, sample->over.mean));
    out_text(out, "</td>");
}

/* Prints the label of a key, with the key itself in the tooltip. */
static void put_key(struct out *out, const struct grid_axis *axis)
{
    char *label = label_key(axis->key);
    out_text(out, "<span title=\"");
    html_text(out, axis->key);
    out_text(out, "\">");
    html_text(out, strncmp(label, "the ", 4) == 0 ? label + 4 : label);
    out_text(out, "</span>");
    free(label);
}

static void put_head(struct out *out, const struct map *map)
{
    const struct grid_axis *rows = &map->grid->axes[map->rows],
                           *columns = &map->grid->axes[map->columns];
    out_text(out, "<thead><tr><th rowspan=\"2\" scope=\"col\">");
    put_key(out, rows);
    out_format(out, "</th><th class=\"span\" colspan=\"%zu\" scope=\"colgroup\">", columns->count);
    put_key(out, columns);
    out_text(out, "</th></tr>\n<tr>");
    for (size_t c = 0; c < columns->count; c++) {
        out_text(out, "<th scope=\"col\" class=\"n\">");
        html_text(out, columns->texts[c]);
        out_text(out, "</th>");
    }
    out_text(out, "</tr></thead>\n");
}

/* `at`: coordinates of the map on the other axes. */
static void put_map(struct out *out, const struct map *map, size_t *at)
{
    const struct grid *grid = map->grid;
    bool alone = grid->axis_count == 2;
    out_text(out, "<div class=\"map\">\n");
    for (size_t a = 0; a < grid->axis_count && !alone; a++) {
        if (a == map->rows || a == map->columns)
            continue;
        out_text(out, "<p class=\"fine\">");
        put_key(out, &grid->axes[a]);
        out_text(out, ": ");
        html_text(out, grid->axes[a].texts[at[a]]);
        out_text(out, "</p>\n");
    }
    out_text(out, "<table class=\"heat\">\n");
    put_head(out, map);
    out_text(out, "<tbody>\n");
    for (size_t r = 0; r < grid->axes[map->rows].count; r++) {
        out_text(out, "<tr><th scope=\"row\">");
        html_text(out, grid->axes[map->rows].texts[r]);
        out_text(out, "</th>");
        for (size_t c = 0; c < grid->axes[map->columns].count; c++) {
            at[map->rows] = r;
            at[map->columns] = c;
            put_cell(out, map, grid_find(grid, at));
        }
        out_text(out, "</tr>\n");
    }
    out_text(out, "</tbody>\n</table>\n</div>\n");
}

/*
 * Moves to the next values on the other axes, the last varying fastest; returns false after the
 * last.
 */
static bool next_map(const struct map *map, size_t *at)
{
    for (size_t a = map->grid->axis_count; a-- > 0;) {
        if (a == map->rows || a == map->columns)
            continue;
        if (++at[a] < map->grid->axes[a].count)
            return true;
        at[a] = 0;
    }
    return false;
}

static bool is_empty(const struct map *map, size_t *at)
{
    bool empty = true;
    for (size_t r = 0; r < map->grid->axes[map->rows].count && empty; r++)
        for (size_t c = 0; c < map->grid->axes[map->columns].count && empty; c++) {
            at[map->rows] = r;
            at[map->columns] = c;
            empty = grid_find(map->grid, at) == GRID_NONE;
        }
    return empty;
}

void sweep_heat(const struct grid *grid, size_t metric, struct out *out)
{
    struct map map = map_of(grid, metric);
    size_t *at = mem_alloc(grid->axis_count, sizeof *at), shown = 0;
    bool more = true;
    out_text(out, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Heat "
                  "map\">\n<div class=\"maps\">\n");
    for (; more && shown < MAPS_SHOWN; more = next_map(&map, at)) {
        if (is_empty(&map, at))
            continue;
        put_map(out, &map, at);
        shown++;
    }
    out_text(out, "</div>\n</div>\n<p class=\"fine\">A stronger colour is higher");
    out_text(out, map.logarithmic ? ", on a logarithmic scale" : "");
    out_text(out, !isnan(map.best) ? "; the best has a frame.</p>\n" : ".</p>\n");
    if (more)
        out_format(out, "<p class=\"fine\">The first %zu maps; the table has all points.</p>\n",
                   shown);
    free(at);
}
