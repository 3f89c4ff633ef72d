/* SPDX-License-Identifier: MIT */
/* Decisions written at once; see decisions.h. */
#include "act/decisions.h"

#include "pending/queue_classes.h"
#include "state/jobs.h"
#include "state/nodes.h"
#include "state/tasks.h"

struct policy_decision *pc_decision_about(struct policy *p, uint32_t job, uint32_t task)
{
    const struct pc_cluster *c = p->cluster;
    const struct pc_place *place = &pc_task(c, job, task)->place;
    bool counted = place->counted != 0;
    const struct pc_amounts weight = pc_weigh_at(c, pc_request_of(c, job, task), place->node);
    struct policy_decision *d = &p->decisions[p->decision_count++];
    *d = (struct policy_decision){
        .task = counted ? POLICY_ALL_TASKS : task,
        .job = pc_job_id(c, job),
        .for_job = {POLICY_NO_ID, 0},
        .node = {place->node},
        .pool = counted ? place->counted - 1 : c->nodes[place->node].pool,
        .devices = place->devices,
        .gpu_milli = counted ? c->shapes[c->jobs[job].shape].first.of[PC_GPU] : weight.of[PC_GPU],
    };
    return d;
}

bool pc_evict_now(struct policy *p, uint32_t job, int32_t action, int32_t reason, uint32_t for_job)
{
    struct pc_cluster *c = p->cluster;
    const struct pc_job *j = &c->jobs[job];
    uint32_t before = p->decision_count;
    if (!PC_GROW(&p->memory, p->decisions, p->decision_capacity, before + (uint32_t)j->running)) {
        c->out_of_memory = true;
        return false;
    }
    for (uint32_t i = 0; j->running > 0 && i < c->shapes[j->shape].tasks; i++) {
        struct pc_place place = pc_task(c, job, i)->place;
        if (place.holding != PC_RUNS)
            continue;
        if (place.counted == 0 || p->decision_count == before) {
            struct policy_decision *d = pc_decision_about(p, job, i);
            d->kind = POLICY_EVICT;
            d->action = action;
            d->reason = reason;
            d->for_job = pc_job_id(c, for_job);
        }
        place.holding = PC_RELEASING;
        place.started = 0;
        pc_move(c, job, i, &place);
    }
    pc_job_settle(p, job);
    return true;
}
