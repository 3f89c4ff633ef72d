/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inference services on the terminal. */
#ifndef REPORT_TERMINAL_SERVICES_PRINT_H
#define REPORT_TERMINAL_SERVICES_PRINT_H

#include "sim/base/out.h"

#include <cjson/cJSON.h>

/*
 * Prints tables of the summary's services and of the SLOs that they have, `width` columns wide;
 * nothing without services.
 */
void services_print(struct out *, const cJSON *summary, size_t width);

#endif
