/* SPDX-License-Identifier: MIT */
/* The table of shapes, by hash; see shapes.h. */
#include "state/shapes.h"

#include "state/nodes.h"
#include "state/specs.h"

#include <string.h>

/* ---- one role ---- */

static int check_mig(struct policy *p, const struct policy_request *r, struct pc_request *out)
{
    int32_t instances = 0;
    for (uint32_t i = 0; r->mig != NULL && i < POLICY_MAX_PROFILES; i++) {
        if (r->mig[i] < 0 || r->mig[i] > UINT8_MAX)
            return pc_refuse(p, POLICY_INVALID, "MIG instances of a task", r->mig[i], "0 to 255");
        if (r->mig[i] > 0 && p->cluster->slices[i] == 0)
            return pc_refuse(p, POLICY_UNKNOWN, "MIG profile", i, "not told of");
        out->mig[i] = (uint8_t)r->mig[i];
        out->mig_milli += r->mig[i] * p->cluster->slices[i] * POLICY_WHOLE;
        instances += r->mig[i];
    }
    out->wants_mig = instances > 0;
    if (instances > 0 && r->devices > 0)
        return pc_refuse(p, POLICY_INVALID, "devices beside MIG instances", r->devices, "0");
    return POLICY_OK;
}

static int normalise(struct policy *p, const struct policy_request *r, struct pc_request *out)
{
    int status = pc_check_request(p, r);
    if (status != POLICY_OK)
        return status;
    if (r->device_mem_mib < 0 || r->device_mem_mib > INT32_MAX)
        return pc_refuse(p, POLICY_INVALID, "device memory of a task", r->device_mem_mib,
                         "at least 0");
    if (r->device_mem_mib > 0 && r->device_milli > 0)
        return pc_refuse(p, POLICY_INVALID, "share of a device beside its memory", r->device_milli,
                         "0");
    out->devices = r->devices;
    out->share = r->devices == 0 || r->device_milli == POLICY_WHOLE ? 0 : r->device_milli;
    out->memory = r->devices == 0 ? 0 : r->device_mem_mib;
    out->cpu = r->cpu_milli;
    out->mem = r->mem_mib;
    bool any_node = p->cluster->pending == NULL && !p->config.quota.node_predicates;
    out->types = r->types == 0 || any_node ? ~UINT64_C(0) : r->types;
    status = check_mig(p, r, out);
    if (status != POLICY_OK)
        return status;
    out->selector = any_node ? PC_NONE : pc_selector_find(p, r->terms, r->term_count);
    if (out->selector == PC_NONE && r->term_count > 0 && !any_node)
        return pc_refuse(p, POLICY_NO_MEMORY, "terms of a task", r->term_count,
                         "no memory for them");
    return POLICY_OK;
}

static int check_constraint(struct policy *p, const struct policy_constraint *c)
{
    if (c->topology < -1 || c->topology > POLICY_MAX_TOPOLOGIES || c->required < -1 ||
        c->preferred < -1 || c->required > POLICY_MAX_LEVELS || c->preferred > POLICY_MAX_LEVELS)
        return pc_refuse(p, POLICY_INVALID, "topology of a job", c->topology,
                         "-1 to 16, its levels too");
    return POLICY_OK;
}

/* ---- a complete spec ---- */

static int add_set(struct policy *p, struct pc_shape *s, const struct policy_role *role)
{
    if (role->group < 0 || (uint32_t)role->group > s->group_count)
        return pc_refuse(p, POLICY_INVALID, "group of a role", role->group, "0, or 1 + an index");
    if (role->min_tasks < 0)
        return pc_refuse(p, POLICY_INVALID, "minimum of a role", role->min_tasks, "at least 0");
    s->sets[s->set_count++] = (struct pc_set){
        .first_task = s->tasks,
        .min_tasks = role->min_tasks > 1 ? role->min_tasks : 1,
        .group = role->group,
        .topology = role->topology,
    };
    return check_constraint(p, &role->topology);
}

/* The most that a task may weigh: for memory, a share of the smallest possible device, of 100
 * MiB. */
