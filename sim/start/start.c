/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a run begins with: names as ids of the run, nodes, and facts about jobs; see start.h. */
#include "sim/start/internal.h"
#include "sim/start/nodes.h"

#include "sim/base/mem.h"

#include <stdlib.h>
#include <string.h>

int32_t start_node_state(const struct start *start, uint32_t node)
{
    return start->states[node];
}

const struct start_displaced *start_displaced(const struct start *start, size_t *count)
{
    *count = start != NULL ? start->displaced_count : 0;
    return start != NULL ? start->displaced : NULL;
}

/* ---- names ---- */

static bool number_types(struct start *start, struct err *err)
{
    const struct name_set *types = &start->names.types;
    start->type_ids = mem_alloc(types->count + 1, sizeof *start->type_ids);
    for (size_t i = 0; i < types->count; i++) {
        const char *name = *types->names[i] != '\0' ? types->names[i] : "any"; /* as in the fleet */
        start->type_ids[i] = symbols_add(start->of.names->gpu_types, name, strlen(name));
        if (start->type_ids[i] >= POLICY_MAX_TYPES)
            return err_set(err, EXIT_INPUT, "more than %d types of GPU ('%s' is one too many)",
                           POLICY_MAX_TYPES, name);
    }
    return true;
}

static bool number_profiles(struct start *start, struct err *err)
{
    const struct name_set *profiles = &start->names.profiles;
    start->profile_ids = mem_alloc(profiles->count + 1, sizeof *start->profile_ids);
    for (size_t i = 0; i < profiles->count; i++) {
        int index;
        if (!fleet_profile(start->of.fleet, profiles->names[i], &index, err))
            return false;
        start->profile_ids[i] = (uint32_t)index;
    }
    return true;
}

/* ---- nodes ---- */

/* The node of the snapshot that one of the fleet is, or is like; NULL: none. */
static const struct snap_node *own_node(const struct start *start, uint32_t node)
{
    const struct scenario *sc = start->of.scenario;
    const struct fleet *fleet = start->of.fleet;
    if (node < sc->node_count && sc->nodes[node].added)
        return sc->nodes[node].own;
    uint32_t number = name_set_find(&start->snapshot->node_names, fleet->nodes[node].name);
    return number == NAME_NONE ? NULL
                               : &start->snapshot->nodes[start->snapshot->node_of_name[number]];
}

static void find_nodes(struct start *start)
{
    const struct snapshot *s = start->snapshot;
    const struct fleet *fleet = start->of.fleet;
    start->node_of = mem_alloc(s->node_count + 1, sizeof *start->node_of);
    for (size_t i = 0; i < s->node_count; i++)
        start->node_of[i] = POLICY_NO_ID;
    for (uint32_t i = 0; i < fleet->node_count; i++) {
        uint32_t number = name_set_find(&s->node_names, fleet->nodes[i].name);
        if (number == NAME_NONE)
            continue;
        size_t index = s->node_of_name[number];
        start->node_of[index] = i;
        start->states[i] = s->nodes[index].state;
    }
}

/* Labels that tasks request; levels of the fabric have their own ids beside these. */
static void label_nodes(struct start *start)
{
    struct fleet *fleet = start->of.fleet;
    const struct snap_names *names = &start->names;
    start->labels =
        mem_alloc(fleet->node_count * names->label_keys.count + 1, sizeof *start->labels);
    struct fleet_label *at = start->labels;
    for (uint32_t i = 0; i < fleet->node_count; i++) {
        const struct snap_node *own = own_node(start, i);
        fleet->nodes[i].labels = at;
        for (size_t k = 0; own != NULL && k < own->label_count; k++) {
            uint32_t key = name_set_find(&names->labels, own->labels[k].key);
            uint32_t value = name_set_find(&names->labels, own->labels[k].value);
            if (name_set_find(&names->label_keys, own->labels[k].key) == NAME_NONE ||
                value == NAME_NONE)
                continue;
            *at++ = (struct fleet_label){FLEET_LEVELS + key, FLEET_LEVELS + value};
            fleet->nodes[i].label_count++;
        }
    }
}

/* ---- the rest ---- */

static bool set_states(struct start *start, struct sim *sim, struct err *err)
{
    for (uint32_t i = 0; i < sim->fleet->node_count; i++)
        if (start->states[i] != POLICY_NODE_UP &&
            !sim_set_aside(sim, i, start->states[i] != POLICY_NODE_DRAINING, err))
            return false;
    return true;
}

