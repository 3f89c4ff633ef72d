/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a calibration means, in sentences. */
#ifndef SIM_CALIBRATE_VERDICT_H
#define SIM_CALIBRATE_VERDICT_H

#include "sim/calibrate/calibrate.h"

#define CALIBRATE_SENTENCES 8

struct calibrate_verdict {
    char *sentences[CALIBRATE_SENTENCES];
    size_t count;
};

/* Names in them come from the log: the caller escapes them for its output. */
void calibrate_verdict_make(struct calibrate_verdict *, const struct calibrate *);
void calibrate_verdict_fini(struct calibrate_verdict *);

#endif
