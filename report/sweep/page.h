/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The page of a sweep: the keys that vary, where each metric is best, a line with intervals over
 * one key, heat maps over two or more, and a table of all points. Metrics are shown in words, with
 * their names in tooltips. Figures go to DIR/figures.
 */
#ifndef REPORT_SWEEP_PAGE_H
#define REPORT_SWEEP_PAGE_H

#include "sim/base/err.h"

#include <stdbool.h>

/* Returns true if the folder holds a sweep. */
bool sweep_is_folder(const char *dir);

/* Returns false with err set (EXIT_INPUT) if a result is damaged or an output cannot be written. */
bool sweep_write_html(const char *dir, const char *path, struct err *err);

#endif
