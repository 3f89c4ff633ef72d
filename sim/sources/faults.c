/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From components to nodes; see faults.h. */
#include "sim/sources/faults.h"

#include "sim/base/mem.h"
#include "sim/faults/drain.h"
#include "sim/faults/lemons.h"
#include "sim/faults/process.h"
#include "sim/faults/user.h"

#include <stdlib.h>
#include <string.h>

#define MILLION   1000000
#define NO_LEVEL  UINT32_MAX
#define NEW_NODE  (UINT64_C(1) << 48) /* beyond the keys of faults */
#define SLOWEST   1000                /* ppm: minimum speed, so that every stall ends */
#define REPEAT_MS (INT64_C(28) * 24 * 3600 * 1000)

/* Nodes of each domain of a level, one domain after the other. */
struct domains {
    uint32_t *nodes, *first; /* first[count] is one past the last */
    uint32_t count;
};

/* Something that follows from an earlier fault. */
struct follow_up {
    int64_t at_ms;
    struct fault fault;
};

struct fault_source {
    const struct fleet *fleet;
    struct fault_source_options options;
    struct fault_profile profile;
    struct fault_pool *pools;
    uint64_t seed;
    int64_t origin_ms; /* the first submission: time 0 of the process */
    struct fault_process *process;
    struct domains leaves, racks;
    uint32_t *nodes; /* of the fault that was handed out last */
    struct follow_up *later;
    size_t later_count, later_capacity;
    int64_t *struck_ms;              /* by node and class: last time; INT64_MIN never */
    struct fault_history *histories; /* by node */
    uint32_t *tests;
    const char *names[FAULT_CLASSES + 1]; /* the last one of new nodes */
    uint32_t next_new; /* node that is to be looked at: those of new pools begin with a test */
};

/* ---- domains ---- */

static struct domains find_domains(const struct fleet *fleet, const char *level)
{
    struct domains d = {0};
    uint32_t found = fleet_find_level(fleet, level);
    if (found >= fleet->level_count || fleet->levels[found].domains == NULL)
        return d;
    for (uint32_t i = 0; i < fleet->node_count; i++)
        d.count = fleet_domain_of(fleet, found, i) >= d.count ? fleet_domain_of(fleet, found, i) + 1
                                                              : d.count;
    d.nodes = mem_alloc(fleet->node_count, sizeof *d.nodes);
    d.first = mem_alloc(d.count + 1, sizeof *d.first);
    for (uint32_t i = 0; i < fleet->node_count; i++)
        d.first[fleet_domain_of(fleet, found, i) + 1]++;
    for (uint32_t i = 0; i < d.count; i++)
        d.first[i + 1] += d.first[i];
    uint32_t *next = mem_alloc(d.count + 1, sizeof *next);
    memcpy(next, d.first, d.count * sizeof *next);
    for (uint32_t i = 0; i < fleet->node_count; i++)
        d.nodes[next[fleet_domain_of(fleet, found, i)]++] = i;
    free(next);
    return d;
}

/* ---- what follows ---- */

/* In order of time, and of arrival here at the same time. */
static void put_off(struct fault_source *s, const struct follow_up *follow)
{
    s->later = mem_grow(s->later, &s->later_capacity, s->later_count + 1, sizeof *s->later);
    size_t at = s->later_count++;
    for (; at > 0 && s->later[at - 1].at_ms > follow->at_ms; at--)
        s->later[at] = s->later[at - 1];
    s->later[at] = *follow;
}

/* ---- new nodes ---- */

/* The next node of a new pool; node_count: none is left. */
static uint32_t next_new(const struct fault_source *s)
{
    uint32_t node = s->next_new;
    while (node < s->fleet->node_count &&
           (s->options.new_pools == NULL || !s->options.new_pools[s->fleet->nodes[node].pool]))
        node++;
    return node;
}

