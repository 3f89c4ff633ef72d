/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a snapshot: one line for each node, queue and job. */
#include "report/record/snapshot.h"
#include "report/record/snapshot_history.h"
#include "report/record/snapshot_life.h"

#include "sim/base/json.h"
#include "sim/base/mem.h"

#include <stdio.h>
#include <stdlib.h>

#define TOPOLOGY "fabric"

/*
 * Begins a line of a list, with a comma unless it is the first, and returns a JSON writer for its
 * object.
 */
static struct json line(struct out *out, bool first)
{
    struct json j;
    out_text(out, first ? "\n  " : ",\n  ");
    json_init(&j, out, 0);
    return j;
}

/* ---- nodes ---- */

static void topologies(const struct sim *sim, struct out *out)
{
    struct json j = line(out, true);
    json_begin_object(&j, NULL);
    json_text(&j, "name", TOPOLOGY);
    json_begin_array(&j, "levels");
    for (uint32_t i = 0; i < sim->fleet->level_count; i++)
        json_text(&j, NULL, sim->fleet->levels[i].name);
    json_end_array(&j);
    json_end_object(&j);
}

static void mig(const struct sim *sim, const struct fleet_node *node, struct json *j)
{
    static const char *const modes[] = {[POLICY_MIG_OFF] = "off",
                                        [POLICY_MIG_SINGLE] = "single",
                                        [POLICY_MIG_FIXED] = "mixed",
                                        [POLICY_MIG_FREE] = "dynamic"};
    json_text(j, "mig", modes[node->mig]);
    if (node->mig != POLICY_MIG_FIXED || node->parts == NULL)
        return;
    json_begin_object(j, "mig_profiles");
    for (int i = 0; i < sim->fleet->profile_count; i++)
        if (node->parts->instances[i] > 0)
            json_i64(j, sim->fleet->profiles[i].name, node->parts->instances[i]);
    json_end_object(j);
}

static const char *state_of(const struct fleet_node *node)
{
    if (node->off)
        return node->away > 0 || node->draining > 0 ? "down" : "off";
    return node->away > 0       ? "down"
           : node->ordered      ? "ordered"
           : node->draining > 0 ? "draining"
                                : "up";
}

static void one_node(const struct sim *sim, uint32_t id, struct json *j)
{
    const struct fleet_node *node = &sim->fleet->nodes[id];
    json_begin_object(j, NULL);
    json_text(j, "name", node->name);
    json_i64(j, "gpus", node->gpus);
    json_text(j, "gpu_type", symbols_name(sim->config.names.gpu_types, node->gpu_type));
    json_i64(j, "gpu_mem_mib", node->device_mem_mib);
    json_i64(j, "cpu_milli", node->cpu_milli);
    json_i64(j, "mem_mib", node->mem_mib);
    json_i64(j, "max_tasks", node->max_tasks);
    mig(sim, node, j);
    json_text(j, "state", state_of(node));
    if (fleet_is_tested(node) && !node->off)
        json_bool(j, "burn_in", true);
    json_i64(j, "rank", node->rank);
    json_text(j, "pool", sim->fleet->pools[node->pool].name);
    json_bool(j, "whole_only", node->whole_only);
    json_begin_object(j, "labels");
    for (uint32_t i = 0; i < sim->fleet->level_count; i++)
        json_text(j, sim->fleet->levels[i].name, fleet_domain_name(sim->fleet, i, id));
    json_end_object(j);
    json_end_object(j);
}

/* ---- offers ---- */

static void one_offer(const struct sim *sim, uint32_t pool, struct json *j)
{
    const struct sim_elastic_pool *terms = &sim->config.elastic.of_pool[pool];
    json_begin_object(j, NULL);
    json_text(j, "pool", sim->fleet->pools[pool].name);
    json_i64(j, "min", terms->least);
    json_i64(j, "max", terms->most);
    json_f64(j, "usd_per_hour", (double)terms->price_micro_usd_h / 1e6, 6);
    json_seconds(j, "delay", sim_elastic_delay(terms));
    json_seconds(j, "idle_down", terms->idle_ms);
    json_seconds(j, "after", terms->wait_ms);
    json_seconds(j, "min_billing", terms->least_paid_ms);
    json_end_object(j);
}

