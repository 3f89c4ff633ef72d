/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The figure of a plan: a target's metric against the number of nodes. */
#ifndef REPORT_PLAN_FIGURE_CAPACITY_H
#define REPORT_PLAN_FIGURE_CAPACITY_H

#include "report/figures/figures.h"
#include "report/plan/capacity.h"

/* Draws one target's curve with its band, limit, answer and lower bound; job->run is not used. */
bool figure_capacity(const struct capacity *, size_t target, struct figure_job *);

#endif