/* A new node that fails its test is repaired as a host is. */
static void take_new(struct fault_source *s, struct sim_fault *out)
{
    const struct fault_burn_in *rule = &s->options.burn_in;
    struct rng_stream stream;
    uint32_t node = next_new(s);
    uint32_t tests = fault_burn_in_tests(rule, s->seed, NEW_NODE | node);
    rng_init(&stream, s->seed, RNG_REPAIR, NEW_NODE | node);
    int64_t repair_ms = fault_span_draw_ms(&s->profile.classes[FAULT_HOST].hardware, &stream);
    s->nodes[0] = node;
    s->next_new = node + 1;
    *out = (struct sim_fault){.at_ms = s->origin_ms,
                              .class = FAULT_CLASSES,
                              .effect = SIM_FAULT_DRAINS,
                              .nodes = s->nodes,
                              .node_count = 1,
                              .device = SIM_ALL_DEVICES,
                              .repair_ms = tests * rule->takes_ms + (tests - 1) * repair_ms,
                              .burn_ins = tests,
                              .burn_in_ms = rule->takes_ms,
                              .fresh = true};
}

static int64_t next_ms(void *self)
{
    struct fault_source *s = self;
    if (next_new(s) < s->fleet->node_count)
        return s->origin_ms;
    int64_t next = fault_process_peek(s->process);
    next = next == INT64_MAX ? next : s->origin_ms + next;
    return s->later_count > 0 && s->later[0].at_ms < next ? s->later[0].at_ms : next;
}

/* ---- which nodes ---- */

static uint32_t copy_domain(struct fault_source *s, const struct domains *d, uint32_t component)
{
    uint32_t count = d->first[component + 1] - d->first[component];
    memcpy(s->nodes, d->nodes + d->first[component], count * sizeof *s->nodes);
    return count;
}

static uint32_t find_nodes(struct fault_source *s, const struct fault *f)
{
    enum fault_scope scope = f->class->scope;
    uint32_t all = scope == FAULT_SCOPE_FLEET ? (uint32_t)s->fleet->node_count : f->nodes;
    uint32_t first = scope == FAULT_SCOPE_FLEET ? 0 : f->component;
    if (scope == FAULT_SCOPE_LEAF || scope == FAULT_SCOPE_RACK)
        return copy_domain(s, scope == FAULT_SCOPE_LEAF ? &s->leaves : &s->racks, f->component);
    if (scope == FAULT_SCOPE_SPINE) {
        first = s->options.switches->of[f->component].first_node;
        all = s->options.switches->of[f->component].nodes;
    }
    for (uint32_t i = 0; i < all; i++)
        s->nodes[i] = first + i;
    return all;
}

/* ---- repairs ---- */

/* Signs of a lemon; once identified, this repair cures the node. */
static void judge(struct fault_source *s, const struct fault *f, int64_t now_ms)
{
    struct fault_history *h = &s->histories[f->component];
    fault_history_note(h, FAULT_SIGNAL_XID, now_ms);
    fault_history_note(h, FAULT_SIGNAL_OUT, now_ms);
    if (f->hardware)
        fault_history_note(h, FAULT_SIGNAL_TICKET, now_ms);
    if (fault_lemon_judge(&fault_lemon_rule_usual, h, now_ms) == FAULT_KEEP)
        return;
    bool lemon = fault_process_is_lemon(s->process, f->component);
    if (fault_lemon_test(s->seed, f->component, s->tests[f->component]++, lemon,
                         FAULT_TEST_CATCHES))
        fault_process_cure(s->process, f->component);
}

static enum fault_drain drain_of(struct fault_source *s, const struct fault *f, int64_t now_ms)
{
    if (f->nodes == 0 || f->effect == FAULT_EFFECT_SLOW)
        return FAULT_DRAIN_NO;
    int64_t *last = &s->struck_ms[(size_t)f->component * FAULT_CLASSES + f->id];
    bool repeated = *last != INT64_MIN && now_ms - *last <= REPEAT_MS;
    *last = now_ms;
    return fault_drain_decide(f->drain, repeated, s->options.patient);
}

/* ---- as the driver takes it ---- */

/* Switches and racks come back by themselves, and their nodes with them. */
static bool takes_all_below(const struct fault *f)
{
    return f->class->scope == FAULT_SCOPE_LEAF || f->class->scope == FAULT_SCOPE_RACK;
}

static int32_t left_ppm(double loss)
{
    int32_t ppm = (int32_t)((1 - loss) * MILLION);
    return ppm < SLOWEST ? SLOWEST : ppm;
}

