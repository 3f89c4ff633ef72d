/* SPDX-License-Identifier: MIT */
/*
 * Slurm's texts about generic resources (GRES). They come in many forms, which all mean eight GPUs:
 *     gpu:8   gpu:h100:8(S:0-1)   gpu:h100:8(IDX:0-7),nic:2   gres:gpu:8   gres/gpu:h100=8
 */
#ifndef ADAPTERS_SLURM_GRES_H
#define ADAPTERS_SLURM_GRES_H

#include <stdbool.h>
#include <stdint.h>

#define GRES_TYPE 64 /* buffer for a type name */

struct gres {
    int64_t gpus;
    char type[GRES_TYPE]; /* of the first typed GPUs, else "" */
    bool other;           /* names something else, too, such as shard, mps or nic */
};

/* NULL and "" are empty. Returns false if the text cannot be parsed. */
bool gres_read(struct gres *, const char *text);

/*
 * Parses the tasks of an array, "1-3,7,10-20:5%4" (everything after % is ignored), and stores at
 * most `most`. Returns their number, or -1 if the text cannot be parsed.
 */
int64_t gres_array_tasks(const char *text, uint32_t *tasks, int64_t most);

#endif
