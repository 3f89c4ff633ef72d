/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables for a terminal: rows of short texts in columns that line up, as wide as they have to be
 * and no wider than asked. The first column is left-aligned and gives way (its texts are cut) when
 * the table is too wide; the others are right-aligned numbers.
 *
 *     struct table *table = table_create(3);
 *     table_row(table, (const char *const[]){"waits", "p50", "p95"});
 *     table_row(table, (const char *const[]){"build", "12s", ">=2h05m"});
 *     table_print(table, out, 100);
 *     table_destroy(table);
 *
 * prints
 *
 *     waits  p50      p95
 *     build  12s  >=2h05m
 *
 * The table copies its texts and makes names safe (report/words/units.h).
 */
#ifndef REPORT_TERMINAL_TABLE_H
#define REPORT_TERMINAL_TABLE_H

#include "sim/base/out.h"

#include <stddef.h>

struct table;

struct table *table_create(size_t columns);
void table_destroy(struct table *); /* NULL is fine */

/* `cells` has as many texts as the table has columns; NULL is an empty cell. */
void table_row(struct table *, const char *const *cells);

/* Two blanks between columns, no blanks at the end of a line. */
void table_print(const struct table *, struct out *, size_t width);

#endif
