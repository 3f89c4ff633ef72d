/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How to get a log and a description of a cluster: commands to copy. */
#ifndef SIM_INIT_HOW_H
#define SIM_INIT_HOW_H

#include "sim/base/out.h"

void init_how(struct out *);

#endif
