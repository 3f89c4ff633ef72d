/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Building the world of a scenario; see simulate.h. The workload is in workload.c. */
#include "sim/world/simulate.h"
#include "sim/policy/choice.h"
#include "sim/start/start.h"
#include "sim/world/services.h"
#include "sim/world/typical.h"
#include "sim/world/workload.h"

#include "sim/base/mem.h"
#include "sim/base/order.h"
#include "sim/base/rng.h"
#include "sim/base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- policy ---- */

static const char *where(const void *scenario, const char *path, char *buffer, size_t size)
{
    return scenario_where(scenario, path, buffer, size);
}

static bool has_queues_below(const struct scenario *sc, const struct scen_queue *queue)
{
    for (size_t i = 0; i < sc->queue_count; i++)
        if (strcmp(sc->queues[i].parent, queue->name) == 0)
            return true;
    return false;
}

/* Without over-quota, jobs of a queue without a quota would wait for ever. */
static bool check_owners(const struct scenario *sc, const struct policy_config *config,
                         struct err *err)
{
    char place[256];
    if ((policy_traits(config) & POLICY_TRAIT_OWNED) == 0)
        return true;
    if (sc->queues_from_trace)
        return err_set(
            err, EXIT_INPUT,
            "%s: policy '%s' gives each queue the devices of its quota and no more, so queues have "
            "to be listed with their quotas",
            where(sc, "queues", place, sizeof place), config->preset);
    for (size_t i = 0; i < sc->queue_count; i++) {
        const struct scen_queue *queue = &sc->queues[i];
        if (queue->gpu_quota_milli != 0 || has_queues_below(sc, queue))
            continue;
        char *path = mem_format("queues[%zu].gpu.quota", i);
        err_set(
            err, EXIT_INPUT,
            "%s: queue '%s' has no quota, and with policy '%s' no queue has more than its quota: "
            "its jobs could never run (expected the GPUs that it owns, or -1 for no bound)",
            where(sc, path, place, sizeof place), queue->name, config->preset);
        free(path);
        return false;
    }
    return true;
}

static bool configure_policy(const struct scenario *sc, uint64_t seed, struct policy_config *config,
                             struct err *err)
{
    struct rng_stream stream;
    rng_init(&stream, seed, RNG_POLICY, 0);
    const struct policy_choice choice = {.name = sc->policy.name,
                                         .options = sc->policy.options,
                                         .option_count = sc->policy.option_count,
                                         .seed = rng_u64(&stream),
                                         .where = where,
                                         .of = sc};
    return policy_choose(config, &choice, err) && check_owners(sc, config, err);
}

bool simulation_policy(const struct scenario *sc, struct policy_config *config, struct err *err)
{
    return configure_policy(sc, sc->seed, config, err);
}

bool simulation_check_policy(const struct scenario *sc, struct err *err)
{
    struct policy_config config;
    return simulation_policy(sc, &config, err);
}

/* ---- fleet ---- */

static bool gpu_type(struct simulation *s, const char *name, uint32_t *id, struct err *err)
{
    *id = symbols_add(s->names.gpu_types, name, strlen(name));
    return *id < POLICY_MAX_TYPES ||
           err_set(err, EXIT_INPUT, "more than %d types of GPU ('%s' is one too many)",
                   POLICY_MAX_TYPES, name);
}

/* Only levels that some pool has domains of; `of` becomes their numbers in the fleet, -1 none. */
static void add_levels(struct simulation *s, int of[FLEET_LEVELS])
{
    const struct scenario *sc = s->scenario;
    int count = 0;
    for (size_t level = 0; level < sc->level_count; level++) {
        bool used = false;
        for (size_t p = 0; p < sc->pool_count; p++)
            used |= sc->pools[p].nodes_per[level] > 0;
        used |= sc->node_count > 0; /* of a snapshot */
        of[level] = used ? count++ : -1;
        if (used)
            fleet_add_level(&s->fleet, sc->levels[level]);
    }
    fleet_close_levels(&s->fleet);
}

/*
 * The domains of the index-th node of a pool. Where nothing is said of a level, nodes are known to
 * be together on it only when they are on the next one below that something is said of.
 */
