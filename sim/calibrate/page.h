/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A calibration as a page, with a figure of the busy GPUs over time. */
#ifndef SIM_CALIBRATE_PAGE_H
#define SIM_CALIBRATE_PAGE_H

#include "sim/calibrate/fit.h"
#include "sim/calibrate/verdict.h"

/* Writes `path`, which ends in ".html", and page-figures/ next to it. `fit` may be NULL. Returns
 * false with err set. */
bool calibrate_page(const char *path, const char *scenario, const struct calibrate *,
                    const struct calibrate_verdict *, const struct fit *fit, struct err *err);

#endif
