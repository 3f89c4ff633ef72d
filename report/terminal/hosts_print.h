/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cores and memory of queues on the terminal. */
#ifndef REPORT_TERMINAL_HOSTS_PRINT_H
#define REPORT_TERMINAL_HOSTS_PRINT_H

#include "sim/base/out.h"

#include <cjson/cJSON.h>

/*
 * Prints a table of the summary's queues, `width` columns wide; nothing unless some queue used
 * cores or memory without GPUs.
 */
void hosts_print(struct out *, const cJSON *summary, size_t width);

#endif
