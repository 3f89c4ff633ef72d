/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The traits of a node of which nothing is known. */
#include "sim/fleet/traits.h"

const struct node_traits traits_unknown = {.nvlink_nodes = 1};
