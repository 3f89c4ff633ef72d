/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values of the summary by path, shown as items of a line or rows of a table. */
#ifndef REPORT_RESULTS_ITEMS_H
#define REPORT_RESULTS_ITEMS_H

#include "report/results/rundir.h"
#include "report/words/units.h"

#include <stdbool.h>

struct item {
    const char *path, *name;
    const char *(*format)(char text[UNIT_TEXT], double value);
    bool positive; /* left out if 0 */
};

/* Returns the item's text, in `text`; NULL if the value is unknown or left out. */
const char *item_text(char text[UNIT_TEXT], const struct item *, const cJSON *summary);

#endif
