/* SPDX-License-Identifier: MIT */
/*
 * Slurm's texts about generic resources. They come in many shapes, all of which mean eight GPUs:
 *
 *     gpu:8   gpu:h100:8(S:0-1)   gpu:h100:8(IDX:0-7),nic:2   gres:gpu:8   gres/gpu:h100=8
 */
#ifndef ADAPTERS_SLURM_GRES_H
#define ADAPTERS_SLURM_GRES_H

#include <stdbool.h>
#include <stdint.h>

#define GRES_TYPE 64 /* room for the name of a type */

struct gres {
    int64_t gpus;
    char type[GRES_TYPE]; /* of the first GPUs that have one, else "" */
    bool other;           /* something else is named too, such as shard, mps or nic */
};

/* NULL and "" have nothing. False when it cannot be read. */
bool gres_read(struct gres *, const char *text);

/*
 * The tasks of an array, "1-3,7,10-20:5%4" (what follows the % is not looked at); at most `most`
 * are stored. Returns how many there are, or -1 when it cannot be read.
 */
int64_t gres_array_tasks(const char *text, uint32_t *tasks, int64_t most);

#endif
