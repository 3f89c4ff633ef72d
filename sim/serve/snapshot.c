/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Facts of the state become nodes and queues of a snapshot; see snapshot.h. */
#include "sim/serve/snapshot.h"

#include "report/record/snapshot_history.h"
#include "sim/base/err.h"
#include "sim/base/mem.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the facts ---- */

static void keep_line(void *self, struct text *line)
{
    struct shot *shot = self;
    shot->lines = mem_grow(shot->lines, &shot->capacity, shot->count + 1, sizeof *shot->lines);
    struct fact_line *kept = &shot->lines[shot->count++];
    *kept = (struct fact_line){.kind = LINE_FACT};
    text_put(line, "}");
    BUG_ON(line->failed || !fact_line_read(kept, line->bytes, line->length));
}

static const struct fact *fact_at(const struct shot *shot, size_t i)
{
    return &shot->lines[i].fact;
}

/* Slices without a profile name, or a third profile of the same slices, cannot be in a snapshot. */
static void name_profiles(struct shot *shot)
{
    static const int32_t slices[8] = {[1] = 1, [2] = 2, [3] = 4, [4] = 4, [7] = 8};
    for (size_t i = 0; i < shot->count && !shot->failed; i++) {
        const struct fact *f = fact_at(shot, i);
        if (f->kind != FACT_MIG_PROFILE)
            continue;
        bool known = f->compute > 0 && f->compute < 8 && slices[f->compute] > 0 &&
                     (f->memory == slices[f->compute] || (f->compute == 1 && f->memory == 2));
        char name[sizeof *shot->profiles];
        (void)snprintf(name, sizeof name, "%dg.%dgb", (int)f->compute % 10,
                       10 * ((int)f->memory % 100));
        int same = 0;
        for (uint32_t k = 0; k < POLICY_MAX_PROFILES; k++)
            same += k != f->number && strncmp(shot->profiles[k], name, strlen(name)) == 0;
        (void)snprintf(shot->profiles[f->number], sizeof name, "%.11s%s", name,
                       same > 0 ? "+me" : "");
        if (!known || same > 1)
            shot->failed = !err_set(
                shot->err, EXIT_INPUT,
                "MIG profile %u: no name says that it takes %d compute and %d memory slices",
                (unsigned)f->number, (int)f->compute, (int)f->memory);
    }
}

void shot_label(char text[16], uint32_t number)
{
    (void)snprintf(text, 16, "%010" PRIu32, number);
}

/* ---- topologies and nodes ---- */

static const struct fact *find_topology(const struct shot *shot, int32_t number)
{
    for (size_t i = 0; i < shot->count && fact_at(shot, i)->kind != FACT_NODE_ADD;
         i++) /* these come first */
        if (fact_at(shot, i)->kind == FACT_TOPOLOGY && fact_at(shot, i)->number == (uint32_t)number)
            return fact_at(shot, i);
    return NULL;
}

/* A level, by number from 1; "" none. */
static void put_level(const struct fact *topology, const char *key, int32_t level, struct json *j)
{
    char text[16] = "";
    if (level < 0 || (level > 0 && (topology == NULL || (uint32_t)level > topology->count)))
        (void)snprintf(text, sizeof text, "unknown");
    else if (level > 0)
        shot_label(text, ((const uint32_t *)topology->spec)[level - 1]);
    json_text(j, key, text);
}

void shot_constraint(struct shot *shot, const struct policy_constraint *c, struct json *j)
{
    char name[32];
    if (c->topology == 0)
        return;
    const struct fact *topology = find_topology(shot, c->topology);
    (void)snprintf(name, sizeof name, "topology-%d", (int)c->topology);
    json_begin_object(j, "topology");
    json_text(j, "topology", name);
    put_level(topology, "required", c->required, j);
    put_level(topology, "preferred", c->preferred, j);
    json_end_object(j);
}

static void put_topology(const struct fact *f, struct json *j)
{
    char text[32];
    const uint32_t *levels = f->spec;
    json_begin_object(j, NULL);
    (void)snprintf(text, sizeof text, "topology-%u", (unsigned)f->number);
    json_text(j, "name", text);
    json_begin_array(j, "levels");
    for (uint32_t i = 0; i < f->count; i++) {
        shot_label(text, levels[i]);
        json_text(j, NULL, text);
    }
    json_end_array(j);
    json_end_object(j);
}

static void put_numbered(struct json *j, const char *key, const char *kind, uint32_t number)
{
    char text[32];
    (void)snprintf(text, sizeof text, "%s-%u", kind, (unsigned)number);
    json_text(j, key, text);
}

