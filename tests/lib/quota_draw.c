/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random clusters for the quota policy; see quota_draw.h. */
#include "tests/lib/quota_draw.h"

#include "tests/lib/draw.h"
#include "tests/lib/harness.h"

#include <string.h>

uint64_t quota_draw(struct quota_draw *draw)
{
    return test_draw(&draw->state);
}

int32_t quota_below(struct quota_draw *draw, int32_t n)
{
    return (int32_t)(quota_draw(draw) % (uint64_t)n);
}

bool quota_chance(struct quota_draw *draw, int32_t percent)
{
    return quota_below(draw, 100) < percent;
}

/* ---- profiles and topologies ---- */

enum { KEY_BLOCK = 1, KEY_RACK = 2, KEY_KIND = 3 };

void quota_draw_basis(struct quota_world *w, struct policy *p)
{
    static const int32_t profiles[][2] = {{1, 1}, {2, 2}, {3, 4}, {7, 8}};
    static const uint32_t levels[] = {KEY_BLOCK, KEY_RACK};
    for (uint32_t i = 0; i < (uint32_t)ROWS(profiles); i++) {
        w->slices[i] = profiles[i][0];
        w->memory_slices[i] = profiles[i][1];
        ck_assert_int_eq(policy_set_mig_profile(p, w->now, i, profiles[i][0], profiles[i][1]),
                         POLICY_OK);
    }
    ck_assert_int_eq(policy_set_topology(p, w->now, 1, levels, 2), POLICY_OK);
}

/* ---- nodes ---- */

void quota_draw_node(struct quota_draw *draw, struct quota_node *n, uint32_t rank)
{
    static const int32_t sizes[] = {0, 1, 2, 2, 4, 4, 8, 8};
    static const int32_t modes[] = {POLICY_MIG_OFF,  POLICY_MIG_OFF,    POLICY_MIG_OFF,
                                    POLICY_MIG_OFF,  POLICY_MIG_SINGLE, POLICY_MIG_FIXED,
                                    POLICY_MIG_FREE, POLICY_MIG_FREE};
    static const int32_t instances[][POLICY_MAX_PROFILES] = {
        {4, 1, 0, 0}, {0, 2, 2, 0}, {7, 0, 0, 1}};
    memset(n, 0, sizeof *n);
    bool large = draw->crowded && quota_chance(draw, 80);
    n->exists = true;
    n->state = POLICY_NODE_UP;
    n->spec = (struct policy_node_spec){
        .size = sizeof n->spec,
        .devices = large ? 8 : sizes[quota_below(draw, ROWS(sizes))],
        .type = (uint32_t)quota_below(draw, 2),
        .pool = (uint32_t)quota_below(draw, QUOTA_POOLS),
        .rank = rank,
        .max_tasks = !large && quota_chance(draw, 15) ? 1 + quota_below(draw, 8) : POLICY_UNLIMITED,
        .cpu_milli = POLICY_UNLIMITED,
        .mem_mib = POLICY_UNLIMITED,
        .labels = n->labels,
        .whole_only = !large && quota_chance(draw, 5),
    };
    bool inside = quota_chance(draw, 90);
    if (inside) {
        n->labels[n->spec.label_count++] =
            (struct policy_label){KEY_BLOCK, (uint32_t)quota_below(draw, 2)};
        n->labels[n->spec.label_count++] =
            (struct policy_label){KEY_RACK, (uint32_t)quota_below(draw, 3)};
    }
    if (quota_chance(draw, 70))
        n->labels[n->spec.label_count++] =
            (struct policy_label){KEY_KIND, (uint32_t)quota_below(draw, 3)};
    n->usable = n->spec.devices == 0 ? 0 : ~UINT64_C(0) >> (64 - n->spec.devices);
    if (draw->plain || large)
        return;
    n->spec.mig = modes[quota_below(draw, ROWS(modes))];
    n->spec.mig_instances =
        n->spec.mig == POLICY_MIG_FIXED ? instances[quota_below(draw, ROWS(instances))] : NULL;
    n->spec.device_mem_mib =
        quota_chance(draw, 60) ? 1000 * (8 + quota_below(draw, 73)) + quota_below(draw, 100) : 0;
    if (quota_chance(draw, 60))
        n->spec.cpu_milli = 1000 * (1 + quota_below(draw, 32));
    if (quota_chance(draw, 60))
        n->spec.mem_mib = 1000 * (1 + quota_below(draw, 64));
}

/* ---- queues ---- */

static struct policy_share draw_share(struct quota_draw *draw, int64_t unit, int32_t unlimited)
{
    if (draw->crowded && unlimited > 50)
        return (struct policy_share){POLICY_UNLIMITED, POLICY_UNLIMITED, 1000};
    return (struct policy_share){
        .quota = quota_chance(draw, unlimited) ? POLICY_UNLIMITED
                                               : unit * quota_below(draw, draw->crowded ? 4 : 7),
        .limit = quota_chance(draw, 75) ? POLICY_UNLIMITED : unit * quota_below(draw, 12),
        .weight = 500 * quota_below(draw, 5),
    };
}