static void find_domains(struct simulation *s, const struct scen_pool *pool, int64_t index,
                         const int of[FLEET_LEVELS], uint32_t domains[FLEET_LEVELS])
{
    const struct scenario *sc = s->scenario;
    int64_t nodes = 1;
    for (size_t level = sc->level_count; level-- > 0;) {
        nodes = pool->nodes_per[level] > 0 ? pool->nodes_per[level] : nodes;
        if (of[level] < 0)
            continue;
        char *name =
            mem_format("%s-%s-%lld", pool->name, sc->levels[level], (long long)(index / nodes));
        domains[of[level]] = fleet_domain(&s->fleet, (uint32_t)of[level], name);
        free(name);
    }
}

static bool add_instances(struct simulation *s, uint32_t node, const struct scen_node *kind,
                          struct err *err)
{
    for (size_t i = 0; i < kind->instance_count; i++) {
        int profile;
        if (!fleet_profile(&s->fleet, kind->instances[i].profile, &profile, err))
            return err_prefix(err, "mig_profiles of node '%s'", s->fleet.nodes[node].name);
        fleet_parts(&s->fleet, node)->instances[profile] = kind->instances[i].count;
    }
    return true;
}

static bool add_node(struct simulation *s, struct fleet_node *node, const struct scen_node *kind,
                     struct err *err)
{
    static const int migs[] = {[SCEN_MIG_OFF] = POLICY_MIG_OFF,
                               [SCEN_MIG_SINGLE] = POLICY_MIG_SINGLE,
                               [SCEN_MIG_MIXED] = POLICY_MIG_FIXED,
                               [SCEN_MIG_DYNAMIC] = POLICY_MIG_FREE};
    const struct scenario *sc = s->scenario;
    size_t i = s->fleet.node_count;
    bool ranked = i < sc->node_count && sc->nodes[i].rank >= 0;
    node->rank = i < sc->node_rank_count ? (uint32_t)sc->node_rank[i]
                 : ranked                ? (uint32_t)sc->nodes[i].rank
                                         : (uint32_t)i;
    node->gpus = kind->gpus;
    node->cpu_milli = kind->cpu_milli;
    node->mem_mib = kind->mem_mib;
    node->max_tasks = kind->max_tasks;
    node->device_mem_mib = kind->gpu_mem_mib;
    node->mig = migs[kind->mig];
    return gpu_type(s, kind->gpu_type, &node->gpu_type, err) &&
           add_instances(s, fleet_add_node(&s->fleet, node), kind, err);
}

static bool add_pool(struct simulation *s, const struct scen_pool *pool, const int of[FLEET_LEVELS],
                     struct err *err)
{
    uint32_t domains[FLEET_LEVELS];
    struct fleet_node node = {.pool = fleet_add_pool(&s->fleet, pool->name),
                              .whole_only = pool->whole_only};
    bool ok = true;
    for (int64_t i = 0; i < pool->count && ok; i++) {
        char *name = mem_format("%s-%lld", pool->name, (long long)i);
        node.name = name;
        node.domains = s->fleet.level_count > 1 ? domains : NULL;
        if (node.domains != NULL)
            find_domains(s, pool, i, of, domains);
        ok = add_node(s, &node, &pool->node, err);
        free(name);
    }
    return ok;
}

/* Those of a pool stand together. */
static bool add_listed(struct simulation *s, size_t index, struct err *err)
{
    const struct scen_listed_node *from = &s->scenario->nodes[index];
    const char *pool = from->pool != NULL ? from->pool : "all";
    size_t pools = s->fleet.pool_count;
    uint32_t domains[FLEET_LEVELS];
    if (pools == 0 || strcmp(s->fleet.pools[pools - 1].name, pool) != 0)
        pools = fleet_add_pool(&s->fleet, pool) + 1;
    struct fleet_node node = {
        .name = from->name, .pool = (uint32_t)pools - 1, .whole_only = from->whole_only};
    for (uint32_t level = 0; from->domains != NULL && level + 1 < s->fleet.level_count; level++)
        domains[level] = fleet_domain(&s->fleet, level, from->domains[level]);
    node.domains = from->domains != NULL && s->fleet.level_count > 1 ? domains : NULL;
    return add_node(s, &node, &from->node, err);
}

static bool build_fleet(struct simulation *s, struct err *err)
{
    const struct scenario *sc = s->scenario;
    int of[FLEET_LEVELS];
    fleet_init(&s->fleet);
    add_levels(s, of);
    for (size_t p = 0; p < sc->pool_count; p++)
        if (!add_pool(s, &sc->pools[p], of, err))
            return false;
    for (size_t i = 0; i < sc->node_count; i++)
        if (!add_listed(s, i, err))
            return false;
    return true;
}

