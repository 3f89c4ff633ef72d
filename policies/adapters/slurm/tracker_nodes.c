/* SPDX-License-Identifier: MIT */
/* Nodes: reports Slurm's nodes to the core. Among equally good nodes, the order of names
 * decides. */
#include "policies/adapters/slurm/tracker_internal.h"

#include "policies/adapters/slurm/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The index of a node in the tracker; `likely` is a guess. UINT32_MAX: it is new. */
static uint32_t find(const struct tracker *t, const char *name, size_t likely)
{
    if (likely < t->node_count && strcmp(t->nodes[likely].name, name) == 0)
        return (uint32_t)likely;
    for (uint32_t i = 0; i < t->node_count; i++)
        if (strcmp(t->nodes[i].name, name) == 0)
            return i;
    return UINT32_MAX;
}

/* The partitions of the node, joined to one name. */
static uint32_t pool_of(struct tracker *t, const struct view *view, size_t node)
{
    char *text = memory_text("");
    for (size_t i = 0; i < view->partition_count; i++) {
        if (!view->partitions[i].has[node])
            continue;
        char *longer = memory_format("%s%s,", text, view->partitions[i].name);
        free(text);
        text = longer;
    }
    uint32_t pool = names_number(&t->pools, text);
    free(text);
    return pool;
}

static void add_label(struct track_node *node, uint32_t label)
{
    node->labels = memory_resize(node->labels, (size_t)node->label_count + 1, sizeof *node->labels);
    node->labels[node->label_count++] = label;
}

/* The current properties of the node. */
static struct track_node describe(struct tracker *t, const struct view *view, size_t i)
{
    const struct view_node *from = &view->nodes[i];
    struct track_node node = {.core = {POLICY_NO_ID},
                              .gpus =
                                  from->gpus < POLICY_MAX_DEVICES ? from->gpus : POLICY_MAX_DEVICES,
                              .cpus = from->cpus,
                              .mem_mib = from->mem_mib,
                              .pool = pool_of(t, view, i),
                              .state = VIEW_UP};
    uint32_t type = names_number(&t->world.types, from->gpu_type);
    node.type = type < POLICY_MAX_TYPES ? type : POLICY_MAX_TYPES - 1;
    char feature[128];
    for (const char *rest = from->features;
         names_next(&rest, ",", feature, sizeof feature) != NULL;)
        add_label(&node, request_label(&t->world, "feature", feature));
    for (size_t p = 0; p < view->partition_count; p++)
        if (view->partitions[p].has[i])
            add_label(&node, request_label(&t->world, "partition", view->partitions[p].name));
    return node;
}

static bool same_shape(const struct track_node *a, const struct track_node *b)
{
    return a->gpus == b->gpus && a->cpus == b->cpus && a->mem_mib == b->mem_mib &&
           a->type == b->type && a->pool == b->pool && a->label_count == b->label_count &&
           (a->label_count == 0 ||
            memcmp(a->labels, b->labels, a->label_count * sizeof *a->labels) == 0);
}

static bool tell(struct tracker *t, uint32_t i, char error[CONFIG_ERROR])
{
    struct track_node *node = &t->nodes[i];
    struct policy_label *labels = memory_get(node->label_count, sizeof *labels);
    for (uint32_t k = 0; k < node->label_count; k++)
        labels[k] = (struct policy_label){node->labels[k], 0};
    const struct policy_node_spec spec = {
        .size = sizeof spec,
        .devices = node->gpus,
        .type = node->type,
        .pool = node->pool,
        .rank = i,
        .max_tasks = POLICY_UNLIMITED,
        .cpu_milli = t->world.counts_cpus ? node->cpus * 1000 : POLICY_UNLIMITED,
        .mem_mib = t->world.counts_memory ? node->mem_mib : POLICY_UNLIMITED,
        .labels = labels,
        .label_count = node->label_count,
    };
    node->core = facts_add_node(t->at.facts, t->now, &spec, node->name);
    free(labels);
    node->state = VIEW_UP;
    if (node->core.i != POLICY_NO_ID)
        return true;
    (void)snprintf(error, CONFIG_ERROR, "node %s: %s", node->name,
                   policy_last_error(t->policy)->message);
    return false;
}

static void set_state(struct tracker *t, struct track_node *node, enum view_node_state state)
{
    if (node->state == state)
        return;
    static const char *const words[] = {
        [VIEW_UP] = "up", [VIEW_DRAINING] = "draining", [VIEW_DOWN] = "down"};
    if (t->views > 1)
        track_say(t, "node %s is %s", node->name, words[state]);
    node->state = state;
    if (facts_node_state(t->at.facts, t->now, node->core, (int32_t)state) != POLICY_OK)
        track_say(t, "node %s: %s", node->name, policy_last_error(t->policy)->message);
}

/* The node has changed: it is reported anew once nothing runs there; until then nothing new
 * starts. */
static bool reshape(struct tracker *t, uint32_t i, struct track_node *now, char error[CONFIG_ERROR])
{
    struct track_node *node = &t->nodes[i];
    if (node->tasks > 0 || facts_remove_node(t->at.facts, t->now, node->core) != POLICY_OK) {
        set_state(t, node, VIEW_DRAINING);
        return true;
    }
    track_say(t, "node %s has changed", node->name);
    free(node->labels);
    now->name = node->name;
    *node = *now;
    now->labels = NULL;
    return tell(t, i, error);
}

static bool update(struct tracker *t, const struct view *view, size_t from,
                   char error[CONFIG_ERROR])
{
    struct track_node now = describe(t, view, from);
    uint32_t i = find(t, view->nodes[from].name, from);
    bool ok = true;
    if (i == UINT32_MAX) {
        i = t->node_count++;
        t->nodes = memory_resize(t->nodes, t->node_count, sizeof *t->nodes);
        now.name = memory_text(view->nodes[from].name);
        t->nodes[i] = now;
        now.labels = NULL;
        ok = tell(t, i, error);
    } else if (!same_shape(&t->nodes[i], &now)) {
        ok = reshape(t, i, &now, error);
    }
    t->from_view[from] = i;
    bool new_shape = ok && (now.labels == NULL || same_shape(&t->nodes[i], &now));
    free(now.labels);
    if (new_shape)
        set_state(t, &t->nodes[i], view->nodes[from].state);
    return ok;
}

bool track_nodes(struct tracker *t, const struct view *view, char error[CONFIG_ERROR])
{
    t->world.counts_cpus = view->counts_cpus;
    t->world.counts_memory = view->counts_memory;
    t->from_view = memory_resize(t->from_view, view->node_count + 1, sizeof *t->from_view);
    t->world.most_gpus = 0;
    t->world.most_cpus = 0;
    for (size_t i = 0; i < view->node_count; i++) {
        if (view->nodes[i].gpus > t->world.most_gpus)
            t->world.most_gpus = view->nodes[i].gpus;
        if (view->nodes[i].cpus > t->world.most_cpus)
            t->world.most_cpus = view->nodes[i].cpus;
        if (!update(t, view, i, error))
            return false;
    }
    for (uint32_t i = 0; i < t->node_count; i++)
        if (view_find_node(view, t->nodes[i].name) == UINT32_MAX)
            set_state(t, &t->nodes[i], VIEW_DOWN);
    return true;
}
