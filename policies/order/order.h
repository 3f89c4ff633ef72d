/* SPDX-License-Identifier: MIT */
/*
 * The built-in job orders: which job is next. A new order is one file here with its row,
 * `pc_order_NAME`, and one line at the end of the table: see docs/extending.md.
 */
#ifndef POLICY_ORDER_ORDER_H
#define POLICY_ORDER_ORDER_H

#include "state/engine.h"

/* policy_config.order is an index into this table. */
#define PC_ORDERS(ROW)                                                                             \
    ROW(fifo)                                                                                      \
    ROW(sjf)                                                                                       \
    ROW(predicted)                                                                                 \
    ROW(remaining)                                                                                 \
    ROW(remaining_gpu)                                                                             \
    ROW(attained)                                                                                  \
    ROW(multifactor)                                                                               \
    ROW(priority)                                                                                  \
    ROW(edf)                                                                                       \
    ROW(edf_preemptive)

#define PC_DECLARE_ORDER(name) extern const struct pc_job_order pc_order_##name;
PC_ORDERS(PC_DECLARE_ORDER)
#undef PC_DECLARE_ORDER

/* Orders of plugins: by a key computed at submission, or anew before each decision, or by the
 * progress of jobs, with evictions. */
extern const struct pc_job_order pc_order_plugin, pc_order_plugin_rekeyed, pc_order_plugin_ranked;

/* Returns the order of a configuration. */
const struct pc_job_order *pc_order_of(const struct policy_config *);

/* Keys that several orders share: submission time; expected run time, with unknown times last. */
struct pc_key pc_key_by_age(const struct policy *, const struct policy_job_spec *);
struct pc_key pc_key_by_run_time(const struct policy *, const struct policy_job_spec *);

/* Returns amount x time, saturated at the maximum. Neither may be negative. */
static inline int64_t pc_times(int64_t amount, int64_t time)
{
    int64_t product;
    return __builtin_mul_overflow(amount, time, &product) ? INT64_MAX : product;
}

#endif
