/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Generic resources of a node in Slurm's format. */
#ifndef SCENARIOS_IMPORT_GRES_H
#define SCENARIOS_IMPORT_GRES_H

#include <stdint.h>

#define GRES_TYPE 64 /* bytes of a type's name; longer names are cut */

/*
 * Returns the GPUs in "gpu:a100:8(S:0-1),nic:2", and sets the type of the first kind; "" if there
 * is none.
 */
int64_t gres_gpus(const char *gres, char type[GRES_TYPE]);

#endif
