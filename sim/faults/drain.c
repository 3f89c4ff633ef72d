/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Drain rules applied. */
#include "sim/faults/drain.h"

enum fault_drain fault_drain_decide(enum fault_drain rule, bool repeated, bool patient)
{
    if (rule == FAULT_DRAIN_REPEAT)
        return repeated ? FAULT_DRAIN_AFTER_JOB : FAULT_DRAIN_NO;
    return rule == FAULT_DRAIN_NOW && patient ? FAULT_DRAIN_AFTER_JOB : rule;
}