/* A fault that kills at once removes the job, and with it the node; otherwise the job continues
 * until detection. */
static void set_effect(struct sim_fault *out, const struct fault *f)
{
    static const enum sim_fault_effect effects[FAULT_EFFECTS] = {
        [FAULT_EFFECT_KILL] = SIM_FAULT_KILLS,
        [FAULT_EFFECT_SLOW] = SIM_FAULT_SLOWS,
        [FAULT_EFFECT_CORRUPT] = SIM_FAULT_CORRUPTS,
        [FAULT_EFFECT_HANG] = SIM_FAULT_KILLS,
        [FAULT_EFFECT_STOP] = SIM_FAULT_DRAINS};
    bool slows = f->effect == FAULT_EFFECT_SLOW;
    out->effect = effects[f->effect];
    out->detect_ms = slows || f->effect == FAULT_EFFECT_KILL ? 0 : f->detect_ms;
    out->slow_ppm = left_ppm(f->loss);
    out->repair_ms = slows ? f->lasts_ms : 0;
}

/* Congestion was measured by its effect on jobs, not on bandwidth. */
static void narrow(const struct fault_source *s, const struct fault *f, struct sim_fault *out)
{
    static const bool narrows[FAULT_CLASSES] = {[FAULT_NIC] = true,
                                                [FAULT_LINK] = true,
                                                [FAULT_LEAF] = true,
                                                [FAULT_SPINE] = true,
                                                [FAULT_FLAP] = true};
    out->narrows = narrows[f->id];
    if (f->class->scope != FAULT_SCOPE_SPINE)
        return;
    const struct fault_switch *from = &s->options.switches->of[f->component];
    out->uplinks = s->options.switches->uplinks + from->first;
    out->uplink_count = from->uplinks;
    out->adds_up = !s->options.fixed_routing;
    if (out->adds_up)
        out->slow_ppm = left_ppm(from->part);
}

/* A rejected node is repaired once more, for as long. */
static void burn_in(const struct fault_source *s, const struct fault *f, struct sim_fault *out)
{
    const struct fault_burn_in *rule = &s->options.burn_in;
    if (rule->takes_ms == 0)
        return;
    out->burn_ins = fault_burn_in_tests(rule, s->seed, f->key);
    out->burn_in_ms = rule->takes_ms;
    out->repair_ms = out->burn_ins * (out->repair_ms + rule->takes_ms);
}

static void convert(struct fault_source *s, const struct follow_up *from, struct sim_fault *out)
{
    const struct fault *f = &from->fault;
    *out = (struct sim_fault){.at_ms = from->at_ms,
                              .class = f->id,
                              .effect = SIM_FAULT_KILLS,
                              .nodes = s->nodes,
                              .node_count = find_nodes(s, f),
                              .device = f->class->scope == FAULT_SCOPE_GPU ||
                                                f->class->scope == FAULT_SCOPE_MEMORY
                                            ? f->device
                                            : SIM_ALL_DEVICES,
                              .one_job = f->class->scope == FAULT_SCOPE_JOB};
    set_effect(out, f);
    if (out->effect == SIM_FAULT_SLOWS)
        narrow(s, f, out);
    if (f->effect == FAULT_EFFECT_SLOW && f->kills) {
        struct follow_up end = {from->at_ms + f->lasts_ms, *f};
        end.fault.effect = FAULT_EFFECT_KILL;
        put_off(s, &end);
    }
    enum fault_drain drain = takes_all_below(f) ? FAULT_DRAIN_NOW : drain_of(s, f, from->at_ms);
    if (drain == FAULT_DRAIN_NO || f->effect == FAULT_EFFECT_SLOW)
        return;
    if (s->options.catch_lemons && f->nodes == 1)
        judge(s, f, from->at_ms + out->detect_ms);
    out->repair_ms = f->repair_ms > 0 ? f->repair_ms : 1;
    if (f->hardware && !takes_all_below(f) && out->effect != SIM_FAULT_DRAINS)
        burn_in(s, f, out);
    out->after_job = drain == FAULT_DRAIN_AFTER_JOB && out->effect != SIM_FAULT_DRAINS;
}

