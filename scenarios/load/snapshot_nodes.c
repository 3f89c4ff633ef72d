/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The fleet of a snapshot: its nodes pool by pool, on the levels of its topology; nodes added to
 * it; and nodes of any fleet that are lost or drained.
 *
 * An added node equals the last one of its pool, including its labels, except for its domains: on
 * every level of the fabric it shares a domain with other added nodes of its pool, up to the size
 * of the pool's largest domain on that level.
 */
#include "scenarios/load/fill.h"
#include "scenarios/snapshot/mig_names.h"
#include "scenarios/snapshot/snapshot.h"

#include "sim/base/mem.h"
#include "sim/base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UNNAMED_POOL "all"

static const char *pool_name(const struct snap_node *node)
{
    return *node->pool ? node->pool : UNNAMED_POOL;
}

/* ---- levels ---- */

/* Returns the topology that jobs refer to; else the first one, or NULL. */
static const struct snap_topology *find_topology(const struct snapshot *s)
{
    for (size_t j = 0; j < s->job_count; j++)
        if (s->jobs[j].topology.at.topology > 0)
            return &s->topologies[s->jobs[j].topology.at.topology - 1];
    return s->topology_count > 0 ? &s->topologies[0] : NULL;
}

/* The lowest level may be the node itself, which always exists. */
static void fill_topology(struct build *build, const struct snap_topology *topology)
{
    struct scenario *scenario = &build->scenario;
    uint32_t count = topology ? topology->level_count : 0;
    if (count > 0 && strcmp(topology->levels[count - 1], "node") == 0)
        count--;
    scenario->levels = count > 0 ? topology->levels : NULL;
    scenario->level_count = count;
}

static const char *label_of(const struct snap_node *node, const char *key)
{
    for (size_t i = 0; i < node->label_count; i++)
        if (strcmp(node->labels[i].key, key) == 0)
            return node->labels[i].value;
    return NULL;
}

/* Returns a separate domain, for a level that is not given. */
static const char *lone_domain(struct build *build, const char *node)
{
    char *text = mem_format("(%s)", node);
    build_keep(build, text);
    return text;
}

/* Domains are nested: domains with the same name in different parents are different. */
static const char *const *domains_of(struct build *build, const struct snap_node *node)
{
    const struct scenario *scenario = &build->scenario;
    const char **domains = build_alloc(build, scenario->level_count, sizeof *domains);
    char *path = mem_text("");
    for (size_t level = 0; level < scenario->level_count; level++) {
        const char *value = label_of(node, scenario->levels[level]);
        char *longer = mem_format("%s%s%s", path, *path ? "/" : "",
                                  value ? value : lone_domain(build, node->name));
        free(path);
        path = longer;
        domains[level] = build_text(build, path);
    }
    free(path);
    return domains;
}

/* ---- nodes ---- */

/*
 * The memory of its devices distinguishes variants of a type. Reuses the traits of the previous
 * node if they are equal.
 */
static const struct node_traits *traits_of(struct build *build, const struct snap_node *from)
{
    const struct scenario *scenario = &build->scenario;
    double gb = (double)from->gpu_mem_mib / 1024;
    const struct node_traits *last = scenario->node_count > 0
                                         ? scenario->nodes[scenario->node_count - 1].node.traits
                                         : &traits_unknown;
    if (from->gpu_mem_mib <= 0)
        return &traits_unknown;
    if (last->gpu_mem_gb >= gb && last->gpu_mem_gb <= gb)
        return last;
    struct node_traits *traits = build_alloc(build, 1, sizeof *traits);
    *traits = traits_unknown;
    traits->gpu_mem_gb = gb;
    return traits;
}

