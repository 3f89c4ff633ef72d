/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables for a terminal: rows of short texts in aligned columns, as wide as needed, up to a given
 * width. The first column is left-aligned, and its texts are cut if the table is too wide; the
 * others are right-aligned numbers.
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

/* `cells` has one text per column of the table; NULL is an empty cell. */
void table_row(struct table *, const char *const *cells);

/* Prints with two blanks between columns and none at the end of a line. */
void table_print(const struct table *, struct out *, size_t width);

#endif