static void put_mig(const struct shot *shot, const struct policy_node_spec *spec, struct json *j)
{
    static const char *const modes[] = {"off", "single", "mixed", "dynamic"};
    json_text(j, "mig", modes[spec->mig]);
    json_begin_object(j, "mig_profiles");
    for (int i = 0; i < POLICY_MAX_PROFILES && spec->mig == POLICY_MIG_FIXED; i++)
        if (spec->mig_instances != NULL && spec->mig_instances[i] > 0)
            json_i64(j, shot->profiles[i], spec->mig_instances[i]);
    json_end_object(j);
}

static void put_condition(const struct shot_name *node, struct json *j)
{
    static const char *const states[] = {[POLICY_NODE_UP] = "up",
                                         [POLICY_NODE_DRAINING] = "draining",
                                         [POLICY_NODE_DOWN] = "down",
                                         [POLICY_NODE_OFF] = "off",
                                         [POLICY_NODE_ORDERED] = "ordered"};
    json_text(j, "state", states[node->state]);
    json_begin_array(j, "unusable_devices");
    for (uint64_t rest = node->unusable; rest != 0; rest &= rest - 1)
        json_i64(j, NULL, __builtin_ctzll(rest));
    json_end_array(j);
}

static void put_node(const struct shot *shot, const struct fact *f, struct json *j)
{
    const struct policy_node_spec *spec = f->spec;
    json_begin_object(j, NULL);
    json_text(j, "name", shot_name(shot->nodes, f->node.i, 0));
    json_i64(j, "gpus", spec->devices);
    put_numbered(j, "gpu_type", "type", spec->type);
    json_i64(j, "gpu_mem_mib", spec->device_mem_mib);
    json_i64(j, "cpu_milli", spec->cpu_milli);
    json_i64(j, "mem_mib", spec->mem_mib);
    json_i64(j, "max_tasks", spec->max_tasks);
    put_mig(shot, spec, j);
    put_condition(shot_find(shot->nodes, f->node.i, 0), j);
    json_i64(j, "rank", spec->rank);
    put_numbered(j, "pool", "pool", spec->pool);
    json_bool(j, "whole_only", spec->whole_only);
    json_begin_object(j, "labels");
    for (uint32_t i = 0; i < spec->label_count; i++) {
        char key[16], value[16];
        shot_label(key, spec->labels[i].key);
        shot_label(value, spec->labels[i].value);
        json_text(j, key, value);
    }
    json_end_object(j);
    json_end_object(j);
}

static void put_offer(const struct fact *f, struct json *j)
{
    const struct policy_offer *offer = f->spec;
    json_begin_object(j, NULL);
    put_numbered(j, "pool", "pool", offer->pool);
    json_i64(j, "min", offer->least);
    json_i64(j, "max", offer->most);
    json_f64(j, "usd_per_hour", (double)offer->price / 1e6, 6);
    json_seconds(j, "delay", offer->delay_ms);
    json_seconds(j, "idle_down", offer->idle_ms);
    json_seconds(j, "after", offer->wait_ms);
    json_seconds(j, "min_billing", offer->least_paid_ms);
    json_end_object(j);
}

/* ---- queues ---- */

/* Leaves the object open. */
static void put_share(const char *key, const struct policy_share *share, struct json *j)
{
    json_begin_object(j, key);
    json_i64(j, "quota", share->quota);
    json_i64(j, "limit", share->limit);
    json_seconds(j, "weight", share->weight); /* thousandths too */
}

/* Pools that share a quota have one key, with '|' between their names. */
static void put_pool_quotas(const struct policy_queue_spec *spec, struct json *j)
{
    json_begin_object(j, "by_pool");
    for (uint32_t i = 0, end; i < spec->by_pool_count; i = end) {
        char *key = mem_format("pool-%" PRIu32, spec->by_pool[i].pool);
        for (end = i + 1; end < spec->by_pool_count && spec->by_pool[end].joined; end++) {
            char *longer = mem_format("%s|pool-%" PRIu32, key, spec->by_pool[end].pool);
            free(key);
            key = longer;
        }
        json_i64(j, key, spec->by_pool[i].quota);
        free(key);
    }
    json_end_object(j);
}

static void put_shares(const struct policy_queue_spec *spec, struct json *j)
{
    put_share("gpu", &spec->gpu, j);
    if (spec->fixed_milli > 0)
        json_i64(j, "fixed", spec->fixed_milli);
    if (spec->by_pool_count > 0)
        put_pool_quotas(spec, j);
    json_end_object(j);
    put_share("cpu", &spec->cpu, j);
    json_end_object(j);
    put_share("mem", &spec->mem, j);
    json_end_object(j);
}