static bool take(void *self, struct sim_fault *out)
{
    struct fault_source *s = self;
    int64_t next = next_ms(s);
    struct follow_up from = {0};
    if (next == INT64_MAX)
        return false;
    if (next_new(s) < s->fleet->node_count) {
        take_new(s, out);
        return true;
    }
    if (s->later_count > 0 && s->later[0].at_ms == next) {
        from = s->later[0];
        memmove(s->later, s->later + 1, --s->later_count * sizeof *s->later);
    } else {
        from.at_ms = next;
        if (!fault_process_next(s->process, next - s->origin_ms, &from.fault))
            return false;
    }
    convert(s, &from, out);
    return true;
}

static int64_t user_after_ms(void *self, uint64_t job)
{
    const struct fault_source *s = self;
    return fault_user_after_ms(&s->profile.classes[FAULT_USER], s->seed, job);
}

static void begin(void *self, int64_t first_ms)
{
    struct fault_source *s = self;
    s->origin_ms = first_ms;
}

struct fault_source *fault_source_create(const struct fault_source_options *o, uint64_t seed)
{
    struct fault_source *s = mem_alloc(1, sizeof *s);
    *s = (struct fault_source){
        .fleet = o->fleet, .options = *o, .profile = *o->profile, .seed = seed};
    size_t nodes = o->fleet->node_count;
    s->pools = mem_alloc(o->fleet->pool_count + 1, sizeof *s->pools);
    memcpy(s->pools, o->pools, o->fleet->pool_count * sizeof *s->pools);
    for (size_t i = 0; i < o->fleet->pool_count; i++)
        s->pools[i].profile = &s->profile;
    s->leaves = find_domains(o->fleet, "leaf");
    s->racks = find_domains(o->fleet, "rack");
    s->nodes = mem_alloc(nodes + 1, sizeof *s->nodes);
    s->struck_ms = mem_alloc(nodes * FAULT_CLASSES + 1, sizeof *s->struck_ms);
    for (size_t i = 0; i < nodes * FAULT_CLASSES; i++)
        s->struck_ms[i] = INT64_MIN;
    s->histories = mem_alloc(nodes + 1, sizeof *s->histories);
    s->tests = mem_alloc(nodes + 1, sizeof *s->tests);
    for (int i = 0; i < FAULT_CLASSES; i++)
        s->names[i] = fault_class_name((enum fault_class_id)i);
    s->names[FAULT_CLASSES] = "burn-in";
    bool ends = o->horizon_ms > 0 && o->horizon_ms < FAULT_SPAN_MOST_MS;
    const struct fault_plan plan = {.pools = s->pools,
                                    .pool_count = o->fleet->pool_count,
                                    .leaves = s->leaves.count,
                                    .racks = s->racks.count,
                                    .spines = o->switches != NULL ? o->switches->count : 0,
                                    .storage = true,
                                    .dual_homed = o->dual_homed,
                                    .nic_failover = o->nic_failover,
                                    .fixed_routing = o->fixed_routing,
                                    .shared = &s->profile,
                                    .horizon_ms = ends ? o->horizon_ms : FAULT_SPAN_MOST_MS};
    s->process = fault_process_create(&plan, seed);
    return s;
}

void fault_source_destroy(struct fault_source *s)
{
    if (s == NULL)
        return;
    fault_process_destroy(s->process);
    free(s->pools);
    free(s->leaves.nodes);
    free(s->leaves.first);
    free(s->racks.nodes);
    free(s->racks.first);
    free(s->nodes);
    free(s->later);
    free(s->struck_ms);
    free(s->histories);
    free(s->tests);
    free(s);
}

struct sim_faults fault_source_faults(struct fault_source *s)
{
    return (struct sim_faults){.self = s,
                               .begin = begin,
                               .next_ms = next_ms,
                               .take = take,
                               .classes = s->names,
                               .class_count = FAULT_CLASSES + (s->options.new_pools != NULL),
                               .user_after_ms = s->options.user_failures ? user_after_ms : NULL,
                               .user_class = FAULT_USER,
                               .burns_in = s->options.burn_in.takes_ms > 0};
}