/* ---- queues ---- */

/* Adds a pool unless the queue has it. */
static void let_use(struct sim_queue *queue, uint32_t pool)
{
    for (uint32_t i = 0; i < queue->pool_count; i++)
        if (queue->pools[i] == pool)
            return;
    queue->pools[queue->pool_count++] = pool;
}

static void bind_pools(const struct simulation *s, const struct scen_queue *from,
                       struct sim_queue *queue)
{
    queue->pools = mem_alloc(from->pool_count + s->fleet.pool_count + 1, sizeof *queue->pools);
    for (size_t i = 0; i < from->pool_count; i++)
        for (uint32_t pool = 0; pool < s->fleet.pool_count; pool++)
            if (strcmp(s->fleet.pools[pool].name, from->pools[i]) == 0)
                queue->pools[queue->pool_count++] = pool;
    for (uint32_t pool = 0; pool < s->fleet.pool_count && from->others_too; pool++)
        let_use(queue, pool);
    queue->ordered_pools = from->ordered_pools && queue->pool_count > 1;
    queue->strict_order = from->strict_order && queue->ordered_pools;
    if (!queue->ordered_pools)
        qsort(queue->pools, queue->pool_count, sizeof *queue->pools, order_u32);
}

static uint32_t pool_named(const struct simulation *s, const char *name)
{
    uint32_t pool = 0;
    while (pool < s->fleet.pool_count && strcmp(s->fleet.pools[pool].name, name) != 0)
        pool++;
    return pool;
}

static void bind_quotas(const struct simulation *s, const struct scen_queue *from,
                        struct sim_queue *queue)
{
    if (from->by_pool_count == 0)
        return;
    queue->by_pool = mem_alloc(from->by_pool_count, sizeof *queue->by_pool);
    for (size_t i = 0; i < from->by_pool_count; i++)
        queue->by_pool[queue->by_pool_count++] =
            (struct policy_pool_quota){.pool = pool_named(s, from->by_pool[i].pool),
                                       .joined = from->by_pool[i].joined,
                                       .quota = from->by_pool[i].quota_milli};
}

/* The scenario has checked names; parents come before their children in the policy core, so they
 * are put first. */
static struct sim_queue *build_queues(const struct simulation *s)
{
    const struct scenario *sc = s->scenario;
    struct sim_queue *queues = mem_alloc(sc->queue_count + 1, sizeof *queues);
    size_t count = 0;
    for (size_t round = 0; count < sc->queue_count && round <= sc->queue_count; round++)
        for (size_t i = 0; i < sc->queue_count; i++) {
            const struct scen_queue *from = &sc->queues[i];
            int32_t parent = from->parent[0] == '\0' ? -1 : -2;
            bool known = false;
            for (size_t k = 0; k < count; k++) {
                known |= strcmp(queues[k].name, from->name) == 0;
                if (strcmp(queues[k].name, from->parent) == 0)
                    parent = (int32_t)k;
            }
            if (known || parent == -2)
                continue;
            queues[count] = (struct sim_queue){
                .name = from->name,
                .parent = parent,
                .priority = from->priority,
                .created_ms = from->created_ms,
                .gpu = {from->gpu_quota_milli, from->gpu_limit_milli, from->gpu_weight_milli},
                .cpu = {from->cpu_quota_milli, from->cpu_limit_milli, from->cpu_weight_milli},
                .mem = {from->mem_quota_mib, from->mem_limit_mib, from->mem_weight_milli},
            };
            queues[count].preempt_min_runtime_ms = from->preempt_min_runtime_ms;
            queues[count].reclaim_min_runtime_ms = from->reclaim_min_runtime_ms;
            queues[count].fixed_milli = from->fixed_milli;
            queues[count].suspended = from->suspended;
            queues[count].spans_pools = from->spans_pools;
            bind_quotas(s, from, &queues[count]);
            bind_pools(s, from, &queues[count++]);
        }
    BUG_ON(count != sc->queue_count);
    return queues;
}

/* ---- faults ---- */

/* NVLink domains are those of the node's kind; nodes of a list are one kind here, the first one's.
 */