static void put_usage(const struct policy_amounts *ppm, struct json *j)
{
    if (ppm == NULL)
        return;
    json_begin_object(j, "usage");
    json_f64(j, "gpu", (double)ppm->gpu / 1e6, 6);
    json_f64(j, "cpu", (double)ppm->cpu / 1e6, 6);
    json_f64(j, "mem", (double)ppm->mem / 1e6, 6);
    json_end_object(j);
}

static void put_queue(const struct shot *shot, const struct fact *f, struct json *j)
{
    const struct shot_name *known = shot_find(shot->queues, f->queue.i, 0);
    const struct policy_queue_spec *spec = known->changed != NULL ? known->changed : f->spec;
    const char *parent = shot_name(shot->queues, spec->parent.i, 0);
    json_begin_object(j, NULL);
    json_text(j, "name", shot_name(shot->queues, f->queue.i, 0));
    json_text(j, "parent", spec->parent.i != POLICY_NO_ID && parent != NULL ? parent : "");
    json_i64(j, "priority", spec->priority);
    json_i64(j, "created_ms", spec->created);
    json_i64(j, "rank", spec->rank);
    put_shares(spec, j);
    if (spec->preempt_min_runtime_ms != POLICY_INHERIT)
        json_seconds(j, "preempt_min_runtime_s", spec->preempt_min_runtime_ms);
    if (spec->reclaim_min_runtime_ms != POLICY_INHERIT)
        json_seconds(j, "reclaim_min_runtime_s", spec->reclaim_min_runtime_ms);
    if (spec->suspended)
        json_bool(j, "suspended", true);
    if (spec->ordered_pools)
        json_bool(j, "ordered_pools", true);
    if (spec->strict_order)
        json_bool(j, "strict_order", true);
    if (spec->spans_pools)
        json_bool(j, "gangs_span_pools", true);
    put_usage(known->usage, j);
    json_begin_array(j, "pools");
    for (uint32_t i = 0; i < spec->pool_count; i++)
        put_numbered(j, NULL, "pool", spec->pools[i]);
    json_end_array(j);
    json_end_object(j);
}

/* ---- what the policy remembers ---- */

static const char *job_name(const void *of, policy_job core)
{
    const struct shot *shot = of;
    const char *unused;
    policy_job job = fact_map_their_job(shot->map, core, &unused);
    return job.i != POLICY_NO_ID ? shot_name(shot->jobs, job.i, job.gen) : NULL;
}

static const char *queue_name(const void *of, policy_queue core)
{
    const struct shot *shot = of;
    struct policy_history h = {.job = {POLICY_NO_ID, 0}, .queue = core, .node = {POLICY_NO_ID}};
    fact_map_history(shot->map, &h);
    return shot_name(shot->queues, h.queue.i, 0);
}

static const char *node_name(const void *of, policy_node core)
{
    const struct shot *shot = of;
    struct policy_history h = {.job = {POLICY_NO_ID, 0}, .queue = {POLICY_NO_ID}, .node = core};
    fact_map_history(shot->map, &h);
    return shot_name(shot->nodes, h.node.i, 0);
}

static const char *user_name(const void *of, uint32_t user)
{
    const struct shot *shot = of;
    (void)snprintf(shot->user, SHOT_USER, "user-%u", (unsigned)user);
    return shot->user;
}

/* ---- the whole ---- */

static void put_policy(const struct fact_policy *about, struct json *j)
{
    json_begin_object(j, "policy");
    json_text(j, "name", about->name);
    json_begin_object(j, "options");
    bool has_seed = false;
    for (uint32_t i = 0; i < about->option_count; i++) {
        json_text(j, about->options[i].name, about->options[i].value);
        has_seed = has_seed || strcmp(about->options[i].name, "seed") == 0;
    }
    char seed[32];
    (void)snprintf(seed, sizeof seed, "%" PRIu64, about->seed);
    if (!has_seed && about->seed != 0)
        json_text(j, "seed", seed);
    json_end_object(j);
    json_end_object(j);
}

/* Facts after the jobs concern nodes and queues. */
static void place_conditions(const struct shot *shot)
{
    for (size_t i = 0; i < shot->count; i++) {
        const struct fact *f = fact_at(shot, i);
        struct shot_name *node = shot_find(shot->nodes, f->node.i, 0);
        struct shot_name *queue = shot_find(shot->queues, f->queue.i, 0);
        if (f->kind == FACT_NODE_STATE && node != NULL)
            node->state = f->state;
        else if (f->kind == FACT_DEVICE_HEALTH && node != NULL)
            node->unusable |= UINT64_C(1) << f->number;
        else if (f->kind == FACT_USAGE && queue != NULL)
            queue->usage = f->spec;
        else if (f->kind == FACT_QUEUE_SET && queue != NULL)
            queue->changed = f->spec;
    }
}

