/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `plan --method compaction`: how few nodes the work of one moment can be packed on; see
 * report/plan/compaction.h. */
#ifndef SIM_PLAN_COMPACTION_H
#define SIM_PLAN_COMPACTION_H

#include "sim/program/command.h"

int plan_compaction(struct cli *); /* the exit code */

#endif
