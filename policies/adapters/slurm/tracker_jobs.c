/* SPDX-License-Identifier: MIT */
/* Jobs: how they are reported to the core, where they run, and how they are forgotten. */
#include "policies/adapters/slurm/tracker_internal.h"

#include "policies/adapters/slurm/load.h"
#include "policies/adapters/slurm/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_PRIORITY 1000000000

/* ---- messages ---- */

void track_say(struct tracker *t, const char *format, ...)
{
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    t->at.say(t->at.of, line);
}

struct track_note *track_find_note(const struct tracker *t, struct view_key key)
{
    struct track_note *note = NULL;
    HASH_FIND(hh, t->notes, &key, sizeof key, note);
    return note;
}

struct track_note *track_note(struct tracker *t, struct view_key key)
{
    struct track_note *note = track_find_note(t, key);
    if (note == NULL) {
        note = memory_get(1, sizeof *note);
        note->key = key;
        HASH_ADD(hh, t->notes, key, sizeof note->key, note);
    }
    note->seen = t->views;
    return note;
}

void track_complain(struct tracker *t, const struct view_job *job, const char *why)
{
    struct track_note *note = track_note(t, job->key);
    if (note->said == why)
        return;
    note->said = why;
    track_say(t, "job %s is left alone: %s", job->id, why);
}

void track_check(struct tracker *t, const struct track_job *job, const char *fact, int status)
{
    if (status != POLICY_OK)
        track_say(t, "job %s: the policy core refuses '%s': %s", job->id, fact,
                  policy_last_error(t->policy)->message);
}

/* ---- reporting a job ---- */

static bool matches(const char *wanted, const char *has)
{
    return *wanted == '\0' || strcmp(wanted, has) == 0;
}

static struct config_rule rule_for(const struct tracker *t, const struct view_job *job)
{
    const struct config *c = t->at.config;
    for (size_t i = 0; i < c->rule_count; i++)
        if (matches(c->rules[i].partition, job->partition) &&
            matches(c->rules[i].account, job->account) && matches(c->rules[i].qos, job->qos))
            return c->rules[i];
    return (struct config_rule){.priority = 50, .workload = POLICY_TRAIN, .preemptible = true};
}

bool track_is_marked(const struct view_job *job)
{
    return strncmp(job->comment, LOAD_TAKEN, strlen(LOAD_TAKEN)) == 0;
}

void track_mark(const struct view_job *job, char mark[TRACK_MARK])
{
    (void)snprintf(mark, TRACK_MARK, "%s%lld", LOAD_TAKEN, (long long)(job->submit_ms / 1000));
}

/* Slurm updates the submit time on requeue; the mark has the original one. */
static int64_t submitted_ms(const struct view_job *job)
{
    if (track_is_marked(job)) {
        long long seconds = strtoll(job->comment + strlen(LOAD_TAKEN), NULL, 10);
        if (seconds > 0 && seconds * 1000 < job->submit_ms)
            return seconds * 1000;
    }
    return job->submit_ms;
}

static int32_t priority_of(const struct config_rule *rule, const struct view_job *job)
{
    int64_t priority = (int64_t)rule->priority - job->nice;
    if (priority > MOST_PRIORITY)
        return MOST_PRIORITY;
    return priority < -MOST_PRIORITY ? -MOST_PRIORITY : (int32_t)priority;
}

/* Slurm gives a stopped job a begin time; that is not the job's own. */
static policy_time eligible_ms(struct tracker *t, const struct view_job *job)
{
    const struct track_note *note = track_find_note(t, job->key);
    policy_time own = job->restarts == 0 ? job->begin_ms : 0;
    policy_time later = note != NULL && note->not_before_ms > own ? note->not_before_ms : own;
    return later > t->now ? later : 0;
}