static void offers(const struct sim *sim, struct out *out)
{
    bool first = true;
    if (sim->elastic_book == NULL)
        return;
    out_text(out, "],\n \"offers\": [");
    for (uint32_t i = 0; i < sim->fleet->pool_count; i++) {
        const struct sim_elastic_pool *terms = &sim->config.elastic.of_pool[i];
        if (!terms->given || terms->most == 0 || terms->planned)
            continue;
        struct json j = line(out, first);
        one_offer(sim, i, &j);
        first = false;
    }
}

/* ---- queues ---- */

static void share(const char *key, const struct policy_share *share, struct json *j)
{
    json_begin_object(j, key);
    json_i64(j, "quota", share->quota);
    json_i64(j, "limit", share->limit);
    json_seconds(j, "weight", share->weight); /* also in thousandths */
}

/* Pools that share a quota have one key, with '|' between their names. */
static void pool_quotas(const struct sim *sim, const struct sim_queue *queue, struct json *j)
{
    if (queue->by_pool_count == 0)
        return;
    json_begin_object(j, "by_pool");
    for (uint32_t i = 0, end; i < queue->by_pool_count; i = end) {
        struct out *names = out_memory();
        out_text(names, sim->fleet->pools[queue->by_pool[i].pool].name);
        for (end = i + 1; end < queue->by_pool_count && queue->by_pool[end].joined; end++)
            out_format(names, "|%s", sim->fleet->pools[queue->by_pool[end].pool].name);
        json_i64(j, out_memory_text(names, NULL), queue->by_pool[i].quota);
        out_discard(names);
    }
    json_end_object(j);
}

static void runtime(const char *key, int64_t ms, struct json *j)
{
    if (ms != POLICY_INHERIT)
        json_seconds(j, key, ms);
}

static void usage(const struct sim *sim, const struct sim_queue *queue, struct json *j)
{
    struct policy_queue_info info = {.size = sizeof info};
    if (policy_queue_info(sim->policy, queue->core, &info) != POLICY_OK ||
        (info.usage_ppm.gpu == 0 && info.usage_ppm.cpu == 0 && info.usage_ppm.mem == 0))
        return;
    json_begin_object(j, "usage");
    json_f64(j, "gpu", (double)info.usage_ppm.gpu / 1e6, 6);
    json_f64(j, "cpu", (double)info.usage_ppm.cpu / 1e6, 6);
    json_f64(j, "mem", (double)info.usage_ppm.mem / 1e6, 6);
    json_end_object(j);
}

static void one_queue(const struct sim *sim, size_t id, struct json *j)
{
    const struct sim_queue *queue = &sim->queues[id];
    json_begin_object(j, NULL);
    json_text(j, "name", queue->name);
    json_text(j, "parent", queue->parent >= 0 ? sim->queues[queue->parent].name : "");
    json_i64(j, "priority", queue->priority);
    json_i64(j, "created_ms", queue->created_ms);
    json_i64(j, "rank", (int64_t)id);
    share("gpu", &queue->gpu, j);
    if (queue->fixed_milli > 0)
        json_i64(j, "fixed", queue->fixed_milli);
    pool_quotas(sim, queue, j);
    json_end_object(j);
    share("cpu", &queue->cpu, j);
    json_end_object(j);
    share("mem", &queue->mem, j);
    json_end_object(j);
    runtime("preempt_min_runtime_s", queue->preempt_min_runtime_ms, j);
    runtime("reclaim_min_runtime_s", queue->reclaim_min_runtime_ms, j);
    if (queue->suspended)
        json_bool(j, "suspended", true);
    if (queue->ordered_pools)
        json_bool(j, "ordered_pools", true);
    if (queue->strict_order)
        json_bool(j, "strict_order", true);
    if (queue->spans_pools)
        json_bool(j, "gangs_span_pools", true);
    usage(sim, queue, j);
    if (queue->pool_count > 0) {
        json_begin_array(j, "pools");
        for (uint32_t i = 0; i < queue->pool_count; i++)
            json_text(j, NULL, sim->fleet->pools[queue->pools[i]].name);
        json_end_array(j);
    }
    json_end_object(j);
}

