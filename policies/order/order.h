/* SPDX-License-Identifier: MIT */
/* The orders that are built in: which job is next. A new one is one file here and one row in orders.c. */
#ifndef POLICY_ORDER_ORDER_H
#define POLICY_ORDER_ORDER_H

#include "state/engine.h"

extern const struct pc_job_order pc_order_fifo;
extern const struct pc_job_order pc_order_priority;
extern const struct pc_job_order pc_order_sjf;
extern const struct pc_job_order pc_order_predicted;
extern const struct pc_job_order pc_order_remaining;
extern const struct pc_job_order pc_order_remaining_gpu;
extern const struct pc_job_order pc_order_attained;
extern const struct pc_job_order pc_order_multifactor;

/* Those of plugins: by a key that is asked for at submission, or by how far jobs are. */
extern const struct pc_job_order pc_order_plugin, pc_order_plugin_ranked;

/* The order of a configuration. */
const struct pc_job_order *pc_order_of(const struct policy_config *);

/* Keys that several orders have: time of submission; expected run time, jobs without one last. */
struct pc_key pc_key_by_age(const struct policy *, const struct policy_job_spec *);
struct pc_key pc_key_by_run_time(const struct policy *, const struct policy_job_spec *);

/* Amount x time, or the most there is. Neither is negative. */
static inline int64_t pc_times(int64_t amount, int64_t time)
{
    int64_t product;
    return __builtin_mul_overflow(amount, time, &product) ? INT64_MAX : product;
}

#endif