static struct pc_amounts most_of(const struct pc_request *r)
{
    int64_t device = r->memory > 0 ? (r->memory + 1) * 10 : POLICY_WHOLE;
    return (struct pc_amounts){{r->wants_mig ? r->mig_milli : r->devices * device, r->cpu, r->mem}};
}

/* Sums the maximum requests of all tasks; refuses totals above PC_MOST. */
static int add_totals(struct policy *p, struct pc_shape *s)
{
    for (uint32_t i = 0; i < s->role_count; i++) {
        const struct pc_role *role = &s->roles[i];
        struct pc_amounts each = most_of(&role->request);
        for (int r = 0; r < PC_RESOURCES; r++)
            if (each.of[r] > (PC_MOST - s->total.of[r]) / role->tasks)
                return pc_refuse(
                    p, POLICY_INVALID, "tasks of a role", role->tasks,
                    "their devices, CPU or memory add up to more than 2^51 (thousandths, MiB)");
        pc_add(&s->total, &each, role->tasks);
    }
    return POLICY_OK;
}

/* A pod set's task count is only known after all its roles. */
static int check_minimums(struct policy *p, const struct pc_shape *s)
{
    for (uint32_t i = 0; i < s->set_count; i++)
        if ((uint32_t)s->sets[i].min_tasks > s->sets[i].tasks)
            return pc_refuse(p, POLICY_INVALID, "minimum of a role", s->sets[i].min_tasks,
                             "at most the tasks of its pod set");
    return POLICY_OK;
}

static int fill_roles(struct policy *p, const struct policy_job_spec *spec, struct pc_shape *s)
{
    for (uint32_t i = 0; i < spec->role_count; i++) {
        struct policy_role room;
        const struct policy_role *from = pc_check_role_of_spec(p, spec, i, &room);
        if (from == NULL)
            return POLICY_INVALID;
        if (from->tasks < 1 || (int64_t)s->tasks + from->tasks > INT32_MAX / 2)
            return pc_refuse(p, POLICY_INVALID, "tasks of a role", from->tasks,
                             "1 to 1073741823 in a job");
        int status = i == 0 || !from->joined ? add_set(p, s, from) : POLICY_OK;
        if (status != POLICY_OK)
            return status;
        struct pc_role *role = &s->roles[s->role_count++];
        role->first_task = s->tasks;
        role->tasks = (uint32_t)from->tasks;
        role->set = s->set_count - 1;
        status = normalise(p, &from->request, &role->request);
        if (status != POLICY_OK)
            return status;
        s->sets[role->set].tasks += role->tasks;
        s->tasks += role->tasks;
    }
    return check_minimums(p, s);
}

static int fill_groups(struct policy *p, const struct policy_job_spec *spec, struct pc_shape *s)
{
    for (uint32_t i = 0; i < spec->group_count; i++) {
        s->groups[i] = spec->groups[i];
        if (s->groups[i].parent < 0 || (uint32_t)s->groups[i].parent > i)
            return pc_refuse(p, POLICY_INVALID, "parent of a group", s->groups[i].parent,
                             "smaller than its own number");
        int status = check_constraint(p, &s->groups[i].topology);
        if (status != POLICY_OK)
            return status;
        int32_t depth = 1;
        for (int32_t g = s->groups[i].parent; g != 0; g = s->groups[g - 1].parent)
            depth++;
        if (depth > PC_MAX_DEPTH - 2)
            return pc_refuse(p, POLICY_INVALID, "groups inside each other", depth, "at most 8");
    }
    s->group_count = spec->group_count;
    s->topology = spec->topology;
    return check_constraint(p, &spec->topology);
}

/* Removes topology constraints, and groups, which then have no effect. */
static void drop_constraints(struct pc_shape *s)
{
    const struct policy_constraint none = {0};
    s->group_count = 0;
    s->topology = none;
    for (uint32_t i = 0; i < s->set_count; i++) {
        s->sets[i].group = 0;
        s->sets[i].topology = none;
    }
}