static struct scen_node node_of(struct build *build, const struct snap_node *from)
{
    static const enum scen_mig migs[] = {[POLICY_MIG_OFF] = SCEN_MIG_OFF,
                                         [POLICY_MIG_SINGLE] = SCEN_MIG_SINGLE,
                                         [POLICY_MIG_FIXED] = SCEN_MIG_MIXED,
                                         [POLICY_MIG_FREE] = SCEN_MIG_DYNAMIC};
    struct scen_instances *instances =
        build_alloc(build, from->mig_profile_count, sizeof *instances);
    for (size_t i = 0; i < from->mig_profile_count; i++)
        instances[i] =
            (struct scen_instances){from->mig_profiles[i].profile, from->mig_profiles[i].count};
    return (struct scen_node){.name = "",
                              .summary = "",
                              .gpus = from->gpus,
                              .gpu_type = *from->gpu_type ? from->gpu_type : "any",
                              .gpu_mem_mib = from->gpu_mem_mib,
                              .cpu_milli = from->cpu_milli,
                              .mem_mib = from->mem_mib,
                              .max_tasks = from->max_tasks,
                              .mig = migs[from->mig],
                              .instances = instances,
                              .instance_count = from->mig_profile_count,
                              .traits = traits_of(build, from)};
}

static void add_nodes_of(struct build *build, const struct snapshot *s, const char *pool)
{
    struct scenario *scenario = &build->scenario;
    for (size_t i = 0; i < s->node_count; i++) {
        const struct snap_node *node = &s->nodes[i];
        if (strcmp(pool_name(node), pool) != 0)
            continue;
        const struct scen_node kind = node_of(build, node); /* compares with the previous nodes */
        scenario->nodes[scenario->node_count++] =
            (struct scen_listed_node){.name = node->name,
                                      .node = kind,
                                      .pool = pool,
                                      .domains = domains_of(build, node),
                                      .own = node,
                                      .rank = node->rank,
                                      .whole_only = node->whole_only};
    }
}

/* ---- added nodes ---- */

/* Returns the largest number of nodes, counted from `first` on, in one domain of the level. */
static size_t largest_domain(const struct scenario *scenario, size_t first, size_t level)
{
    struct symbols *names = symbols_create();
    size_t *counts = mem_alloc(scenario->node_count - first + 1, sizeof *counts);
    size_t most = 1;
    for (size_t i = first; i < scenario->node_count; i++) {
        const char *domain = scenario->nodes[i].domains[level];
        size_t here = ++counts[symbols_add(names, domain, strlen(domain))];
        most = here > most ? here : most;
    }
    symbols_destroy(names);
    free(counts);
    return most;
}

static const char *const *added_domains(struct build *build, const char *pool, size_t index,
                                        const size_t *sizes)
{
    const struct scenario *scenario = &build->scenario;
    const char **domains = build_alloc(build, scenario->level_count, sizeof *domains);
    for (size_t level = 0; level < scenario->level_count; level++) {
        char *text =
            mem_format("%s-added-%s-%zu", pool, scenario->levels[level], index / sizes[level]);
        build_keep(build, text);
        domains[level] = text;
    }
    return domains;
}

static bool name_is_taken(const struct snapshot *s, const char *name)
{
    return name_set_find(&s->node_names, name) != NAME_NONE;
}

static bool add_more(struct build *build, const struct snapshot *s, const char *pool, size_t first,
                     size_t count)
{
    struct scenario *scenario = &build->scenario;
    size_t *sizes = mem_alloc(scenario->level_count + 1, sizeof *sizes);
    for (size_t level = scenario->level_count; level-- > 0;) {
        size_t below = level + 1 < scenario->level_count ? sizes[level + 1] : 1;
        size_t own = count > 0 ? largest_domain(scenario, first, level) : 1;
        sizes[level] = (own + below - 1) / below * below; /* whole domains of the level below */
    }
    struct scen_listed_node like = scenario->nodes[scenario->node_count - 1];
    bool ok = true;
    for (size_t i = 0; i < count && ok; i++) {
        char *name = mem_format("%s-added-%zu", pool, i);
        build_keep(build, name);
        like.name = name;
        like.added = true;
        like.rank =
            (int64_t)(s->node_count + scenario->node_count); /* after all others, in their order */
        like.domains = added_domains(build, pool, i, sizes);
        ok =
            !name_is_taken(s, name) ||
            build_fail(build, "fleet.add", "there is a node '%.64s' in the snapshot already", name);
        scenario->nodes[scenario->node_count++] = like;
    }
    free(sizes);
    return ok;
}