static struct fault_pool fault_pool_of(const struct fleet_pool *pool, const struct scen_node *node,
                                       const struct fault_profile *profile)
{
    const struct node_traits *traits = node->traits;
    return (struct fault_pool){.first_node = pool->first_node,
                               .nodes = pool->node_count,
                               .gpus = pool->gpus_per_node,
                               .nics = traits->nics > 0 ? traits->nics : pool->gpus_per_node,
                               .hbm_gb = (double)node->gpu_mem_mib * 1048576 / 1e9,
                               .nodes_per_domain =
                                   traits->nvlink_nodes > 0 ? (uint32_t)traits->nvlink_nodes : 1,
                               .profile = profile};
}

/* Faults a millisecond that stop a job on a node, the mean of all nodes. */
static double stops_per_ms(const struct fault_pool *pools, size_t count)
{
    double sum = 0, nodes = 0;
    for (size_t i = 0; i < count; i++) {
        sum += pools[i].nodes * fault_stops_daily(pools[i].profile, &pools[i]);
        nodes += pools[i].nodes;
    }
    return nodes > 0 ? sum / nodes / 86400000 : 0;
}

/* Of nodes in a list nothing is known of the fabric. */
static const struct fault_switches *find_switches(struct simulation *s,
                                                  const struct fabric_tree *tree)
{
    const struct fabric_plan **plans = mem_alloc(s->fleet.pool_count + 1, sizeof *plans);
    for (size_t i = 0; i < s->scenario->pool_count; i++)
        plans[i] = s->scenario->pools[i].plan;
    fault_switches_init(&s->switches, &s->fleet, plans, tree);
    free(plans);
    return &s->switches;
}

static void open_faults(struct simulation *s, struct sim_config *config)
{
    const struct scenario *sc = s->scenario;
    if (!sc->faults.given)
        return;
    struct fault_pool *pools = mem_alloc(s->fleet.pool_count + 1, sizeof *pools);
    for (size_t i = 0; i < s->fleet.pool_count; i++)
        pools[i] = fault_pool_of(&s->fleet.pools[i],
                                 sc->node_count > 0 ? &sc->nodes[0].node : &sc->pools[i].node,
                                 &sc->faults.profile);
    const struct fault_source_options options = {
        .fleet = &s->fleet,
        .profile = &sc->faults.profile,
        .pools = pools,
        .horizon_ms = sc->window.drain ? -1 : sc->window.horizon_ms,
        .catch_lemons = sc->faults.catch_lemons,
        .burn_in = sc->faults.burn_in,
        .new_pools = sc->faults.new_pools,
        .patient = sc->faults.patient,
        .switches =
            config->network.mode != SIM_NETWORK_OFF ? find_switches(s, config->network.tree) : NULL,
        .dual_homed = sc->faults.dual_homed,
        .nic_failover = sc->faults.nic_failover,
        .fixed_routing = sc->faults.fixed_routing,
        .user_failures = sc->faults.user_failures};
    s->faults = fault_source_create(&options, s->seed);
    config->checkpoints.failures_per_ms = stops_per_ms(pools, s->fleet.pool_count);
    free(pools);
    config->faults = fault_source_faults(s->faults);
    if (sc->mode == SCEN_REPLAY)
        config->spares = (struct sim_spares){sc->faults.spares, sc->faults.swap_ms};
}

/* Pools that grow and shrink, with what a node of each costs. */
static void open_elastic(struct simulation *s, struct sim_config *config)
{
    const struct scenario *sc = s->scenario;
    if (!sc->elastic || sc->mode != SCEN_REPLAY)
        return;
    s->elastic = mem_alloc(s->fleet.pool_count + 1, sizeof *s->elastic);
    for (size_t i = 0; i < sc->pool_count; i++) {
        const struct scen_pool *pool = &sc->pools[i];
        bool own = pool->spot.given && pool->spot.usd_per_gpu_hour >= 0;
        double usd = own ? pool->spot.usd_per_gpu_hour * pool->node.gpus
                     : pool->spot.given
                         ? price_of_spot(pool->node.traits, &sc->cost).usd
                         : price_of_billing(pool->node.traits, &sc->cost, pool->billing).usd;
        s->elastic[i] = pool->elastic;
        s->elastic[i].price_micro_usd_h = llround(usd * 1e6);
    }
    config->elastic = (struct sim_elastic){s->elastic};
}

