/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The page of a sweep: what varies, where each metric is best, a line with intervals over one key,
 * heat maps over two, small ones over more, and a table of all points. Metrics have words; their
 * names are in tooltips. Figures go to DIR/figures.
 */
#ifndef REPORT_SWEEP_PAGE_H
#define REPORT_SWEEP_PAGE_H

#include "sim/base/err.h"

#include <stdbool.h>

/* True if the folder holds a sweep. */
bool sweep_is_folder(const char *dir);

/* False with err set (EXIT_INPUT) when a result is damaged or an output cannot be written. */
bool sweep_write_html(const char *dir, const char *path, struct err *err);

#endif
