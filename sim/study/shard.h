/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A share of many points for one of several machines: --shard 2/5 is the second of five. Points are
 * dealt out by their rank among all ids, which are effectively random, so neighbours in the plan,
 * with similar run times, go to different shards.
 *
 * --shard auto reads the environment variables of the engine; --shard auto/5 gives the number where
 * the engine does not.
 */
#ifndef SIM_STUDY_SHARD_H
#define SIM_STUDY_SHARD_H

#include "sim/base/err.h"

#include <stddef.h>

#define SHARDS_MAX 1000000

struct shard {
    size_t index, count; /* 0 <= index < count */
};

/* "i/n", "auto" or "auto/n". `variable` is getenv(), or what stands for it. */
bool shard_parse(struct shard *, const char *text, const char *(*variable)(const char *name),
                 struct err *err);

/* "auto" or "auto/n": the number, 0 if not given; returns false for anything else. */
bool shard_is_auto(const char *text, size_t *count);

#endif
