/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The result of a fit, in sentences. */
#ifndef SIM_CALIBRATE_FIT_WORDS_H
#define SIM_CALIBRATE_FIT_WORDS_H

#include "sim/calibrate/fit.h"
#include "sim/calibrate/verdict.h"

/* To be freed with calibrate_verdict_fini(). */
void calibrate_fit_words(struct calibrate_verdict *, const struct fit *);

#endif
