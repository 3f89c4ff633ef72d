/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A share of many points for one of several machines: --shard 2/5 is the second of five. Points are
 * dealt out by their rank among all ids, which are as good as random, so neighbours in the plan,
 * equally long to simulate, go to different shards.
 *
 * --shard auto asks the environment that an engine gives its processes; --shard auto/5 says how
 * many there are where the engine does not.
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

/* "auto" or "auto/n": how many, 0 when it does not say; false for "i/n" and everything else. */
bool shard_is_auto(const char *text, size_t *count);

#endif