/*
 * In task-by-task scheduling nothing ties the tasks of a job together. If devices are only counted,
 * a job is a number of devices: all of its tasks or none.
 */
static void fit_preset(const struct policy *p, struct pc_shape *s)
{
    bool counts = p->cluster->traits.counts_only;
    if (!p->config.pods.on && !counts)
        return;
    drop_constraints(s);
    for (uint32_t i = 0; !counts && i < s->set_count; i++)
        s->sets[i].min_tasks = 0;
}

static bool constrains(const struct policy_constraint *c)
{
    return c->topology != 0;
}

/* Derives totals and flags from the roles. */
static void sum_up(const struct pc_cluster *c, struct pc_shape *s)
{
    s->constrained = constrains(&s->topology) || s->group_count > 0; /* groups also set the order */
    for (uint32_t i = 0; i < s->group_count; i++)
        s->constrained |= constrains(&s->groups[i].topology);
    s->need = INT32_MAX;
    for (uint32_t i = 0; i < s->set_count; i++)
        s->elastic |= (uint32_t)s->sets[i].min_tasks < s->sets[i].tasks;
    for (uint32_t i = 0; i < s->role_count; i++) {
        const struct pc_role *role = &s->roles[i];
        const struct pc_set *set = &s->sets[role->set];
        const struct pc_request *r = &role->request;
        s->constrained |= constrains(&set->topology);
        s->mixed |= memcmp(r, &s->roles[0].request, sizeof *r) != 0;
        s->bare |= r->devices == 0 && !r->wants_mig;
        s->shares |= pc_wants_share(r);
        s->parts |= pc_shares_devices(r);
        s->wants_memory |= r->memory > 0;
        int32_t whole = pc_wants_share(r) ? 0 : r->devices;
        s->need = whole < s->need ? whole : s->need;
        int64_t of_minimum = set->min_tasks > 0
                                 ? set->min_tasks - (int64_t)(role->first_task - set->first_task)
                                 : role->tasks;
        if (of_minimum > role->tasks)
            of_minimum = role->tasks;
        struct pc_amounts weight = pc_weigh_pending(c, r);
        if (of_minimum > 0)
            pc_add(&s->first, &weight, of_minimum);
    }
    s->alike = s->role_count == 1 && !s->elastic && !s->constrained && !s->parts;
}

/* Allocates all arrays in one block: roles, groups, pod sets (at most as many as roles). */
static bool allocate(struct policy *p, const struct policy_job_spec *spec, struct pc_shape *s)
{
    size_t roles = spec->role_count * sizeof *s->roles;
    size_t groups = spec->group_count * sizeof *s->groups;
    size_t sets = spec->role_count * sizeof *s->sets;
    char *block =
        pc_block_take(&p->cluster->blocks, &p->memory, roles + groups + sets, &s->size_class);
    if (block == NULL)
        return false;
    memset(block, 0, roles + groups + sets);
    s->roles = (struct pc_role *)(void *)block;
    s->groups = (struct policy_group *)(void *)(block + roles);
    s->sets = (struct pc_set *)(void *)(block + roles + groups);
    return true;
}

void pc_shape_free(struct policy *p, struct pc_shape *s)
{
    if (s->roles != NULL)
        pc_block_give(&p->cluster->blocks, s->roles, s->size_class);
    memset(s, 0, sizeof *s);
}

/* ---- the table ---- */

static uint64_t mix_word(uint64_t h, uint64_t word)
{
    h = (h << 23 | h >> 41) ^ word;
    return h * UINT64_C(0x9e3779b97f4a7c15);
}

/* All arrays hashed here consist of words of at least 32 bits. */
static uint64_t mix(uint64_t h, const void *data, size_t size)
{
    const char *bytes = data;
    uint64_t word = 0;
    for (; size >= sizeof word; bytes += sizeof word, size -= sizeof word) {
        memcpy(&word, bytes, sizeof word);
        h = mix_word(h, word);
    }
    uint32_t half = 0;
    if (size >= sizeof half)
        memcpy(&half, bytes, sizeof half);
    return mix_word(h, half);
}

