/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nodes of a snapshot, and the devices of the tasks that run on them. */
#include "scenarios/snapshot/internal.h"
#include "scenarios/snapshot/mig_names.h"

#include "sim/base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool read_mig(struct snap_reader *reader, const cJSON *from, struct snap_node *node)
{
    const cJSON *profiles = json_member(from, "mig_profiles");
    node->mig_profiles = snap_counts(reader, profiles, &node->mig_profile_count);
    struct mig_total total = {0, 0, 0};
    for (const cJSON *profile = profiles->child; profile; profile = profile->next) {
        struct mig_profile parsed;
        mig_total_add(&total, profile->string, (int64_t)profile->valuedouble);
        if (!mig_parse(profile->string, &parsed))
            return snap_fail(reader, ".mig_profiles",
                             "'%.64s' is not a MIG profile, expected one such as 3g.40gb",
                             profile->string);
    }
    if (node->mig_profile_count > 0 && node->mig != POLICY_MIG_FIXED)
        return snap_fail(reader, ".mig_profiles",
                         "instances are counted only where \"mig\" is \"mixed\", it is \"%s\"",
                         snap_text(from, "mig"));
    // A Kubernetes node offers no whole devices if all of them are partitioned, so 0 may mean any
    // number.
    const char *lacks = node->gpus > 0 ? mig_total_lacks(&total, node->gpus) : NULL;
    return !lacks ||
           snap_fail(reader, ".mig_profiles",
                     "the instances do not fit on the node's GPUs: there are %d, and each has %s",
                     node->gpus, lacks);
}

static void read_labels(struct snap_reader *reader, const cJSON *labels, struct snap_node *node)
{
    node->labels = snap_alloc(reader, snap_size(labels), sizeof *node->labels);
    for (const cJSON *label = labels->child; label; label = label->next)
        node->labels[node->label_count++] = (struct snap_label){label->string, label->valuestring};
}

static bool read_node(struct snap_reader *reader, const cJSON *from, struct snap_node *node)
{
    *node = (struct snap_node){
        .name = snap_text(from, "name"),
        .gpu_type = snap_text(from, "gpu_type"),
        .pool = snap_text(from, "pool"),
        .gpus = (int32_t)snap_integer(from, "gpus", 0),
        .max_tasks = (int32_t)snap_integer(from, "max_tasks", -1),
        .mig = snap_choice(from, "mig", "off|single|mixed|dynamic"),
        .state = snap_choice(from, "state", "up|draining|down|off|ordered"),
        .gpu_mem_mib = snap_integer(from, "gpu_mem_mib", 0),
        .cpu_milli = snap_integer(from, "cpu_milli", -1),
        .mem_mib = snap_integer(from, "mem_mib", -1),
        .unusable = snap_device_set(json_member(from, "unusable_devices")),
        .whole_only = cJSON_IsTrue(json_member(from, "whole_only")),
        .own_rank = snap_integer(from, "rank", INT64_MAX),
    };
    read_labels(reader, json_member(from, "labels"), node);
    if (node->gpus < 64 && node->unusable >> node->gpus != 0)
        return snap_fail(reader, ".unusable_devices", "the node has devices 0 to %d only",
                         node->gpus - 1);
    return read_mig(reader, from, node);
}

static void rank_nodes(struct snapshot *s)
{
    struct snap_ranked *ranked = mem_alloc(s->node_count + 1, sizeof *ranked);
    for (uint32_t place = 0; place < s->node_names.count; place++)
        ranked[place] = (struct snap_ranked){s->nodes[s->node_of_name[place]].own_rank, place,
                                             s->node_of_name[place]};
    snap_rank(ranked, s->node_names.count);
    for (uint32_t rank = 0; rank < s->node_names.count; rank++)
        s->nodes[ranked[rank].index].rank = rank;
    free(ranked);
}

bool snap_read_nodes(struct snap_reader *reader, const cJSON *list)
{
    struct snapshot *s = &reader->s;
    size_t count = snap_size(list);
    s->nodes = snap_alloc(reader, count, sizeof *s->nodes);
    reader->taken = snap_alloc(reader, count, sizeof *reader->taken);
    for (const cJSON *entry = list->child; entry; entry = entry->next) {
        (void)snprintf(reader->at, sizeof reader->at, "nodes[%zu]", s->node_count);
        if (!read_node(reader, entry, &s->nodes[s->node_count++]))
            return false;
    }
    if (count > 0 && !snap_number(reader, &s->node_names, &s->node_of_name, &s->nodes[0].name,
                                  count, sizeof *s->nodes, "node", "name"))
        return false;
    rank_nodes(s);
    return true;
}

/* ---- offers ---- */

bool snap_read_offers(struct snap_reader *reader, const cJSON *list)
{
    struct snapshot *s = &reader->s;
    s->offers = snap_alloc(reader, snap_size(list), sizeof *s->offers);
    for (const cJSON *from = list != NULL ? list->child : NULL; from; from = from->next) {
        const char *pool = snap_text(from, "pool");
        bool known = false;
        (void)snprintf(reader->at, sizeof reader->at, "offers[%zu]", s->offer_count);
        for (size_t i = 0; i < s->node_count && !known; i++)
            known = strcmp(s->nodes[i].pool, pool) == 0;
        if (!known)
            return snap_fail(reader, ".pool", "no node has the pool '%.64s'", pool);
        s->offers[s->offer_count++] =
            (struct snap_offer){pool,
                                {.size = sizeof(struct policy_offer),
                                 .least = (int32_t)snap_integer(from, "min", 0),
                                 .most = (int32_t)snap_integer(from, "max", 0),
                                 .price = snap_scaled(from, "usd_per_hour", 1e6),
                                 .delay_ms = snap_ms(from, "delay", 0),
                                 .idle_ms = snap_ms(from, "idle_down", 0),
                                 .wait_ms = snap_ms(from, "after", 0),
                                 .least_paid_ms = snap_ms(from, "min_billing", 0)}};
    }
    return true;
}

/* ---- devices of tasks that do not name them ---- */

/*
 * Which whole devices a task has rarely matters, so tasks without a list get the lowest unlisted
 * ones.
 */
static bool assign(struct snap_reader *reader, size_t job, struct snap_task *task)
{
    const struct snap_node *node = &reader->s.nodes[task->node];
    uint64_t *taken = &reader->taken[task->node];
    int32_t wanted = task->request.devices;
    for (int32_t device = 0; device < node->gpus && wanted > 0; device++) {
        uint64_t bit = UINT64_C(1) << device;
        if (*taken & bit)
            continue;
        task->devices |= bit;
        *taken |= bit;
        wanted--;
    }
    if (wanted == 0)
        return true;
    (void)snprintf(reader->at, sizeof reader->at, "jobs[%zu].tasks", job);
    return snap_fail(reader, "",
                     "the task '%.64s' wants %d devices, and the node '%.64s' has fewer left",
                     task->id, task->request.devices, node->name);
}

bool snap_assign_devices(struct snap_reader *reader)
{
    struct snapshot *s = &reader->s;
    for (size_t j = 0; j < s->job_count; j++) {
        for (uint32_t t = 0; t < s->jobs[j].task_count; t++) {
            struct snap_task *task = &s->jobs[j].tasks[t];
            bool open = snap_holds(task) && task->devices == 0 && task->request.devices > 0;
            if (open && !assign(reader, j, task))
                return false;
        }
    }
    return true;
}