/* ---- jobs ---- */

static const char *level(const struct sim *sim, int8_t number)
{
    return number > 0 ? sim->fleet->levels[number - 1].name : number < 0 ? "unknown" : "";
}

static void constraint(const struct sim *sim, int8_t required, int8_t preferred, struct json *j)
{
    if (required == 0 && preferred == 0)
        return;
    json_begin_object(j, "topology");
    json_text(j, "topology", TOPOLOGY);
    json_text(j, "required", level(sim, required));
    json_text(j, "preferred", level(sim, preferred));
    json_end_object(j);
}

static void types(const struct sim *sim, uint64_t set, struct json *j)
{
    if (set == 0)
        return;
    struct out *names = out_memory();
    for (uint64_t rest = set; rest != 0; rest &= rest - 1) {
        out_text(names, rest == set ? "" : "|");
        out_text(names, symbols_name(sim->config.names.gpu_types, (uint32_t)__builtin_ctzll(rest)));
    }
    json_text(j, "gpu_types", out_memory_text(names, NULL));
    out_discard(names);
}

static void request(const struct sim *sim, const struct work_job *job, uint32_t number,
                    struct json *j)
{
    const struct work_request *r = work_request_of(job, number);
    int32_t devices = work_devices(job, number);
    if (r->profile > 0) {
        json_begin_object(j, "mig");
        json_i64(j, sim->fleet->profiles[r->profile - 1].name, 1);
        json_end_object(j);
    } else if (r->device_mem_mib > 0 || (r->milli > 0 && r->milli < POLICY_WHOLE)) {
        json_i64(j, r->device_mem_mib > 0 ? "gpu_mem_mib" : "gpu_milli",
                 r->device_mem_mib > 0 ? r->device_mem_mib : r->milli);
        json_i64(j, "devices_wanted", devices);
    } else {
        json_i64(j, "gpus", devices);
    }
    json_i64(j, "cpu_milli", r->cpu_milli);
    json_i64(j, "mem_mib", r->mem_mib);
    types(sim, r->types, j);
}

static void place(const struct sim *sim, const struct work_task *task, struct json *j)
{
    json_text(j, "state", task->release_ms == WORK_NEVER ? "running" : "releasing");
    json_text(j, "node", sim->fleet->nodes[task->node].name);
    json_begin_array(j, "devices");
    for (uint64_t rest = task->devices; rest != 0; rest &= rest - 1)
        json_i64(j, NULL, __builtin_ctzll(rest));
    json_end_array(j);
    if (task->release_ms != WORK_NEVER)
        json_i64(j, "release_ms", task->release_ms);
}

/* Returns each task's index in the table of tasks, or WORK_NONE; the caller frees it. */
static uint32_t *places(const struct sim *sim, const struct work_job *job)
{
    uint32_t *at = mem_alloc((size_t)job->most_tasks, sizeof *at);
    for (int32_t i = 0; i < job->most_tasks; i++)
        at[i] = WORK_NONE;
    for (uint32_t id = job->first_task; id != WORK_NONE; id = sim->work.tasks[id].next)
        at[sim->work.tasks[id].number] = id;
    return at;
}

/* ---- roles and groups ---- */

#define ROLE_TEXT (WORK_NAME + 16)

/* A policy that does not see gangs sees one role. */
static bool has_roles(const struct sim *sim, const struct work_job *job)
{
    return job->parts != NULL && !sim->config.single_tasks;
}

/* Readers order roles and groups by name; the number preserves their order. */
static const char *role_name(const struct work_job *job, uint32_t part, char text[ROLE_TEXT])
{
    while (job->parts[part].joined)
        part--;
    (void)snprintf(text, ROLE_TEXT, "%04u-%s", part, job->parts[part].name);
    return text;
}