static int by_rank(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Ranks have 64 bits, which JSON readers would round: what counts is their order. */
static void rank_jobs(struct shot *shot)
{
    shot->ranks = mem_alloc(shot->count + 1, sizeof *shot->ranks);
    for (size_t i = 0; i < shot->count; i++)
        if (fact_at(shot, i)->kind == FACT_JOB_ADD)
            shot->ranks[shot->rank_count++] =
                ((const struct policy_job_spec *)fact_at(shot, i)->spec)->rank;
    qsort(shot->ranks, shot->rank_count, sizeof *shot->ranks, by_rank);
}

static void collect(struct shot *shot, const struct service_source *from)
{
    (void)service_state_tell(from->state, from->policy, from->map, from->now,
                             (struct state_sink){keep_line, shot});
    shot_name_all(shot, FACT_NODE_ADD, "node", &shot->nodes);
    shot_name_all(shot, FACT_QUEUE_ADD, "queue", &shot->queues);
    shot_name_all(shot, FACT_JOB_ADD, "job", &shot->jobs);
    name_profiles(shot);
    place_conditions(shot);
    rank_jobs(shot);
}

/* All facts of one kind as a list. */
static void put_list(struct shot *shot, const char *key, int32_t kind, struct json *j)
{
    json_begin_array(j, key);
    for (size_t i = 0; i < shot->count; i++) {
        const struct fact *f = fact_at(shot, i);
        if (f->kind != kind)
            continue;
        if (kind == FACT_TOPOLOGY)
            put_topology(f, j);
        else if (kind == FACT_NODE_ADD)
            put_node(shot, f, j);
        else if (kind == FACT_OFFER)
            put_offer(f, j);
        else if (kind == FACT_QUEUE_ADD)
            put_queue(shot, f, j);
        else
            shot_job(shot, i, j);
    }
    json_end_array(j);
}

static bool has_offers(const struct shot *shot)
{
    for (size_t i = 0; i < shot->count; i++)
        if (fact_at(shot, i)->kind == FACT_OFFER)
            return true;
    return false;
}

static void put_all(struct shot *shot, const struct service_source *from, struct out *out)
{
    const struct snapshot_names names = {shot, job_name, queue_name, node_name, user_name};
    struct json j;
    json_init(&j, out, 0);
    json_begin_object(&j, NULL);
    json_i64(&j, "fauxfleet_snapshot", 1);
    json_i64(&j, "now_ms", from->now != INT64_MIN ? from->now : 0);
    put_policy(from->about, &j);
    put_list(shot, "topologies", FACT_TOPOLOGY, &j);
    put_list(shot, "nodes", FACT_NODE_ADD, &j);
    if (has_offers(shot))
        put_list(shot, "offers", FACT_OFFER, &j);
    put_list(shot, "queues", FACT_QUEUE_ADD, &j);
    put_list(shot, "jobs", FACT_JOB_ADD, &j);
    json_begin_array(&j, "history");
    snapshot_history(from->policy, &names, out);
    json_end_array(&j);
    json_end_object(&j);
}

static void shot_fini(struct shot *shot)
{
    for (size_t i = 0; i < shot->count; i++)
        fact_line_fini(&shot->lines[i]);
    free(shot->lines);
    free(shot->ranks);
    shot_forget_names(&shot->nodes);
    shot_forget_names(&shot->queues);
    shot_forget_names(&shot->jobs);
}

bool service_snapshot(const struct service_source *from, struct out *out, struct err *err)
{
    char user[SHOT_USER] = "";
    struct shot shot = {.map = from->map, .now = from->now, .user = user, .err = err};
    collect(&shot, from);
    if (!shot.failed)
        put_all(&shot, from, out);
    shot_fini(&shot);
    return !shot.failed;
}

static void put_line(struct out *out, struct text *answer)
{
    size_t n;
    const char *bytes = out_memory_text(out, &n);
    text_put(answer, ", \"snapshot\": ");
    for (size_t at = 0; at < n;) {
        size_t length = strcspn(bytes + at, "\n");
        text_bytes(answer, bytes + at, length);
        at += length + 1;
    }
}

bool service_snapshot_put(const struct service_source *from, const cJSON *request,
                          struct text *answer, struct err *err)
{
    const cJSON *file = cJSON_GetObjectItemCaseSensitive(request, "file");
    if (file != NULL && !cJSON_IsString(file))
        return err_set(err, EXIT_INPUT, "'file': expected the name of a file");
    struct out *out = file != NULL ? out_open(file->valuestring, err) : out_memory();
    bool ok = out != NULL && service_snapshot(from, out, err);
    if (ok && file != NULL) {
        out_text(out, "\n");
        return out_close(out, err);
    }
    if (ok)
        put_line(out, answer);
    if (out != NULL)
        out_discard(out);
    return ok;
}