static struct track_job *remember(struct tracker *t, const struct view_job *from,
                                  const struct request *request, policy_job core)
{
    struct track_job *job = memory_get(1, sizeof *job);
    job->key = from->key;
    job->id = memory_text(from->id);
    job->core = core;
    job->request = *request;
    job->places = memory_get(request->nodes, sizeof *job->places);
    job->since_ms = t->now;
    job->limit_ms = from->limit_ms;
    job->restarts = from->restarts;
    job->seen = t->views;
    HASH_ADD(hh, t->jobs, key, sizeof job->key, job);
    if (core.i >= t->by_core_room) {
        size_t room = (size_t)core.i * 2 + 16;
        t->by_core = memory_resize(t->by_core, room, sizeof(struct track_job *));
        t->by_core_room = room;
    }
    t->by_core[core.i] = job;
    return job;
}

struct track_job *track_find(const struct tracker *t, struct view_key key)
{
    struct track_job *job = NULL;
    HASH_FIND(hh, t->jobs, &key, sizeof key, job);
    return job;
}

/* Only the quota policy has labels; if queues are partitions, pools replace the partition's
 * label. */
static bool wish_for_partition(struct tracker *t, const struct view *view,
                               const struct view_job *job, struct request *request,
                               const char **why)
{
    char name[128];
    track_first_name(name, sizeof name, job->partition);
    const struct view_partition *partition = view_find_partition(view, name);
    if (partition != NULL && !partition->up) {
        *why = "its partition is not up";
        return false;
    }
    if (!t->at.config->by_account || !track_is_partial(view, partition))
        return true;
    return request_add_label(request, request_label(&t->world, "partition", name), why);
}

bool track_request(struct tracker *t, const struct view *view, const struct view_job *from,
                   struct request *request, const char **why)
{
    return request_of(request, &t->world, from, why) &&
           wish_for_partition(t, view, from, request, why);
}

/* A request and the roles that describe it; release with plan_fini(). */
struct plan {
    struct request request;
    struct policy_role *roles;
    uint32_t role_count;
    int32_t *gpus; /* per task; NULL: the request's */
    struct policy_term terms[REQUEST_TERMS];
};

static void plan_fini(struct plan *plan)
{
    free(plan->roles);
    free(plan->gpus);
}

static struct policy_role role_of(const struct plan *plan, int32_t tasks, int32_t gpus)
{
    return (struct policy_role){
        .size = sizeof(struct policy_role),
        .tasks = tasks,
        .min_tasks = tasks,
        .request = {.devices = gpus,
                    .cpu_milli = plan->request.cpu_milli,
                    .mem_mib = plan->request.mem_mib,
                    .types = plan->request.types,
                    .terms = plan->request.label_count > 0 ? plan->terms : NULL,
                    .term_count = plan->request.label_count}};
}

static bool plan_wishes(struct plan *plan, struct tracker *t, const struct view *view,
                        const struct view_job *from, const char **why)
{
    static const uint32_t yes = 0;
    if (!track_request(t, view, from, &plan->request, why))
        return false;
    for (uint32_t i = 0; i < plan->request.label_count; i++)
        plan->terms[i] = (struct policy_term){plan->request.labels[i], 1, &yes};
    plan->roles = memory_get(1, sizeof *plan->roles);
    plan->roles[0] = role_of(plan, (int32_t)plan->request.nodes, plan->request.gpus);
    plan->role_count = 1;
    return true;
}

static int compare_places(const void *a, const void *b)
{
    const struct view_place *x = a, *y = b;
    if (x->gpus != y->gpus)
        return x->gpus > y->gpus ? -1 : 1;
    return x->node < y->node ? -1 : x->node > y->node;
}

/* Places with the most GPUs first, so that equal ones form one role; to be freed. */
static struct view_place *sorted_places(const struct view_job *from)
{
    struct view_place *places = memory_get(from->place_count, sizeof *places);
    memcpy(places, from->places, from->place_count * sizeof *places);
    qsort(places, from->place_count, sizeof *places, compare_places);
    return places;
}

