/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A calibration for a terminal, and as JSON. */
#ifndef SIM_CALIBRATE_PRINT_H
#define SIM_CALIBRATE_PRINT_H

#include "sim/base/out.h"
#include "sim/calibrate/fit.h"
#include "sim/calibrate/verdict.h"

/* `fit` may be NULL. */
void calibrate_print(struct out *, const struct calibrate *, const struct calibrate_verdict *,
                     const struct fit *fit, size_t width);
void calibrate_json(struct out *, const struct calibrate *, const struct calibrate_verdict *,
                    const struct fit *fit);

/* Queues by the size of their difference, the largest first: numbers in c->queues, to be freed. */
size_t *calibrate_queue_order(const struct calibrate *);

#endif
