/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The formula of the header, and its unit of energy. */
#include "sim/power/power.h"

#define MS_PER_HOUR 3600000.0

double power_node_w(const struct node_traits *node, double u)
{
    if (node->peak_w <= 0)
        return 0;
    double busy = u > 1 ? 1 : u > 0 ? u : 0; // not a number counts as 0
    double peak = POWER_PEAK_SHARE * node->peak_w;
    return peak > node->idle_w ? node->idle_w + busy * (peak - node->idle_w) : node->idle_w;
}

double power_kwh(double watts, int64_t ms)
{
    return watts / 1000 * ((double)ms / MS_PER_HOUR);
}