/* As it runs, whatever it requested. */
static bool plan_places(struct plan *plan, struct tracker *t, const struct view_job *from,
                        const char **why)
{
    struct request *r = &plan->request;
    *why = "it runs nowhere";
    if (from->place_count == 0 || from->place_count > UINT16_MAX)
        return false;
    struct view_place *places = sorted_places(from);
    *r = (struct request){.nodes = from->place_count, .gpus = places[0].gpus};
    int64_t cpus = (from->cpus + r->nodes - 1) / r->nodes;
    r->cpu_milli = t->world.counts_cpus ? cpus * 1000 : 0;
    r->mem_mib = t->world.counts_memory ? from->mem_mib * (from->mem_per_cpu ? cpus : 1) : 0;
    plan->gpus = memory_get(r->nodes, sizeof *plan->gpus);
    plan->roles = memory_get(r->nodes, sizeof *plan->roles);
    for (uint32_t i = 0; i < r->nodes; i++) {
        plan->gpus[i] = places[i].gpus;
        if (i > 0 && places[i].gpus == places[i - 1].gpus) {
            plan->roles[plan->role_count - 1].tasks++;
            plan->roles[plan->role_count - 1].min_tasks++;
        } else {
            plan->roles[plan->role_count++] = role_of(plan, 1, places[i].gpus);
        }
    }
    free(places);
    return true;
}

static policy_job submit(struct tracker *t, const struct view_job *from, const struct plan *plan,
                         policy_queue queue)
{
    const struct config_rule rule = rule_for(t, from);
    int64_t submitted = submitted_ms(from);
    const struct policy_job_spec spec = {
        .size = sizeof spec,
        .queue = queue,
        .priority = priority_of(&rule, from),
        .preemptible = rule.preemptible && from->may_requeue,
        .rank = (uint64_t)from->key.job << 32 |
                (from->key.task == VIEW_NO_TASK ? 0 : from->key.task + 1),
        .submitted = submitted < t->now ? submitted : t->now,
        .eligible = plan->gpus == NULL ? eligible_ms(t, from) : 0,
        .run_ms = from->limit_ms, // Slurm's best knowledge
        .limit_ms = from->limit_ms,
        .roles = plan->roles,
        .role_count = plan->role_count,
        .workload = rule.workload,
        .user = from->user + 1,
    };
    return facts_submit(t->at.facts, t->now, &spec, from->id);
}

/* Pending jobs as they requested; others as they run. */
static struct track_job *make_known(struct tracker *t, const struct view *view,
                                    const struct view_job *from, bool runs)
{
    const char *why = "";
    struct plan plan = {.role_count = 0};
    policy_queue queue = {POLICY_NO_ID};
    policy_job core = {POLICY_NO_ID, 0};
    if (runs ? plan_places(&plan, t, from, &why) : plan_wishes(&plan, t, view, from, &why))
        queue = track_queue(t, view, from, &why);
    if (queue.i != POLICY_NO_ID) {
        core = submit(t, from, &plan, queue);
        why = policy_last_error(t->policy)->message;
    }
    struct track_job *job = NULL;
    if (core.i != POLICY_NO_ID) {
        job = remember(t, from, &plan.request, core);
        job->gpus = plan.gpus;
        plan.gpus = NULL;
    } else {
        track_complain(t, from, why);
    }
    plan_fini(&plan);
    return job;
}

struct track_job *track_submit(struct tracker *t, const struct view *view,
                               const struct view_job *from)
{
    return make_known(t, view, from, false);
}

/* ---- places ---- */

void track_free_places(struct tracker *t, struct track_job *job)
{
    for (uint32_t i = 0; i < job->request.nodes; i++) {
        struct track_place *place = &job->places[i];
        if (!place->taken)
            continue;
        t->nodes[place->node].used &= ~place->devices;
        t->nodes[place->node].tasks--;
        *place = (struct track_place){.taken = false};
    }
    job->placed = 0;
}

/* The lowest unused devices for the job's request on a node; 0 if there are too few. */
static uint64_t free_devices(const struct track_node *node, int32_t wanted)
{
    uint64_t all = node->gpus >= 64 ? UINT64_MAX : (UINT64_C(1) << node->gpus) - 1;
    uint64_t left = all & ~node->used, chosen = 0;
    for (int32_t i = 0; i < wanted && left != 0; i++, left &= left - 1)
        chosen |= left & (~left + 1);
    return __builtin_popcountll(chosen) == wanted ? chosen : 0;
}

