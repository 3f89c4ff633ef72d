/* SPDX-License-Identifier: MIT */
/* The table of orders. */
#include "order/order.h"
#include "state/plugins.h"

#define REFER(name) &pc_order_##name,
const struct pc_job_order *const pc_orders[] = {PC_ORDERS(REFER)};
const uint32_t pc_order_count = sizeof pc_orders / sizeof *pc_orders;

const struct pc_job_order *pc_order_of(const struct policy_config *config)
{
    const struct policy_plugin *plugin = config->plugin;
    if (plugin != NULL && (plugin->rank != NULL || plugin->decide != NULL))
        return &pc_order_plugin_ranked;
    if (pc_plugin_rekeys(plugin))
        return &pc_order_plugin_rekeyed;
    return plugin != NULL && plugin->key != NULL ? &pc_order_plugin : pc_orders[config->order];
}

const struct policy_row *policy_order_row(size_t i)
{
    return i < pc_order_count ? &pc_orders[i]->row : NULL;
}