void quota_draw_queue(struct quota_draw *draw, struct quota_queue *q, uint32_t parent,
                      uint32_t rank, uint32_t *pools)
{
    memset(q, 0, sizeof *q);
    q->exists = true;
    q->spec = (struct policy_queue_spec){
        .size = sizeof q->spec,
        .parent = {parent},
        .priority = quota_chance(draw, 70) ? 100 : 50 * quota_below(draw, 5),
        .rank = rank,
        .created = quota_below(draw, 3),
        .gpu = draw_share(draw, 1000, 15),
        .cpu = draw_share(draw, 4000, 70),
        .mem = draw_share(draw, 8000, 70),
        .pools = pools,
        .preempt_min_runtime_ms =
            quota_chance(draw, 70) ? POLICY_INHERIT : 1000 * quota_below(draw, 60),
        .reclaim_min_runtime_ms =
            quota_chance(draw, 70) ? POLICY_INHERIT : 1000 * quota_below(draw, 60),
    };
    q->spec.fixed_milli = quota_chance(draw, 85) ? 0 : 500 * quota_below(draw, 7);
    if (q->spec.gpu.quota != POLICY_UNLIMITED && q->spec.fixed_milli > q->spec.gpu.quota)
        q->spec.fixed_milli = q->spec.gpu.quota;
    if (q->spec.gpu.limit != POLICY_UNLIMITED && q->spec.fixed_milli > q->spec.gpu.limit)
        q->spec.fixed_milli = q->spec.gpu.limit;
    if (quota_chance(draw, 80))
        return;
    for (uint32_t pool = 0; pool < QUOTA_POOLS; pool++)
        if (quota_chance(draw, 60)) {
            pools[q->spec.pool_count++] = pool;
            q->pools |= UINT32_C(1) << pool;
        }
}

/* ---- jobs ---- */

static struct policy_request draw_request(struct quota_draw *draw)
{
    static const int32_t devices[] = {1, 1, 1, 2, 2, 3, 4, 8};
    static const int32_t mig[][POLICY_MAX_PROFILES] = {{1},          {0, 1}, {0, 0, 1},
                                                       {0, 0, 0, 1}, {2},    {1, 1}};
    static const uint32_t values[] = {0, 1, 2};
    static const struct policy_term terms[] = {
        {KEY_KIND, 1, values}, {KEY_KIND, 2, values + 1}, {KEY_BLOCK, 1, values + 1}};
    struct policy_request r = {0};
    int32_t kind = quota_below(draw, draw->plain || draw->crowded ? 80 : 100);
    if (kind < 60 && draw->crowded)
        r.devices = 1 + quota_below(draw, 3);
    else if (kind < 50)
        r.devices = devices[quota_below(draw, ROWS(devices))];
    else if (kind < 70)
        r = (struct policy_request){.devices = quota_chance(draw, 85) ? 1 : 2,
                                    .device_milli = 100 * (1 + quota_below(draw, 10))};
    else if (kind >= 80 && kind < 90)
        r = (struct policy_request){.devices = quota_chance(draw, 85) ? 1 : 2,
                                    .device_mem_mib = 1000 * (1 + quota_below(draw, 40))};
    else if (kind >= 90)
        r.mig = mig[quota_below(draw, ROWS(mig))];
    r.cpu_milli = quota_chance(draw, 40) || kind < 80 ? 500 * quota_below(draw, 8) : 0;
    r.mem_mib = quota_chance(draw, 40) ? 500 * quota_below(draw, 12) : 0;
    if (draw->crowded && quota_chance(draw, 90))
        return r;
    r.types = quota_chance(draw, 85) ? 0 : UINT64_C(1) << quota_below(draw, 2);
    if (quota_chance(draw, 15)) {
        r.terms = &terms[quota_below(draw, ROWS(terms))];
        r.term_count = 1;
    }
    return r;
}

static struct policy_constraint draw_constraint(struct quota_draw *draw, int32_t percent)
{
    struct policy_constraint k = {0, 0, 0};
    if (!quota_chance(draw, percent))
        return k;
    k.topology = 1;
    k.required = quota_below(draw, 3);
    k.preferred = quota_below(draw, 3);
    if (quota_chance(draw, 5))
        *(quota_chance(draw, 50) ? &k.topology : &k.required) = quota_chance(draw, 50) ? -1 : 3;
    return k;
}