bool track_has_node(const struct track_job *job, uint32_t node)
{
    for (uint32_t i = 0; i < job->request.nodes; i++)
        if (job->places[i].taken && job->places[i].node == node)
            return true;
    return false;
}

/* Jobs that are to start on the node lose to jobs that already run there: their starts have
 * failed. */
static void make_room(struct tracker *t, uint32_t node, int32_t wanted)
{
    struct track_job *job, *next;
    for (job = t->jobs; job != NULL && wanted > 0 && free_devices(&t->nodes[node], wanted) == 0;
         job = next) {
        next = job->hh.next;
        if (job->state > TRACK_STARTING || !track_has_node(job, node))
            continue;
        if (job->state == TRACK_STARTING)
            track_start_failed(t, job);
        else
            track_give_back(t, job);
    }
}

static bool adopt_task(struct tracker *t, struct track_job *job, uint32_t task, uint32_t node,
                       int64_t since)
{
    make_room(t, node, job->gpus[task]);
    uint64_t devices = free_devices(&t->nodes[node], job->gpus[task]);
    if (devices == 0 && job->gpus[task] > 0) {
        track_say(t, "job %s runs on %s, where the policy knows of fewer than %d free GPUs",
                  job->id, t->nodes[node].name, job->gpus[task]);
        return false;
    }
    int status =
        facts_running(t->at.facts, t->now, job->core, task, t->nodes[node].core, devices, since);
    track_check(t, job, "task_running", status);
    if (status == POLICY_OK)
        track_place(t, job, task, node, devices);
    return status == POLICY_OK;
}

void track_place(struct tracker *t, struct track_job *job, uint32_t task, uint32_t node,
                 uint64_t devices)
{
    job->places[task] = (struct track_place){node, devices, true};
    job->placed++;
    t->nodes[node].used |= devices;
    t->nodes[node].tasks++;
}

struct track_job *track_adopt(struct tracker *t, const struct view *view,
                              const struct view_job *from)
{
    struct track_job *job = make_known(t, view, from, true);
    if (job == NULL)
        return NULL;
    struct view_place *places = sorted_places(from);
    int64_t since = from->start_ms < t->now ? from->start_ms : t->now;
    bool ok = true;
    for (uint32_t i = 0; ok && i < from->place_count; i++)
        ok = places[i].node != UINT32_MAX &&
             adopt_task(t, job, i, t->from_view[places[i].node], since);
    free(places);
    job->state = TRACK_RUNNING;
    if (ok)
        return job;
    track_complain(t, from, "it runs where the policy core cannot have it");
    if (job->placed > 0)
        track_check(t, job, "task_ended",
                    facts_ended(t->at.facts, t->now, job->core, POLICY_EVICTED));
    track_cancel(t, job);
    return NULL;
}

/* ---- the end ---- */

void track_forget(struct tracker *t, struct track_job *job)
{
    track_free_places(t, job);
    t->by_core[job->core.i] = NULL;
    HASH_DEL(t->jobs, job);
    free(job->places);
    free(job->gpus);
    free(job->id);
    free(job);
}

void track_give_back(struct tracker *t, struct track_job *job)
{
    track_check(t, job, "start_failed", facts_start_failed(t->at.facts, t->now, job->core));
    track_free_places(t, job);
}

void track_cancel(struct tracker *t, struct track_job *job)
{
    if (job->state == TRACK_WAITING && job->placed > 0)
        track_give_back(t, job);
    track_check(t, job, "job_cancel", facts_cancel(t->at.facts, t->now, job->core));
    track_forget(t, job);
}

/* Retries with increasing delay: after 5 s, 10 s, ... up to 10 minutes. */
void track_start_failed(struct tracker *t, struct track_job *job)
{
    struct track_note *note = track_note(t, job->key);
    int64_t wait_ms = note->failures < 7 ? INT64_C(5000) << note->failures : 600000;
    note->failures++;
    note->not_before_ms = t->now + wait_ms;
    track_say(t, "job %s did not start: again in %lld s", job->id, (long long)(wait_ms / 1000));
    track_give_back(t, job);
    track_cancel(t, job);
}
