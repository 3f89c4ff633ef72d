/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Overheads by size; see overhead.h. */
#include "sim/work/overhead.h"

int64_t work_overhead_ms(const struct work_overheads *overheads, int64_t gpu_milli)
{
    int64_t gpus = gpu_milli <= 1000 ? 1 : (gpu_milli + 999) / 1000;
    for (size_t i = 0; i < overheads->preempt_count; i++)
        if (gpus <= overheads->preempt[i].most_gpus)
            return overheads->preempt[i].ms;
    return 0;
}