static int32_t draw_roles(struct quota_draw *draw, struct quota_job *job, struct policy_role *roles)
{
    int32_t tasks = 0;
    struct policy_role *first = &roles[0];
    int32_t of_set = 0;
    for (uint32_t i = 0; i < job->spec.role_count; i++) {
        bool joined = i > 0 && quota_chance(draw, 30);
        roles[i] = (struct policy_role){
            .size = sizeof *roles,
            .tasks = 1 + quota_below(draw, 4),
            .min_tasks = 1,
            .joined = joined,
            .group = joined ? first->group : quota_below(draw, (int32_t)job->spec.group_count + 1),
            .topology = joined ? first->topology : draw_constraint(draw, 10),
            .request = draw_request(draw),
        };
        first = joined ? first : &roles[i];
        of_set = joined ? of_set + roles[i].tasks : roles[i].tasks;
        first->min_tasks = quota_chance(draw, 50) ? of_set : 1 + quota_below(draw, of_set);
        tasks += roles[i].tasks;
    }
    return tasks;
}

void quota_draw_job(struct quota_draw *draw, struct quota_job *job, policy_queue queue,
                    policy_time now, uint64_t rank)
{
    static const int32_t priorities[] = {50, 50, 50, 75, 100, 125};
    static const uint32_t role_counts[] = {1, 1, 1, 1, 2, 2, 3, 4};
    memset(job, 0, sizeof *job);
    int32_t priority = priorities[quota_below(draw, ROWS(priorities))];
    bool small = draw->crowded && quota_chance(draw, 80);
    job->spec = (struct policy_job_spec){
        .size = sizeof job->spec,
        .queue = queue,
        .priority = priority,
        .preemptible = quota_chance(draw, 90) ? priority < 100 : quota_chance(draw, 50),
        .rank = rank,
        .submitted = now - (now > 0 ? quota_below(draw, 1000) : 0),
        .eligible = quota_chance(draw, 10) ? now + 1000 * quota_below(draw, 40) : 0,
        .run_ms = quota_chance(draw, 60) ? -1 : 1000 * quota_below(draw, 100),
        .limit_ms = quota_chance(draw, 60) ? -1 : 1000 * quota_below(draw, 200),
        .roles = job->roles,
        .role_count = small ? 1 : role_counts[quota_below(draw, ROWS(role_counts))],
        .groups = job->groups,
        .group_count = quota_chance(draw, 15) ? 1 + (uint32_t)quota_below(draw, QUOTA_GROUPS) : 0,
        .topology = draw_constraint(draw, small ? 5 : 20),
        .workload = quota_chance(draw, 75) ? POLICY_TRAIN : 1 + quota_below(draw, 2),
        .interactive_limit_ms = quota_chance(draw, 90) ? 0 : 10000 + 1000 * quota_below(draw, 60),
    };
    if (job->spec.run_ms > 0) /* of any slack, and none of its own draws */
        job->spec.deadline = now + 1 + job->spec.run_ms * 7919 % 97000;
    for (uint32_t g = 0; g < job->spec.group_count; g++)
        job->groups[g] = (struct policy_group){.parent = quota_below(draw, (int32_t)g + 1),
                                               .topology = draw_constraint(draw, 30)};
    (void)draw_roles(draw, job, job->roles);
}

/* ---- options ---- */

struct drawn_option {
    const char *name;
    const char *values[17];
};

