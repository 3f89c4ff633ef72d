/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inference services on the terminal. */
#ifndef REPORT_TERMINAL_SERVICES_PRINT_H
#define REPORT_TERMINAL_SERVICES_PRINT_H

#include "sim/base/out.h"

#include <cjson/cJSON.h>

/* What the services of the summary served, and how those with an SLO kept it, in tables of `width`
 * columns; nothing without services. */
void services_print(struct out *, const cJSON *summary, size_t width);

#endif