/* Of pools that are spot capacity; reclaims are faults of a class of their own. */
static void open_spot(struct simulation *s, struct sim_config *config)
{
    const struct scenario *sc = s->scenario;
    size_t count = 0;
    if (!sc->spot)
        return;
    struct spot_pool *pools = mem_alloc(sc->pool_count, sizeof *pools);
    for (size_t i = 0; i < sc->pool_count; i++) {
        const struct scen_spot *from = &sc->pools[i].spot;
        if (from->given)
            pools[count++] = (struct spot_pool){.first_node = s->fleet.pools[i].first_node,
                                                .nodes = s->fleet.pools[i].node_count,
                                                .monthly = from->monthly,
                                                .correlated = from->correlated,
                                                .together = (uint32_t)from->together,
                                                .notice_ms = from->notice_ms,
                                                .away_ms = from->away_ms};
    }
    s->spot =
        spot_source_create(pools, count, sc->window.drain ? -1 : sc->window.horizon_ms, s->seed);
    free(pools);
    struct sim_faults reclaims = spot_source_faults(s->spot);
    if (s->faults == NULL) {
        config->faults = reclaims;
        return;
    }
    s->merge = fault_merge_create(&config->faults, &reclaims);
    config->faults = fault_merge_faults(s->merge);
}

/* ---- services ---- */

/* They go first among the observers: others may ask them. */
static void open_services(struct simulation *s, const struct simulation_options *options,
                          struct sim_config *config)
{
    config->observers = options->observers;
    config->observer_count = options->observer_count;
    s->services =
        s->scenario->mode == SCEN_REPLAY ? cli_services(s->scenario, &s->names, s->seed) : NULL;
    if (s->services == NULL)
        return;
    s->observers = mem_alloc(options->observer_count + 1, sizeof *s->observers);
    s->observers[0] = services_observer(s->services);
    memcpy(s->observers + 1, options->observers, options->observer_count * sizeof *s->observers);
    config->observers = s->observers;
    config->observer_count++;
    config->clients = services_clients(s->services);
}

/* ---- startup and storage ---- */

/* The engine comes up when it has its model, also where others take their share of the storage. */
static void open_startup(const struct scenario *sc, struct sim_config *config)
{
    bool shared = sc->storage.load_bytes > 0;
    config->startup = (struct work_startup){.classes = sc->startup.classes,
                                            .ms = sc->startup.image_ms + sc->startup.load_ms,
                                            .engine_ms = sc->startup.engine_ms};
    if (!shared) {
        config->startup.ms += sc->startup.engine_ms;
        config->startup.engine_ms = 0;
    }
    config->storage = sc->storage;
}

/* ---- all of it ---- */

static void open_slice(struct simulation *s, struct sim_config *config)
{
    const struct simulation_slice *slice = s->slice;
    for (uint32_t i = 0; slice != NULL && i < symbols_count(slice->queues); i++) {
        const char *name = symbols_name(slice->queues, i);
        (void)symbols_add(s->names.queues, name, strlen(name));
    }
    config->begins = slice != NULL;
    config->begin_ms = slice != NULL ? slice->begin_ms : 0;
}

static bool open_start(struct simulation *s, struct sim_initial_state *found, struct err *err)
{
    const struct start_of of = {.scenario = s->scenario,
                                .fleet = &s->fleet,
                                .names = &s->names,
                                .seed = s->seed,
                                .instead = s->instead};
    return start_open(&s->start, &of, found, err);
}

