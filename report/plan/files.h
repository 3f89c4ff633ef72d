/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The data files of a plan: its points as CSV, and plan.json. */
#ifndef REPORT_PLAN_FILES_H
#define REPORT_PLAN_FILES_H

#include "sim/base/err.h"
#include "sim/base/json.h"
#include "sim/base/out.h"

struct plan_files {
    const void *self;
    const char *csv_name; /* "points.csv" */
    void (*csv)(const void *self, struct out *);
    void (*json)(const void *self, struct json *);
};

/* Returns false with err set (EXIT_INPUT) if a file cannot be written. */
bool plan_files_write(const struct plan_files *, const char *dir, struct err *err);

#endif