static uint64_t hash_of(const struct pc_shape *s)
{
    uint64_t h = mix(UINT64_C(0xcbf29ce484222325), s->roles, s->role_count * sizeof *s->roles);
    h = mix(h, s->sets, s->set_count * sizeof *s->sets);
    if (s->group_count > 0)
        h = mix(h, s->groups, s->group_count * sizeof *s->groups);
    h = mix(h, &s->topology, sizeof s->topology);
    return h ^ h >> 32;
}

static bool same(const struct pc_shape *a, const struct pc_shape *b)
{
    return a->hash == b->hash && a->role_count == b->role_count && a->set_count == b->set_count &&
           a->group_count == b->group_count &&
           memcmp(&a->topology, &b->topology, sizeof a->topology) == 0 &&
           memcmp(a->roles, b->roles, a->role_count * sizeof *a->roles) == 0 &&
           memcmp(a->sets, b->sets, a->set_count * sizeof *a->sets) == 0 &&
           (a->group_count == 0 ||
            memcmp(a->groups, b->groups, a->group_count * sizeof *a->groups) == 0);
}

static bool grow_hash(struct policy *p)
{
    struct pc_cluster *c = p->cluster;
    uint32_t capacity = c->shape_hash_capacity > 0 ? c->shape_hash_capacity * 2 : 64;
    uint32_t *hash = pc_alloc(&p->memory, capacity, sizeof *hash);
    if (hash == NULL)
        return false;
    memset(hash, 0xff, capacity * sizeof *hash);
    for (uint32_t id = 0; id < c->shape_count; id++) {
        if (c->shapes[id].users == 0)
            continue;
        uint32_t *head = &hash[c->shapes[id].hash & (capacity - 1)];
        c->shapes[id].next_in_hash = *head;
        *head = id;
    }
    pc_release(&p->memory, c->shape_hash, c->shape_hash_capacity, sizeof *hash);
    c->shape_hash = hash;
    c->shape_hash_capacity = capacity;
    return true;
}

static uint32_t keep(struct policy *p, const struct pc_shape *s)
{
    struct pc_cluster *c = p->cluster;
    if (c->shapes_live * 2 >= c->shape_hash_capacity && !grow_hash(p))
        return PC_NONE;
    uint32_t id = c->shape_free;
    if (id != PC_NONE)
        c->shape_free = c->shapes[id].next_in_hash;
    else if (PC_GROW(&p->memory, c->shapes, c->shape_capacity, c->shape_count + 1))
        id = c->shape_count++;
    else
        return PC_NONE;
    c->shapes[id] = *s;
    c->shapes[id].users = 1;
    uint32_t *head = &c->shape_hash[s->hash & (c->shape_hash_capacity - 1)];
    c->shapes[id].next_in_hash = *head;
    *head = id;
    c->shapes_live++;
    return id;
}

static uint32_t find(const struct pc_cluster *c, const struct pc_shape *s)
{
    uint32_t id = c->shape_hash_capacity > 0 ? c->shape_hash[s->hash & (c->shape_hash_capacity - 1)]
                                             : PC_NONE;
    while (id != PC_NONE && !same(&c->shapes[id], s))
        id = c->shapes[id].next_in_hash;
    return id;
}

/* Adds the shape, with all derived values, to the table; PC_NONE with the error set on failure. */
static uint32_t add(struct policy *p, struct pc_shape *s)
{
    if (add_totals(p, s) != POLICY_OK)
        return PC_NONE;
    sum_up(p->cluster, s);
    uint32_t id = keep(p, s);
    if (id == PC_NONE)
        pc_refuse(p, POLICY_NO_MEMORY, "roles of a job", s->role_count, "no memory for them");
    return id;
}

/* ---- recent specs ---- */

/*
 * Most jobs have one role without terms and instances, equal to that of a recent job. Then they
 * have the same shape, and normalization can be skipped.
 */