static bool set_health(struct start *start, struct sim *sim, struct err *err)
{
    const struct snapshot *s = start->snapshot;
    for (size_t i = 0; s != NULL && i < s->node_count; i++)
        for (uint64_t rest = s->nodes[i].unusable; rest != 0; rest &= rest - 1) {
            policy_node node = {start->node_of[i]};
            if (node.i != POLICY_NO_ID &&
                sim_tell(sim, &(struct fact){.kind = FACT_DEVICE_HEALTH,
                                             .node = node,
                                             .number = (uint32_t)__builtin_ctzll(rest)}) !=
                    POLICY_OK)
                return err_set(err, EXIT_INPUT, "node '%s': %s", s->nodes[i].name,
                               policy_last_error(sim->policy)->message);
        }
    return true;
}

static bool set_usage(struct start *start, struct sim *sim, struct err *err)
{
    const struct snapshot *s = start->snapshot;
    for (size_t i = 0; s != NULL && i < sim->queue_count; i++) {
        uint32_t number = name_set_find(&s->queue_names, sim->queues[i].name);
        const struct policy_amounts *usage =
            number == NAME_NONE ? NULL : &s->queues[s->queue_of_name[number]].usage_ppm;
        if (usage == NULL || (usage->gpu == 0 && usage->cpu == 0 && usage->mem == 0))
            continue;
        int status = sim_tell(
            sim, &(struct fact){.kind = FACT_USAGE, .queue = sim->queues[i].core, .spec = usage});
        if (status != POLICY_OK &&
            status != POLICY_UNSUPPORTED) /* another policy does without, as with history */
            return err_set(err, EXIT_INPUT, "queue '%s': %s", sim->queues[i].name,
                           policy_last_error(sim->policy)->message);
    }
    return true;
}

static bool tell_rest(void *self, struct sim *sim, struct err *err)
{
    struct start *start = self;
    return set_states(start, sim, err) && set_health(start, sim, err) &&
           set_usage(start, sim, err) && start_tell_history(start, sim, err);
}

static void note_core(void *self, policy_job core)
{
    struct start *start = self;
    start->cores[start->taking] = core;
}

/* ---- all of it ---- */

static void order_jobs(struct start *start)
{
    const struct snapshot *s = start->snapshot;
    start->order = mem_alloc(s->job_count + 1, sizeof *start->order);
    start->cores = mem_alloc(s->job_count + 1, sizeof *start->cores);
    for (size_t i = 0; i < s->job_count; i++) {
        start->order[s->jobs[i].rank] = i;
        start->cores[i] = (policy_job){POLICY_NO_ID, 0};
    }
}

static bool open_snapshot(struct start *start, struct err *err)
{
    if (!snap_names_init(&start->names, start->snapshot, false, err) || !number_types(start, err) ||
        !number_profiles(start, err))
        return false;
    start->numbers = (struct snap_numbers){.names = &start->names,
                                           .type_ids = start->type_ids,
                                           .profile_ids = start->profile_ids,
                                           .first_label = FLEET_LEVELS};
    find_nodes(start);
    label_nodes(start);
    order_jobs(start);
    return start_times_open(&start->times, start->of.scenario, start->of.names, err);
}

bool start_open(struct start **opened, const struct start_of *of, struct sim_initial_state *found,
                struct err *err)
{
    const struct scenario *sc = of->scenario;
    *opened = NULL;
    if (sc->start.snapshot == NULL && sc->set_aside_count == 0)
        return true;
    struct start *start = *opened = mem_alloc(1, sizeof *start);
    start->of = *of;
    start->snapshot = sc->start.snapshot;
    start->states = mem_alloc(of->fleet->node_count + 1, sizeof *start->states);
    *found = (struct sim_initial_state){.self = start, .rest = tell_rest};
    if (start->snapshot != NULL) {
        found->now_ms = start->snapshot->now_ms;
        found->from_now = sc->start.from_now;
        found->next = start_next_job;
        found->taken = note_core;
        if (!open_snapshot(start, err))
            return false;
    }
    return start_set_aside(sc, of->fleet, start->states, err);
}

void start_close(struct start *start)
{
    if (start == NULL)
        return;
    if (start->snapshot != NULL)
        snap_names_fini(&start->names);
    snap_draft_fini(&start->draft);
    start_times_close(start->times);
    free(start->states);
    free(start->node_of);
    free(start->order);
    free(start->cores);
    free(start->type_ids);
    free(start->profile_ids);
    free(start->labels);
    free(start->tasks);
    free(start->displaced);
    free(start);
}
