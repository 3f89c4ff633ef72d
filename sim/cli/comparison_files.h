/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files of a comparison that -o asks for (sim/program/page_output.h). */
#ifndef SIM_CLI_COMPARISON_FILES_H
#define SIM_CLI_COMPARISON_FILES_H

#include "report/compare/comparison.h"

/* Prints what --json would. */
typedef void comparison_json_writer(const void *self, const struct comparison *, struct out *);

struct comparison_files {
    const char *path; /* of -o; NULL: nothing is written */
    const char *stem; /* "whatif": DIR/whatif.html, DIR/whatif.json */
    comparison_json_writer *json;
    const void *self;
};

/* The folder is made if it is not there. False with err set. */
bool comparison_files_write(const struct comparison_files *, const struct comparison *,
                            struct err *err);

#endif
