/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables for a terminal. Widths are counted in columns of the terminal, not in bytes, so that names
 * in any script line up.
 */
#include "report/terminal/table.h"

#include "report/words/units.h"
#include "sim/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define GAP            ((size_t)2)
#define NARROWEST_NAME ((size_t)8) /* the first column is at least this wide */

struct table {
    char **cell; /* rows x columns, row by row */
    size_t columns, cells, capacity;
};

struct table *table_create(size_t columns)
{
    BUG_ON(columns == 0);
    struct table *table = mem_alloc(1, sizeof *table);
    table->columns = columns;
    return table;
}

void table_destroy(struct table *table)
{
    if (!table)
        return;
    for (size_t i = 0; i < table->cells; i++)
        free(table->cell[i]);
    free(table->cell);
    free(table);
}

void table_row(struct table *table, const char *const *cells)
{
    table->cell =
        mem_grow(table->cell, &table->capacity, table->cells + table->columns, sizeof *table->cell);
    for (size_t i = 0; i < table->columns; i++)
        table->cell[table->cells++] = unit_name(cells[i] ? cells[i] : "", 0);
}

static size_t width_of(const struct table *table, size_t column)
{
    size_t widest = 0;
    for (size_t i = column; i < table->cells; i += table->columns) {
        size_t width = unit_width(table->cell[i]);
        if (width > widest)
            widest = width;
    }
    return widest;
}

static void blanks(struct out *out, size_t n)
{
    while (n--)
        out_char(out, ' ');
}

/* Blanks are printed only before the next text, so no line ends in blanks. */
static void print_row(char *const *cell, size_t columns, const size_t *width, struct out *out)
{
    char *first = unit_name(cell[0], width[0]);
    out_text(out, first);
    size_t owed = width[0] - unit_width(first);
    free(first);
    for (size_t i = 1; i < columns; i++) {
        owed += GAP + width[i] - unit_width(cell[i]);
        if (cell[i][0] == '\0') {
            continue;
        }
        blanks(out, owed);
        out_text(out, cell[i]);
        owed = 0;
    }
    out_char(out, '\n');
}

void table_print(const struct table *table, struct out *out, size_t limit)
{
    size_t *width = mem_alloc(table->columns, sizeof *width);
    size_t others = 0;
    for (size_t i = 0; i < table->columns; i++) {
        width[i] = width_of(table, i);
        others += i ? GAP + width[i] : 0;
    }
    size_t room = limit > others + NARROWEST_NAME ? limit - others : NARROWEST_NAME;
    if (width[0] > room)
        width[0] = room;
    for (size_t i = 0; i < table->cells; i += table->columns)
        print_row(table->cell + i, table->columns, width, out);
    free(width);
}
