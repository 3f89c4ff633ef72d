/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Quotas by pool on the terminal. */
#ifndef REPORT_TERMINAL_POOLS_PRINT_H
#define REPORT_TERMINAL_POOLS_PRINT_H

#include "sim/base/out.h"

#include <cjson/cJSON.h>

/* Prints a table of the summary's queues by pool, `width` columns wide; nothing without quotas by
 * pool. */
void pools_print(struct out *, const cJSON *summary, size_t width);

#endif
