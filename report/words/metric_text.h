/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Formats the value of a metric for people, by its unit and name. */
#ifndef REPORT_WORDS_METRIC_TEXT_H
#define REPORT_WORDS_METRIC_TEXT_H

#include "report/words/units.h"

/* 12m05s, 71.2% (utilization), 0.963 (other ratios), 2.24 million (large amounts of USD). */
const char *metric_text(char text[UNIT_TEXT], const char *path, double value);

/*
 * Returns the unit to print after the text: "USD", "GPU-h"; "" if the text includes it or there is
 * none.
 */
const char *metric_unit(const char *path);

#endif
