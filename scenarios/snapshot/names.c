/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collects all names of a snapshot before numbering them. */
#include "scenarios/snapshot/names.h"

#include "sim/base/mem.h"
#include "sim/base/order.h"

#include <stdlib.h>
#include <string.h>

static void use_topology(struct snap_names *names, const struct snap_constraint *constraint)
{
    if (constraint->at.topology > 0)
        names->topologies[constraint->at.topology - 1] = true;
}

static void mark_topologies(struct snap_names *names, const struct snap_job *job)
{
    use_topology(names, &job->topology);
    for (uint32_t i = 0; i < job->group_count; i++)
        use_topology(names, &job->groups[i].topology);
    for (uint32_t i = 0; i < job->role_count; i++)
        use_topology(names, &job->roles[i].topology);
}

/* Tasks of a role rarely differ; one with the same request as the previous one adds no names. */
static bool repeats(const struct snap_job *job, uint32_t task)
{
    if (task == 0)
        return false;
    const struct snap_request *a = &job->tasks[task - 1].request, *b = &job->tasks[task].request;
    return a->term_count == 0 && b->term_count == 0 && a->mig_count == 0 && b->mig_count == 0 &&
           strcmp(a->gpu_types, b->gpu_types) == 0;
}

static void add_type(struct snap_names *names, const char *name, size_t n)
{
    char *copy = mem_text_n(name, n);
    names->texts =
        mem_grow(names->texts, &names->text_capacity, names->text_count + 1, sizeof *names->texts);
    names->texts[names->text_count++] = copy;
    name_set_add(&names->types, copy);
}

static void collect_wishes(struct snap_names *names, const struct snap_job *job)
{
    for (uint32_t t = 0; t < job->task_count; t++) {
        const struct snap_request *request = &job->tasks[t].request;
        if (repeats(job, t))
            continue;
        for (size_t i = 0; i < request->term_count; i++) {
            name_set_add(&names->label_keys, request->terms[i].key);
            for (size_t k = 0; k < request->terms[i].value_count; k++)
                name_set_add(&names->labels, request->terms[i].values[k]);
        }
        for (size_t i = 0; i < request->mig_count; i++)
            name_set_add(&names->profiles, request->mig[i].profile);
        for (const char *type = request->gpu_types; *type;) {
            size_t n = strcspn(type, "|");
            add_type(names, type, n);
            type += n + (type[n] == '|');
        }
    }
}

static void collect_nodes(struct snap_names *names, const struct snapshot *s)
{
    for (size_t i = 0; i < s->node_count; i++) {
        const struct snap_node *node = &s->nodes[i];
        name_set_add(&names->types, node->gpu_type);
        name_set_add(&names->pools, node->pool);
        for (size_t k = 0; k < node->mig_profile_count; k++)
            name_set_add(&names->profiles, node->mig_profiles[k].profile);
        for (size_t k = 0; k < node->label_count; k++) {
            if (name_set_find(&names->label_keys, node->labels[k].key) != NAME_NONE)
                name_set_add(&names->labels, node->labels[k].value);
        }
    }
}

/* Numbers pools by the ranks of their nodes: the order in which a simulation numbers them. */
static void number_pools(struct snap_names *names, const struct snapshot *s)
{
    int64_t *firsts = mem_alloc(names->pools.count + 1, sizeof *firsts);
    names->pool_numbers = mem_alloc(names->pools.count + 1, sizeof *names->pool_numbers);
    for (uint32_t i = 0; i < names->pools.count; i++)
        firsts[i] = INT64_MAX;
    for (size_t i = 0; i < s->node_count; i++) {
        uint32_t place = name_set_find(&names->pools, s->nodes[i].pool);
        int64_t key = (int64_t)s->nodes[i].rank << 32 | place;
        firsts[place] = key < firsts[place] ? key : firsts[place];
    }
    if (names->pools.count > 0)
        qsort(firsts, names->pools.count, sizeof *firsts, order_i64);
    for (uint32_t i = 0; i < names->pools.count; i++)
        names->pool_numbers[firsts[i] & UINT32_MAX] = i;
    free(firsts);
}

uint32_t snap_pool(const struct snap_names *names, const char *name)
{
    return names->pool_numbers[name_set_find(&names->pools, name)];
}

static void collect_users(struct snap_names *names, const struct snapshot *s)
{
    for (size_t i = 0; i < s->job_count; i++)
        if (*s->jobs[i].life.user != '\0')
            name_set_add(&names->users, s->jobs[i].life.user);
    for (size_t i = 0; i < s->history_count; i++)
        if (*s->history[i].user != '\0')
            name_set_add(&names->users, s->history[i].user);
    name_set_seal(&names->users);
}

uint32_t snap_user(const struct snap_names *names, const char *name)
{
    return *name != '\0' ? name_set_find(&names->users, name) + 1 : 0;
}

static bool fits(const struct name_set *set, size_t most, const char *what, struct err *err)
{
    return set->count <= most ||
           err_set(err, EXIT_INPUT, "more than %zu %s ('%.64s' is one too many)", most, what,
                   set->names[most]);
}

bool snap_names_init(struct snap_names *names, const struct snapshot *s, bool all_topologies,
                     struct err *err)
{
    *names = (struct snap_names){.topologies = mem_alloc(s->topology_count + 1, sizeof(bool))};
    for (size_t i = 0; i < s->job_count; i++) {
        mark_topologies(names, &s->jobs[i]);
        collect_wishes(names, &s->jobs[i]);
    }
    for (size_t i = 0; i < s->topology_count; i++) {
        names->topologies[i] |= all_topologies;
        for (uint32_t k = 0; names->topologies[i] && k < s->topologies[i].level_count; k++)
            name_set_add(&names->label_keys, s->topologies[i].levels[k]);
    }
    name_set_seal(&names->label_keys);
    collect_nodes(names, s);
    collect_users(names, s);
    for (size_t i = 0; i < names->label_keys.count; i++)
        name_set_add(&names->labels, names->label_keys.names[i]);
    name_set_seal(&names->labels);
    name_set_seal(&names->types);
    name_set_seal(&names->profiles);
    name_set_seal(&names->pools);
    number_pools(names, s);
    return fits(&names->types, POLICY_MAX_TYPES, "device types", err) &&
           fits(&names->profiles, POLICY_MAX_PROFILES, "MIG profiles", err) &&
           fits(&names->pools, POLICY_MAX_POOLS, "pools", err);
}

void snap_names_fini(struct snap_names *names)
{
    for (size_t i = 0; i < names->text_count; i++)
        free(names->texts[i]);
    free(names->texts);
    name_set_fini(&names->labels);
    name_set_fini(&names->label_keys);
    name_set_fini(&names->types);
    name_set_fini(&names->profiles);
    name_set_fini(&names->pools);
    free(names->pool_numbers);
    name_set_fini(&names->users);
    free(names->topologies);
}

uint64_t snap_types(const struct snap_names *names, const char *listed)
{
    uint64_t set = 0;
    for (const char *type = listed; *type;) {
        size_t n = strcspn(type, "|");
        char *name = mem_text_n(type, n);
        set |= UINT64_C(1) << name_set_find(&names->types, name);
        free(name);
        type += n + (type[n] == '|');
    }
    return set;
}
