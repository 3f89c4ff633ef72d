/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `plan --method slo`: the smallest number of nodes of a pool that meets the targets; see
 * report/plan/capacity.h. */
#ifndef SIM_PLAN_SLO_H
#define SIM_PLAN_SLO_H

#include "sim/program/command.h"

int plan_slo(struct cli *); /* the exit code */

#endif
