/* SPDX-License-Identifier: MIT */
/* The table of kinds.h. */
#include "state/kinds.h"

#include <string.h>

bool pc_kinds_reserve(struct policy *p, uint32_t node)
{
    struct pc_cluster *c = p->cluster;
    uint32_t known = c->kind_capacity;
    if (!c->traits.counts_kinds)
        return true;
    if (!PC_GROW(&p->memory, c->kinds, c->kind_capacity, node + 1))
        return false;
    memset(c->kinds + known, 0, (c->kind_capacity - known) * sizeof *c->kinds);
    return true;
}

void pc_kinds_free(struct policy *p)
{
    struct pc_cluster *c = p->cluster;
    pc_release(&p->memory, c->kinds, c->kind_capacity, sizeof *c->kinds);
    c->kinds = NULL;
    c->kind_capacity = 0;
}