static struct pc_shape_memo *memo_of(struct policy *p, const struct policy_job_spec *spec,
                                     const struct policy_role *role)
{
    const struct policy_request *r = &role->request;
    if (spec->role_count != 1 || spec->group_count > 0 || r->mig != NULL || r->term_count > 0)
        return NULL;
    uint64_t h = mix_word((uint64_t)r->devices, (uint64_t)role->tasks);
    h = mix_word(mix_word(h, (uint64_t)r->device_milli), (uint64_t)(r->cpu_milli ^ r->mem_mib));
    return &p->cluster->shape_memos[h >> 32 & (PC_SHAPE_MEMOS - 1)];
}

/* Both without terms and instances. Member by member: padding may have any value. */
static bool ask_the_same(const struct policy_request *a, const struct policy_request *b)
{
    return a->devices == b->devices && a->device_milli == b->device_milli &&
           a->cpu_milli == b->cpu_milli && a->mem_mib == b->mem_mib && a->types == b->types &&
           a->device_mem_mib == b->device_mem_mib;
}

static bool is_about(const struct pc_shape_memo *m, const struct policy_job_spec *spec,
                     const struct policy_role *role)
{
    const struct policy_role *r = &m->role;
    return m->shape != 0 && r->tasks == role->tasks && r->min_tasks == role->min_tasks &&
           r->joined == role->joined && r->group == role->group &&
           ask_the_same(&r->request, &role->request) &&
           memcmp(&r->topology, &role->topology, sizeof r->topology) == 0 &&
           memcmp(&m->topology, &spec->topology, sizeof m->topology) == 0;
}

static void forget_memo(struct pc_cluster *c, uint32_t shape)
{
    if (c->shapes[shape].memo != 0)
        c->shape_memos[c->shapes[shape].memo - 1].shape = 0;
    c->shapes[shape].memo = 0;
}

/* Keeps one spec per shape, and one shape per slot. */
static void remember(struct pc_cluster *c, struct pc_shape_memo *m,
                     const struct policy_job_spec *spec, const struct policy_role *role,
                     uint32_t shape)
{
    if (m->shape != 0)
        forget_memo(c, m->shape - 1);
    forget_memo(c, shape);
    m->role = *role;
    m->topology = spec->topology;
    m->shape = shape + 1;
    c->shapes[shape].memo = (uint8_t)(1 + (m - c->shape_memos));
}

/* Normalizes the spec and finds its shape. */
static uint32_t find_anew(struct policy *p, const struct policy_job_spec *spec)
{
    struct pc_cluster *c = p->cluster;
    struct pc_shape s;
    memset(&s, 0, sizeof s);
    if (!allocate(p, spec, &s)) {
        pc_refuse(p, POLICY_NO_MEMORY, "roles of a job", spec->role_count, "no memory for them");
        return PC_NONE;
    }
    if (fill_groups(p, spec, &s) != POLICY_OK || fill_roles(p, spec, &s) != POLICY_OK) {
        pc_shape_free(p, &s);
        return PC_NONE;
    }
    fit_preset(p, &s);
    s.hash = hash_of(&s);
    uint32_t id = find(c, &s);
    if (id != PC_NONE)
        c->shapes[id].users++;
    bool known = id != PC_NONE;
    if (!known)
        id = add(p, &s);
    if (known || id == PC_NONE)
        pc_shape_free(p, &s);
    return id;
}

uint32_t pc_shape_find(struct policy *p, const struct policy_job_spec *spec)
{
    struct pc_cluster *c = p->cluster;
    struct policy_role room;
    const struct policy_role *role = pc_role_of_spec(spec, 0, &room);
    struct pc_shape_memo *memo = role != NULL ? memo_of(p, spec, role) : NULL;
    if (memo != NULL && is_about(memo, spec, role) && !c->exhaustive) {
        c->shapes[memo->shape - 1].users++;
        return memo->shape - 1;
    }
    uint32_t id = find_anew(p, spec);
    if (memo != NULL && id != PC_NONE)
        remember(c, memo, spec, role, id);
    return id;
}