static void roles(const struct sim *sim, const struct work_job *job, struct json *j)
{
    char text[ROLE_TEXT];
    json_begin_array(j, "roles");
    if (!has_roles(sim, job)) {
        json_begin_object(j, NULL);
        json_text(j, "name", "workers");
        json_i64(j, "min_tasks",
                 sim->config.single_tasks ? 1 : job->min_tasks); /* as the policy sees it */
        json_end_object(j);
    }
    for (uint32_t i = 0; has_roles(sim, job) && i < job->part_count; i++) {
        const struct work_part *part = &job->parts[i];
        if (part->joined)
            continue;
        json_begin_object(j, NULL);
        json_text(j, "name", role_name(job, i, text));
        json_i64(j, "min_tasks", part->min_tasks);
        constraint(sim, part->required, part->preferred, j);
        json_end_object(j);
    }
    json_end_array(j);
}

/* Prints the groups inside `parent` (1 + its index, or 0) with their roles. */
static void groups(const struct sim *sim, const struct work_job *job, int32_t parent,
                   struct json *j)
{
    char text[ROLE_TEXT];
    json_begin_array(j, "groups");
    for (uint32_t i = 0; i < job->group_count; i++) {
        const struct work_group *group = &job->groups[i];
        if (group->parent != parent)
            continue;
        json_begin_object(j, NULL);
        (void)snprintf(text, sizeof text, "%03u-%s", i, group->name);
        json_text(j, "name", text);
        constraint(sim, group->required, group->preferred, j);
        json_begin_array(j, "roles");
        for (uint32_t r = 0; r < job->part_count; r++)
            if (!job->parts[r].joined && job->parts[r].group == (int32_t)i + 1)
                json_text(j, NULL, role_name(job, r, text));
        json_end_array(j);
        groups(sim, job, (int32_t)i + 1, j);
        json_end_object(j);
    }
    json_end_array(j);
}

static void tasks(const struct sim *sim, const struct work_job *job, struct json *j)
{
    char text[ROLE_TEXT];
    uint32_t part = 0;
    uint32_t *at = places(sim, job);
    int digits = snprintf(NULL, 0, "%d", job->most_tasks - 1);
    json_begin_array(j, "tasks");
    for (uint32_t i = 0; i < (uint32_t)job->most_tasks; i++) {
        char *id = mem_format("%s-%0*u", work_id(job), digits, i);
        json_begin_object(j, NULL);
        json_text(j, "id", id);
        while (part + 1 < job->part_count && job->parts[part + 1].first <= i)
            part++;
        json_text(j, "role", has_roles(sim, job) ? role_name(job, part, text) : "workers");
        if (at[i] != WORK_NONE)
            place(sim, &sim->work.tasks[at[i]], j);
        else
            json_text(j, "state", job->stopping ? "gated" : "pending");
        request(sim, job, i, j);
        json_end_object(j);
        free(id);
    }
    json_end_array(j);
    free(at);
}

static void one_job(const struct sim *sim, const struct work_job *job, struct json *j)
{
    static const char *const workloads[TRACE_CLASSES] = {
        [TRACE_BUILD] = "build", [TRACE_INFERENCE] = "inference"};
    json_begin_object(j, NULL);
    json_text(j, "id", work_id(job));
    json_text(j, "queue", sim->queues[job->queue].name);
    json_i64(j, "priority", job->priority);
    json_bool(j, "preemptible", job->preemptible);
    json_i64(j, "submit_ms", job->submit_ms);
    if (job->eligible_ms > job->submit_ms) /* also in the past: age may count from there */
        json_i64(j, "eligible_ms", job->eligible_ms);
    if (job->start_ms == WORK_NEVER)
        json_null(j, "last_start_ms");
    else
        json_i64(j, "last_start_ms", job->start_ms);
    json_i64(j, "rank", (int64_t)job->number);
    json_seconds(j, "run_s", job->duration_ms);
    if (job->limit_ms >= 0)
        json_seconds(j, "time_limit_s", job->limit_ms);
    if (job->suspended)
        json_bool(j, "suspended", true);
    if (job->deadline_ms != TRACE_UNKNOWN)
        json_i64(j, "deadline_ms", job->deadline_ms);
    json_text(j, "workload", workloads[job->class] != NULL ? workloads[job->class] : "train");
    snapshot_life(sim, job, j);
    constraint(sim, job->required, job->preferred, j);
    roles(sim, job, j);
    if (has_roles(sim, job) && job->group_count > 0)
        groups(sim, job, 0, j);
    tasks(sim, job, j);
    json_end_object(j);
}