static const struct drawn_option options[] = {
    {"actions",
     {"allocate,consolidate,reclaim,preempt,stale,limits", "reclaim", "reclaim,preempt,stale",
      "allocate,reclaim", NULL}},
    {"gpu_placement", {"binpack", "spread", NULL}},
    {"cpu_placement", {"binpack", "spread", NULL}},
    {"device_placement", {"pack", "spread", NULL}},
    {"fairness", {"true", "false", NULL}},
    {"priorities", {"true", "false", NULL}},
    {"node_predicates", {"true", "false", NULL}},
    {"consolidating_reclaim", {"true", "false", NULL}},
    {"consolidation_victims", {"0", "1", "16", "-1", NULL}},
    {"saturation_multiplier", {"1", "1.2", "3", NULL}},
    {"staleness_grace_s", {"-1", "0", "5", "60", NULL}},
    {"full_hierarchy", {"true", "false", NULL}},
    {"usage_k", {"0", "1", "5", NULL}},
    {"usage_window", {"given", "sliding", "tumbling", NULL}},
    {"usage_window_s", {"10", "600", "604800", NULL}},
    {"usage_half_life_s", {"0", "20", "300", NULL}},
    {"queue_depth", {"-1", "0", "1", "3", NULL}},
    {"signatures", {"true", "false", NULL}},
    {"protection", {"lca", "queue", NULL}},
    {"preempt_min_runtime_s", {"0", "10", "60", NULL}},
    {"reclaim_min_runtime_s", {"0", "10", "60", NULL}},
    {"backfill", {"false", "true", NULL}},
    {"interactive_limit_s", {"0", "30", NULL}},
    {"workday_end_s", {"-1", "60", "3600", NULL}},
    {"idle_limit_s", {"0", "20", NULL}},
    {"idle_grace_s", {"0", "30", NULL}},
    {"idle_grace_train_s", {"0", "30", NULL}},
    {"idle_below", {"0.05", "0.5", NULL}},
    {"seed", {"0", "7", NULL}},
    /* Drawn separately, so that older seeds give the same runs. */
    {"over_quota", {"true", "false", NULL}},
    {"reversal_s", {"600", "0", "30", NULL}},
    {"priority_weight_age", {"0", "1000", NULL}},
    {"priority_weight_fairshare", {"0", "10000", NULL}},
    {"priority_weight_job_size", {"0", "1000", NULL}},
    {"priority_weight_partition", {"0", "1000", NULL}},
    {"priority_weight_qos", {"0", "1000", NULL}},
    {"priority_max_age_s", {"1", "60", "604800", NULL}},
    {"priority_decay_half_life_s", {"0", "20", NULL}},
    {"priority_calc_period_s", {"1", "30", NULL}},
    {"priority_favor_small", {"false", "true", NULL}},
    {"order", {"priority", "fifo", "sjf", "multifactor", NULL}},
    {"placement",
     {"binpack", "spread", "first-fit", "best-fit", "consolidated", "random", "fgd-best-fit", "fgd",
      "fgd-exact", "dot-product", "gpu-packing", "gpu-clustering", "least-allocated",
      "most-allocated", "topology", NULL}},
    {"backfill", {"conservative", NULL}},
    {"backfill_depth", {"1", "3", NULL}},
};

enum { FIRST_NEWER = 29 };

static const struct drawn_option pod_options[] = {
    {"actions", {"allocate,preempt", "allocate", NULL}},
    {"score", {"least-allocated", "most-allocated", NULL}},
    {"pod_order", {"job", "turns", NULL}},
    {"victims", {"lower", "preemptible", NULL}},
    {"device_placement", {"pack", "spread", NULL}},
    {"node_predicates", {"true", "false", NULL}},
    {"seed", {"0", "7", NULL}},
    {"placement",
     {"binpack", "spread", "first-fit", "best-fit", "consolidated", "random", "fgd-best-fit", "fgd",
      "fgd-exact", "dot-product", "gpu-packing", "gpu-clustering", "least-allocated",
      "most-allocated", "topology", NULL}},
};

const char *const *quota_option_values(const char *option)
{
    for (int32_t i = 0; i < ROWS(options); i++)
        if (strcmp(options[i].name, option) == 0)
            return options[i].values;
    for (int32_t i = 0; i < ROWS(pod_options); i++)
        if (strcmp(pod_options[i].name, option) == 0)
            return pod_options[i].values;
    return NULL;
}

static void draw_option(struct quota_draw *draw, const struct drawn_option *option, int32_t often,
                        struct policy_config *config)
{
    int32_t values = 0;
    while (option->values[values] != NULL)
        values++;
    if (!quota_chance(draw, often))
        return;
    struct policy_error error = {0};
    const char *value = option->values[quota_below(draw, values)];
    ck_assert_msg(policy_config_set(config, option->name, value, &error) == POLICY_OK, "%s",
                  error.message);
}

void quota_draw_pod_options(struct quota_draw *draw, struct policy_config *config)
{
    for (int32_t i = 0; i < ROWS(pod_options); i++)
        draw_option(draw, &pod_options[i], 50, config);
}

/* Options of priority are only valid together and with their order. */
static void complete_priorities(struct policy_config *config)
{
    bool takes = strcmp(policy_order_row((size_t)config->order)->name, "multifactor") == 0;
    if (!takes)
        config->multifactor = (struct policy_multifactor_options){0};
    if (takes && config->multifactor.max_age_ms == 0)
        ck_assert_int_eq(policy_config_set(config, "priority_max_age_s", "60", NULL), POLICY_OK);
    if (takes && config->multifactor.calc_period_ms == 0)
        ck_assert_int_eq(policy_config_set(config, "priority_calc_period_s", "30", NULL),
                         POLICY_OK);
}

void quota_draw_options(struct quota_draw *draw, struct policy_config *config)
{
    int32_t often = quota_chance(draw, 33) ? 60 : 6;
    struct quota_draw newer = *draw;
    newer.state ^= UINT64_C(0x5851f42d4c957f2d);
    for (int32_t i = 0; i < ROWS(options); i++)
        if (i < FIRST_NEWER)
            draw_option(draw, &options[i], i == 0 ? 40 : often,
                        config); /* the actions: often without allocate */
        else
            draw_option(&newer, &options[i], often, config);
    complete_priorities(config);
}