void pc_shape_drop(struct policy *p, uint32_t id)
{
    struct pc_cluster *c = p->cluster;
    if (--c->shapes[id].users > 0)
        return;
    uint32_t *link = &c->shape_hash[c->shapes[id].hash & (c->shape_hash_capacity - 1)];
    while (*link != id)
        link = &c->shapes[*link].next_in_hash;
    *link = c->shapes[id].next_in_hash;
    forget_memo(c, id);
    pc_shape_free(p, &c->shapes[id]);
    c->shapes[id].next_in_hash = c->shape_free;
    c->shape_free = id;
    c->shapes_live--;
}

/* ---- selectors ---- */

bool pc_selector_matches(const struct pc_selector *s, const struct pc_node *n)
{
    for (uint32_t i = 0; i < s->term_count; i++) {
        bool found = false;
        for (uint32_t l = 0; l < n->label_count && !found; l++)
            for (uint32_t v = 0; v < s->terms[i].value_count && !found; v++)
                found = n->labels[l].key == s->terms[i].key &&
                        n->labels[l].value == s->terms[i].values[v];
        if (!found)
            return false;
    }
    return true;
}

static bool same_terms(const struct pc_selector *s, const struct policy_term *terms, uint32_t count)
{
    if (s->term_count != count)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (s->terms[i].key != terms[i].key || s->terms[i].value_count != terms[i].value_count ||
            memcmp(s->terms[i].values, terms[i].values, terms[i].value_count * sizeof(uint32_t)) !=
                0)
            return false;
    return true;
}

void pc_selector_free(struct policy *p, struct pc_selector *s)
{
    uint32_t *values = s->values;
    pc_release(&p->memory, values, s->value_count, sizeof *values);
    pc_release(&p->memory, s->terms, s->term_count, sizeof *s->terms);
    pc_bits_free(&s->nodes, &p->memory);
}

/* Copies the terms, their values concatenated. */
static bool copy_terms(struct policy *p, struct pc_selector *s, const struct policy_term *terms)
{
    for (uint32_t i = 0; i < s->term_count; i++)
        s->value_count += terms[i].value_count;
    s->terms = pc_alloc(&p->memory, s->term_count, sizeof *s->terms);
    s->values = s->value_count > 0 ? pc_alloc(&p->memory, s->value_count, sizeof *s->values) : NULL;
    if (s->terms == NULL || (s->value_count > 0 && s->values == NULL))
        return false;
    uint32_t at = 0;
    for (uint32_t i = 0; i < s->term_count; i++) {
        s->terms[i] = terms[i];
        s->terms[i].values = s->values + at;
        for (uint32_t v = 0; v < terms[i].value_count; v++)
            s->values[at++] = terms[i].values[v];
    }
    return true;
}

uint32_t pc_selector_find(struct policy *p, const struct policy_term *terms, uint32_t count)
{
    struct pc_cluster *c = p->cluster;
    if (count == 0)
        return PC_NONE;
    for (uint32_t i = 0; i < c->selector_count; i++)
        if (same_terms(&c->selectors[i], terms, count))
            return i;
    if (!PC_GROW(&p->memory, c->selectors, c->selector_capacity, c->selector_count + 1))
        return PC_NONE;
    struct pc_selector *s = &c->selectors[c->selector_count];
    memset(s, 0, sizeof *s);
    s->term_count = count;
    if (!copy_terms(p, s, terms) || !pc_bits_reserve(&s->nodes, &p->memory, p->rank_capacity)) {
        pc_selector_free(p, s);
        return PC_NONE;
    }
    for (uint32_t n = 0; n < c->node_count; n++)
        if (c->nodes[n].exists && pc_selector_matches(s, &c->nodes[n]))
            pc_bits_add(&s->nodes, c->nodes[n].rank);
    return c->selector_count++;
}

bool pc_is_about(const struct policy_constraint *k, const struct pc_shape *s, uint32_t set)
{
    if (k == &s->topology || k == &s->sets[set].topology)
        return true;
    for (int32_t g = s->sets[set].group; g > 0; g = s->groups[g - 1].parent)
        if (k == &s->groups[g - 1].topology)
            return true;
    return false;
}