bool simulation_open(struct simulation *s, const struct scenario *sc,
                     const struct simulation_options *options, struct err *err)
{
    *s = (struct simulation){.scenario = sc,
                             .seed = sc->seed + (uint64_t)(options->replica - 1),
                             .instead = options->instead,
                             .slice = options->slice};
    s->names = (struct trace_names){symbols_create(), symbols_create(), symbols_create(),
                                    symbols_create(), symbols_create()};
    struct sim_config config = {.fleet = &s->fleet, .names = s->names};
    open_slice(s, &config);
    if (sc->window.warmup_auto && !options->pilot)
        return err_set(
            err, EXIT_INPUT,
            "window.warmup: 'auto' is for run, sweep, plan, gate and whatif: expected a time here, "
            "such as the one that run found (window.warmup_s of its summary)");
    if (!build_fleet(s, err) || !network_open(&s->network, sc, &s->fleet, &config.network, err) ||
        !configure_policy(sc, s->seed, &config.policy, err) ||
        !open_start(s, &config.initial_state, err) ||
        !outages_open(&s->outages, sc, &s->fleet, err) || !workload_open(s, options->sort, err) ||
        !typical_find(s, &config, err))
        return false;
    config.queues = build_queues(s);
    config.queue_count = sc->queue_count;
    config.queues_from_trace = sc->queues_from_trace;
    config.cycle_ms = sc->policy.cycle_ms;
    config.grace_ms = sc->policy.grace_ms;
    config.on_failure = sc->on_failure;
    config.single_tasks = !sc->policy.gangs;
    config.ask_always = !sc->policy.skip_idle_cycles;
    config.checkpoints = (struct work_checkpoints){
        .given = sc->checkpoint.given,
        .rule = sc->checkpoint.rule == SCEN_INTERVAL_YOUNG  ? WORK_INTERVAL_YOUNG
                : sc->checkpoint.rule == SCEN_INTERVAL_DALY ? WORK_INTERVAL_DALY
                                                            : WORK_INTERVAL_GIVEN,
        .interval_ms = sc->checkpoint.interval_ms,
        .write_ms = sc->checkpoint.write_ms,
        .restart_ms = sc->checkpoint.restart_ms,
        .async = sc->checkpoint.async,
        .stall_ms = sc->checkpoint.stall_ms,
        .on_evict = sc->checkpoint.on_evict || !sc->checkpoint.given};
    open_startup(sc, &config);
    config.overheads = sc->policy.overheads;
    open_faults(s, &config);
    open_spot(s, &config);
    outages_join(&s->outages, &config.faults);
    open_elastic(s, &config);
    config.gpu_memory = sc->gpu_memory;
    config.changes = sc->changes;
    config.change_count = sc->change_count;
    config.closed = sc->closed;
    config.think_max_ms = sc->think_max_ms;
    config.seed = s->seed;
    config.warmup_ms = sc->window.warmup_ms;
    config.horizon_ms = sc->window.horizon_ms;
    config.drain = sc->window.drain;
    config.drain_cap_ms = sc->window.drain_cap_ms;
    config.tick_ms = sc->mode == SCEN_FILL || options->pilot ? 0 : sc->outputs.timeline_ms;
    config.audit = options->audit;
    open_services(s, options, &config);
    config.facts = options->facts;
    config.stopwatch = options->stopwatch;
    config.keep_going = options->keep_going;
    config.keep_going_self = options->keep_going_self;
    return sim_create(&s->sim, &config, s->trace, err);
}

bool simulation_run(struct simulation *s, int64_t until_ms, struct err *err)
{
    if (s->scenario->mode == SCEN_FILL)
        return sim_fill(s->sim, s->fill_jobs, s->fill_order, s->fill_order_count, err);
    return sim_run(s->sim, until_ms, err);
}

bool simulation_time(const char *option, const char *text, int64_t first_submit_ms, int64_t *at_ms,
                     struct err *err)
{
    const int64_t most = INT64_MAX / 2; /* so that differences of two times fit */
    size_t n = strlen(text);
    bool on_clock = text_scaled(text, n, 3, at_ms);
    bool ok = (on_clock || text_duration_ms(text, n, at_ms)) && *at_ms >= -most && *at_ms <= most;
    if (ok && !on_clock)
        *at_ms += first_submit_ms;
    return ok || err_set(err, EXIT_INPUT,
                         "%s '%s': expected seconds on the trace's clock, or a duration since the "
                         "first submission such as 2h",
                         option, text);
}

void simulation_close(struct simulation *s)
{
    sim_destroy(s->sim);
    services_destroy(s->services);
    free(s->observers);
    outages_close(&s->outages);
    fault_merge_destroy(s->merge);
    spot_source_destroy(s->spot);
    fault_source_destroy(s->faults);
    fault_switches_fini(&s->switches);
    network_close(s->network);
    start_close(s->start);
    workload_close(s);
    free(s->typical);
    free(s->elastic);
    fleet_fini(&s->fleet);
    symbols_destroy(s->names.queues);
    symbols_destroy(s->names.users);
    symbols_destroy(s->names.gpu_types);
    symbols_destroy(s->names.models);
    symbols_destroy(s->names.nodes);
    *s = (struct simulation){0};
}

bool simulation_again(struct simulation *s, struct simulation_options *options, struct err *err)
{
    if (options->sort || s->sim == NULL || !s->sim->unsorted)
        return false;
    simulation_close(s);
    options->sort = true;
    *err = (struct err){0};
    return true;
}
