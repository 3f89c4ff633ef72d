/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of the summary that stand beside each other, by their paths: as items of a line, or as
 * rows of a table. */
#ifndef REPORT_RESULTS_ITEMS_H
#define REPORT_RESULTS_ITEMS_H

#include "report/results/rundir.h"
#include "report/words/units.h"

#include <stdbool.h>

struct item {
    const char *path, *name;
    const char *(*format)(char text[UNIT_TEXT], double value);
    bool positive; /* is left out when it is 0 */
};

/* Its text in `text`; NULL where the figure is not known, or left out. */
const char *item_text(char text[UNIT_TEXT], const struct item *, const cJSON *summary);

#endif
