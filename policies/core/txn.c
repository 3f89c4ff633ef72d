/* SPDX-License-Identifier: MIT */
/* The undo log of txn.h. */
#include "core/txn.h"
#include "core/nodes.h"

void pc_txn_begin(struct policy *p)
{
    p->undo_count = 0;
}

bool pc_txn_place(struct policy *p, uint32_t node, const struct pc_request *request, uint64_t devices)
{
    if (!PC_GROW(&p->memory, p->undo, p->undo_capacity, p->undo_count + 1))
        return false;
    p->undo[p->undo_count++] = (struct pc_undo){
        .node = node, .request = request, .devices = devices, .version = p->nodes[node].version};
    pc_take(p, node, request, devices);
    return true;
}

bool pc_txn_count(struct policy *p, uint32_t pool, int64_t gpu_milli)
{
    if (!PC_GROW(&p->memory, p->undo, p->undo_capacity, p->undo_count + 1))
        return false;
    pc_count(p, pool, gpu_milli);
    p->undo[p->undo_count++] = (struct pc_undo){.node = PC_NONE, .pool = pool, .milli = gpu_milli};
    return true;
}

void pc_txn_rollback(struct policy *p)
{
    /* Giving back what was only tried frees nothing that anybody could wait for. */
    p->rolling_back = true;
    while (p->undo_count > 0) {
        const struct pc_undo *u = &p->undo[--p->undo_count];
        if (u->node == PC_NONE) {
            pc_count(p, u->pool, -u->milli);
            continue;
        }
        pc_give(p, u->node, u->request, u->devices);
        p->nodes[u->node].version = u->version; /* all is as it was, so scores of then are true again */
    }
    p->rolling_back = false;
}

void pc_txn_commit(struct policy *p)
{
    p->undo_count = 0;
}