static int by_number(const void *a, const void *b)
{
    uint64_t x = (*(const struct work_job *const *)a)->number;
    uint64_t y = (*(const struct work_job *const *)b)->number;
    return (x > y) - (x < y); /* numbers are unique */
}

static void jobs(const struct sim *sim, struct out *out)
{
    const struct work_job **list = mem_alloc(sim->work.capacity + 1, sizeof *list);
    size_t n = 0;
    for (size_t i = 0; i < sim->work.capacity; i++)
        if (sim->work.jobs[i].state == WORK_RUNNING || sim->work.jobs[i].state == WORK_PENDING)
            list[n++] = &sim->work.jobs[i];
    qsort(list, n, sizeof *list, by_number);
    for (size_t i = 0; i < n; i++) {
        struct json j = line(out, i == 0);
        one_job(sim, list[i], &j);
    }
    free(list);
}

/* ---- policy history ---- */

static const char *job_name(const void *of, policy_job job)
{
    const struct sim *sim = of;
    const struct work_job *found = job.i < sim->work.capacity ? &sim->work.jobs[job.i] : NULL;
    return found != NULL && found->state != WORK_FREE && found->core.gen == job.gen ? work_id(found)
                                                                                    : NULL;
}

static const char *queue_name(const void *of, policy_queue queue)
{
    const struct sim *sim = of;
    for (size_t i = 0; i < sim->queue_count; i++)
        if (sim->queues[i].core.i == queue.i)
            return sim->queues[i].name;
    return NULL;
}

static const char *node_name(const void *of, policy_node node)
{
    const struct sim *sim = of;
    return node.i < sim->fleet->node_count ? sim->fleet->nodes[node.i].name : NULL;
}

static const char *user_name(const void *of, uint32_t user)
{
    const struct sim *sim = of;
    return symbols_name(sim->config.names.users, user - 1);
}

static void history(const struct sim *sim, struct out *out)
{
    const struct snapshot_names names = {sim, job_name, queue_name, node_name, user_name};
    snapshot_history(sim->policy, &names, out);
}

/* ---- the whole ---- */

static void policy(const struct snapshot_about *about, struct out *out)
{
    struct json j;
    json_init(&j, out, 0);
    json_begin_object(&j, NULL);
    json_text(&j, "name", about->policy);
    json_begin_object(&j, "options");
    for (size_t i = 0; i < about->option_count; i++)
        json_text(&j, about->options[i].name, about->options[i].value);
    json_end_object(&j);
    json_end_object(&j);
}

bool snapshot_print(const struct sim *sim, const struct snapshot_about *about, struct out *out,
                    struct err *err)
{
    if (sim->counts)
        return err_set(
            err, EXIT_INPUT,
            "a snapshot needs the nodes of tasks, but this placement only counts devices");
    for (size_t i = 0; i < sim->work.capacity; i++)
        if (sim->work.jobs[i].state != WORK_FREE && sim->work.jobs[i].richer)
            return err_set(err, EXIT_INPUT,
                           "job '%s' came from a snapshot with details (such as labels) that a "
                           "snapshot of a simulation cannot hold",
                           work_id(&sim->work.jobs[i]));
    out_format(out, "{\"fauxfleet_snapshot\": 1, \"now_ms\": %lld,\n \"policy\": ",
               (long long)sim->now_ms);
    policy(about, out);
    out_text(out, ",\n \"topologies\": [");
    topologies(sim, out);
    out_text(out, "],\n \"nodes\": [");
    for (uint32_t i = 0; i < sim->fleet->node_count; i++) {
        struct json j = line(out, i == 0);
        one_node(sim, i, &j);
    }
    offers(sim, out);
    out_text(out, "],\n \"queues\": [");
    for (size_t i = 0; i < sim->queue_count; i++) {
        struct json j = line(out, i == 0);
        one_queue(sim, i, &j);
    }
    out_text(out, "],\n \"jobs\": [");
    jobs(sim, out);
    out_text(out, "],\n \"history\": [");
    history(sim, out);
    out_text(out, "]}\n");
    return true;
}
