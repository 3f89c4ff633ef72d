/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The value of a metric as people read it, by its unit and name. */
#ifndef REPORT_WORDS_METRIC_TEXT_H
#define REPORT_WORDS_METRIC_TEXT_H

#include "report/words/units.h"

/* 12m05s, 71.2% (utilization), 0.963 (other ratios), 2.24 million (large amounts of USD). */
const char *metric_text(char text[UNIT_TEXT], const char *path, double value);

/* The unit to print beside it: "USD", "GPU-h"; "" where the text has it, or there is none. */
const char *metric_unit(const char *path);

#endif
