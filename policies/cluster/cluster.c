/* SPDX-License-Identifier: MIT */
/* The life of the cluster behind a quota policy. */
#include "cluster/cluster.h"

#include "cluster/chunk.h"
#include "cluster/classes.h"
#include "cluster/nodes.h"
#include "cluster/queues.h"
#include "cluster/shapes.h"
#include "cluster/tasks.h"
#include "order/fair_share.h"
#include "order/line.h"
#include "pending/pending.h"
#include "place/place.h"
#include "place/topology.h"
#include "state/kinds.h"

#include <string.h>

bool pq_create(struct policy *p)
{
    struct cluster *c = pc_alloc(&p->memory, 1, sizeof *c);
    if (c == NULL)
        return false;
    memset(c, 0, sizeof *c);
    c->traits = pc_traits_of(&p->config);
    c->shape_free = c->job_free = c->class_free = PC_NONE;
    c->partial_job = c->reservation.job = PC_NONE;
    c->flat = p->config.quota.actions != 0 && !p->config.quota.full_hierarchy;
    c->next_time = INT64_MAX;
    c->freed = 1;
    if (p->config.quota.usage_window != POLICY_USAGE_GIVEN)
        pc_usage_window_init(&c->window, p->config.quota.usage_window, p->config.quota.usage_window_ms,
                             p->config.quota.usage_half_life_ms);
    p->cluster = c;
    c->placement = pq_placement_of(&p->config);
    c->changes.kept = c->traits.logs_changes;
    return p->config.quota.actions != 0 || pq_pending_create(p);
}

static void free_jobs(struct policy *p, struct cluster *c)
{
    for (uint32_t i = 0; i < c->job_count; i++)
        pq_detail_free(c, &c->jobs[i]);
    for (uint32_t i = 0; i < c->shape_count; i++)
        pq_shape_free(p, &c->shapes[i]);
    for (uint32_t i = 0; i < c->class_count; i++)
        pq_class_free(p, &c->classes[i]);
    pc_release(&p->memory, c->jobs, c->job_capacity, sizeof *c->jobs);
    pc_release(&p->memory, c->shapes, c->shape_capacity, sizeof *c->shapes);
    pc_release(&p->memory, c->shape_hash, c->shape_hash_capacity, sizeof *c->shape_hash);
    pc_release(&p->memory, c->classes, c->class_capacity, sizeof *c->classes);
    pc_release(&p->memory, c->held.ids, c->held.capacity, sizeof *c->held.ids);
    pc_release(&p->memory, c->stale, c->stale_capacity, sizeof *c->stale);
}

static void free_nodes(struct policy *p, struct cluster *c)
{
    for (uint32_t i = 0; i < c->node_count; i++) {
        pq_devices_free(c, &c->nodes[i]);
        pc_release(&p->memory, c->nodes[i].labels, c->nodes[i].label_count, sizeof *c->nodes[i].labels);
    }
    for (uint32_t i = 0; i < c->selector_count; i++)
        pq_selector_free(p, &c->selectors[i]);
    pq_pool_sets_free(p);
    for (uint32_t i = 0; i <= POLICY_MAX_DEVICES; i++) {
        pc_bits_free(&c->by_soon[i], &p->memory);
        pc_bits_free(&c->roomy[i], &p->memory);
    }
    pc_bits_free(&c->up, &p->memory);
    pc_bits_free(&c->with_shared, &p->memory);
    pc_bits_free(&c->changed_nodes, &p->memory);
    pc_release(&p->memory, c->nodes, c->node_capacity, sizeof *c->nodes);
    pc_release(&p->memory, c->selectors, c->selector_capacity, sizeof *c->selectors);
}

static void free_queues(struct policy *p, struct cluster *c)
{
    for (uint32_t i = 0; i < c->queue_count; i++)
        pq_queue_free(p, &c->queues[i]);
    pc_release(&p->memory, c->queues, c->queue_capacity, sizeof *c->queues);
    pc_release(&p->memory, c->roots, c->root_capacity, sizeof *c->roots);
    pc_release(&p->memory, c->usages, c->usage_capacity, sizeof *c->usages);
}

static void free_scratch(struct policy *p, struct cluster *c)
{
    struct pq_tasks *const lists[] = {&c->asked, &c->placing, &c->taking, &c->solving};
    struct pq_victims *const victims[] = {&c->popped, &c->recorded, &c->evicted};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        pq_tasks_free(p, lists[i]);
    for (size_t i = 0; i < sizeof c->nested / sizeof *c->nested; i++)
        pq_tasks_free(p, &c->nested[i]);
    for (size_t i = 0; i < sizeof victims / sizeof *victims; i++)
        pc_release(&p->memory, victims[i]->of, victims[i]->capacity, sizeof *victims[i]->of);
    pc_release(&p->memory, c->reservation.of, c->reservation.capacity, sizeof *c->reservation.of);
    pc_release(&p->memory, c->gathered, c->gathered_capacity, sizeof *c->gathered);
    pc_release(&p->memory, c->pods.of, c->pods.capacity, sizeof *c->pods.of);
    pq_line_free(p, &c->pending_line);
    pq_line_free(p, &c->victim_line);
    pq_line_free(p, &c->trial_line);
    pc_release(&p->memory, c->undo, c->undo_capacity, sizeof *c->undo);
    pc_release(&p->memory, c->kept.of, c->kept.capacity, sizeof *c->kept.of);
    pc_release(&p->memory, c->displaced.of, c->displaced.capacity, sizeof *c->displaced.of);
    pc_release(&p->memory, c->noted, c->noted_capacity, sizeof *c->noted);
    pc_release(&p->memory, c->claims, c->claim_capacity, sizeof *c->claims);
    pc_release(&p->memory, c->claim_order, c->claim_order_capacity, sizeof *c->claim_order);
    pc_release(&p->memory, c->walk, c->walk_capacity, sizeof *c->walk);
}

void pq_destroy(struct policy *p)
{
    struct cluster *c = p->cluster;
    if (c == NULL)
        return;
    pq_pending_destroy(p);
    free_jobs(p, c);
    free_queues(p, c);
    pq_topologies_free(p);
    pq_kinds_free(p);
    pc_changes_free(&c->changes, &p->memory);
    free_nodes(p, c);
    free_scratch(p, c);
    pc_blocks_free(&c->blocks, &p->memory);
    pc_release(&p->memory, c, 1, sizeof *c);
    p->cluster = NULL;
}