static size_t count_added(const cJSON *add)
{
    double sum = 0;
    for (const cJSON *entry = add ? add->child : NULL; entry; entry = entry->next)
        sum += entry->valuedouble;
    return sum < 4194304 ? (size_t)sum : 4194304;
}

static bool check_pools(struct build *build, const cJSON *add)
{
    for (const cJSON *entry = add ? add->child : NULL; entry; entry = entry->next) {
        if (symbols_find(build->pools, entry->string, strlen(entry->string)) != SYMBOL_NONE)
            continue;
        uint32_t count = symbols_count(build->pools);
        const char **names = mem_alloc(count, sizeof *names);
        char path[160], hint[128];
        for (uint32_t i = 0; i < count; i++)
            names[i] = symbols_name(build->pools, i);
        (void)snprintf(path, sizeof path, "fleet.add.%.64s", entry->string);
        build_fail(build, path, "unknown pool '%.64s'%s", entry->string,
                   text_suggest(hint, sizeof hint, entry->string, names, count, sizeof *names));
        free(names);
        return false;
    }
    return true;
}

bool fill_snapshot_nodes(struct build *build, const char *name, const cJSON *add)
{
    /* the layer's name of that file is relative to the same folder as start.snapshot */
    const char *start = fill_text(json_member(build->tree, "start"), "snapshot");
    const char *path = start && strcmp(start, name) == 0 ? "start.snapshot" : "fleet.nodes_file";
    const struct snapshot *s = build_snapshot(build, path, name);
    if (!s)
        return false;
    if (s->node_count == 0)
        return build_fail(build, path, "the snapshot has no nodes");
    if (s != build->scenario.start.snapshot)
        snapshot_digest(s, &build->digest);
    fill_topology(build, find_topology(s));
    for (size_t i = 0; i < s->node_count; i++)
        symbols_add(build->pools, pool_name(&s->nodes[i]), strlen(pool_name(&s->nodes[i])));
    if (!check_pools(build, add))
        return false;
    struct scenario *scenario = &build->scenario;
    scenario->nodes = build_alloc(build, s->node_count + count_added(add), sizeof *scenario->nodes);
    bool ok = true;
    for (uint32_t i = 0; i < symbols_count(build->pools) && ok; i++) {
        const char *pool = symbols_name(build->pools, i);
        const cJSON *more = add ? json_member(add, pool) : NULL;
        size_t first = scenario->node_count;
        add_nodes_of(build, s, pool);
        ok = add_more(build, s, pool, first, more ? (size_t)more->valuedouble : 0);
    }
    return ok;
}

/* ---- lost and drained nodes ---- */

static void fill_patterns(struct build *build, const char *key, bool away)
{
    struct scenario *scenario = &build->scenario;
    const cJSON *list = json_member(json_member(build->tree, "fleet"), key);
    for (const cJSON *entry = list ? list->child : NULL; entry; entry = entry->next)
        scenario->set_aside[scenario->set_aside_count++] =
            (struct scen_pattern){entry->valuestring, away};
}

bool fill_set_aside(struct build *build)
{
    const cJSON *fleet = json_member(build->tree, "fleet");
    int count = cJSON_GetArraySize(json_member(fleet, "drain")) +
                cJSON_GetArraySize(json_member(fleet, "lose"));
    build->scenario.set_aside = build_alloc(build, (size_t)count, sizeof(struct scen_pattern));
    fill_patterns(build, "drain", false);
    fill_patterns(build, "lose", true);
    return true;
}
