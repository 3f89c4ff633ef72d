/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The picture of a cluster under the quota policy; see quota_world.h. */
#include "tests/lib/quota_world.h"

#include "tests/lib/harness.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

_Noreturn void quota_fail(const struct quota_run_name *name, const char *condition,
                          const char *format, ...)
{
    char text[512];
    va_list list;
    va_start(list, format);
    (void)vsnprintf(text, sizeof text, format, list);
    va_end(list);
    ck_abort_msg("FAUXFLEET_SEED=%" PRIu64 ", step %" PRIu32 " (%s): %s [%s]", name->seed,
                 name->step, name->doing, text, condition);
}

/* ---- requests ---- */

uint32_t quota_set_of(const struct quota_job *job, uint32_t task)
{
    uint32_t set = 0;
    for (uint32_t i = 0; i < job->spec.role_count; i++) {
        set += i > 0 && !job->roles[i].joined;
        if (task < (uint32_t)job->roles[i].tasks)
            break;
        task -= (uint32_t)job->roles[i].tasks;
    }
    return set;
}

uint32_t quota_sets(const struct quota_job *job)
{
    return quota_set_of(job, job->tasks - 1) + 1;
}

int32_t quota_minimum(const struct quota_job *job, uint32_t set)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < job->spec.role_count; i++) {
        if (job->roles[i].joined)
            continue;
        if (at++ == set)
            return job->roles[i].min_tasks;
    }
    return 0;
}

const struct policy_role *quota_role_of(const struct quota_job *job, uint32_t task)
{
    uint32_t i = 0;
    while (task >= (uint32_t)job->roles[i].tasks)
        task -= (uint32_t)job->roles[i++].tasks;
    return &job->roles[i];
}

bool quota_is_share(const struct policy_request *r)
{
    return r->devices > 0 &&
           (r->device_mem_mib > 0 || (r->device_milli > 0 && r->device_milli < POLICY_WHOLE));
}

/* The units of one device of the node: hundreds of MiB, or thousandths. */
static int64_t capacity_of(const struct policy_node_spec *spec)
{
    return spec->device_mem_mib >= 100 ? spec->device_mem_mib / 100 * 100 : POLICY_WHOLE;
}

static int64_t units_of(const struct policy_node_spec *spec, const struct policy_request *r)
{
    if (r->device_mem_mib > 0)
        return r->device_mem_mib;
    return quota_is_share(r) ? r->device_milli * capacity_of(spec) / POLICY_WHOLE
                             : capacity_of(spec);
}

static int64_t mig_milli(const struct quota_world *w, const struct policy_request *r)
{
    int64_t milli = 0;
    for (uint32_t i = 0; r->mig != NULL && i < POLICY_MAX_PROFILES; i++)
        milli += (int64_t)r->mig[i] * w->slices[i] * POLICY_WHOLE;
    return milli;
}

static int64_t shares_milli(const struct policy_request *r)
{
    return (int64_t)r->devices * (quota_is_share(r) ? r->device_milli : POLICY_WHOLE);
}

struct quota_amounts quota_weigh_on(const struct quota_world *w, const struct policy_request *r,
                                    uint32_t node)
{
    int64_t capacity = capacity_of(&w->nodes[node].spec);
    int64_t gpu = r->mig != NULL    ? mig_milli(w, r)
                  : r->devices == 0 ? 0
                  : r->device_mem_mib > 0
                      ? (r->device_mem_mib * 100 + capacity - 1) / capacity * 10 * r->devices
                      : shares_milli(r);
    return (struct quota_amounts){{gpu, r->cpu_milli, r->mem_mib}};
}

struct quota_amounts quota_weigh_pending(const struct quota_world *w,
                                         const struct policy_request *r)
{
    int64_t smallest = 0;
    for (uint32_t i = 0; i < QUOTA_NODES; i++) {
        const struct policy_node_spec *spec = &w->nodes[i].spec;
        if (w->nodes[i].exists && spec->devices > 0 && spec->device_mem_mib >= 100 &&
            (smallest == 0 || capacity_of(spec) < smallest))
            smallest = capacity_of(spec);
    }
    int64_t gpu = r->mig != NULL ? mig_milli(w, r) : shares_milli(r);
    if (r->devices > 0 && r->device_mem_mib > 0)
        gpu = smallest > 0 ? r->device_mem_mib * r->devices * POLICY_WHOLE / smallest : 0;
    return (struct quota_amounts){{gpu, r->cpu_milli, r->mem_mib}};
}

void quota_add(struct quota_amounts *to, const struct quota_amounts *more, int64_t times)
{
    for (int r = 0; r < 3; r++)
        to->of[r] += times * more->of[r];
}

bool quota_within(const struct quota_amounts *a, const struct quota_amounts *bound)
{
    for (int r = 0; r < 3; r++)
        if (bound->of[r] != POLICY_UNLIMITED &&
            (a->of[r] == POLICY_UNLIMITED || a->of[r] > bound->of[r]))
            return false;
    return true;
}

/* ---- tasks ---- */

bool quota_runs(const struct quota_task *t)
{
    return t->state == QUOTA_RUNS;
}

bool quota_holds(const struct quota_task *t)
{
    return t->state == QUOTA_RUNS || t->state == QUOTA_LEAVES;
}

bool quota_is_active(const struct quota_task *t)
{
    return t->state == QUOTA_RUNS || t->nominated;
}

int32_t quota_count(const struct quota_job *job, uint32_t set,
                    bool (*is)(const struct quota_task *))
{
    int32_t found = 0;
    for (uint32_t i = 0; i < job->tasks; i++)
        found += quota_set_of(job, i) == set && is(&job->task[i]);
    return found;
}

/* ---- nodes ---- */

static bool has_terms(const struct quota_node *n, const struct policy_request *r)
{
    for (uint32_t i = 0; i < r->term_count; i++) {
        bool found = false;
        for (uint32_t l = 0; l < n->spec.label_count; l++)
            for (uint32_t v = 0; v < r->terms[i].value_count; v++)
                found = found || (n->labels[l].key == r->terms[i].key &&
                                  n->labels[l].value == r->terms[i].values[v]);
        if (!found)
            return false;
    }
    return true;
}

static bool is_of_type(const struct quota_world *w, const struct quota_node *n,
                       const struct policy_request *r)
{
    return !w->options.node_predicates || r->types == 0 || (r->types >> n->spec.type & 1) != 0;
}

static int32_t instances_of(const struct policy_request *r)
{
    int32_t instances = 0;
    for (uint32_t i = 0; r->mig != NULL && i < POLICY_MAX_PROFILES; i++)
        instances += r->mig[i];
    return instances;
}

bool quota_suits(const struct quota_world *w, const struct quota_job *job,
                 const struct policy_request *r, uint32_t node)
{
    const struct quota_node *n = &w->nodes[node];
    uint32_t pools = w->queues[job->spec.queue.i].pools;
    if (n->state != POLICY_NODE_UP || (pools != 0 && (pools >> n->spec.pool & 1) == 0))
        return false;
    if (w->options.node_predicates && !has_terms(n, r))
        return false;
    if (n->spec.whole_only &&
        (r->mig != NULL || quota_is_share(r) || r->devices != n->spec.devices))
        return false;
    if (r->mig != NULL)
        return n->spec.mig == POLICY_MIG_FIXED ||
               (n->spec.mig == POLICY_MIG_FREE && is_of_type(w, n, r) && instances_of(r) == 1);
    if (r->devices == 0)
        return true;
    if (!is_of_type(w, n, r) || n->spec.mig == POLICY_MIG_FIXED)
        return false;
    if (quota_is_share(r))
        return n->spec.mig != POLICY_MIG_SINGLE &&
               (r->device_mem_mib == 0 || n->spec.device_mem_mib >= 100);
    return true;
}

/* The part of a device in use. */
struct device {
    int64_t units;
    int32_t compute, memory, instances;
    bool shared;
};

struct taken {
    struct device device[POLICY_MAX_DEVICES];
    int64_t cpu, mem, whole_devices;
    int32_t tasks, mig[POLICY_MAX_PROFILES];
};

static void take(const struct quota_world *w, const struct quota_node *n,
                 const struct policy_request *r, uint64_t devices, bool counted, struct taken *all)
{
    all->tasks++;
    all->cpu += r->cpu_milli;
    all->mem += r->mem_mib;
    for (uint32_t i = 0; r->mig != NULL && i < POLICY_MAX_PROFILES; i++)
        all->mig[i] += r->mig[i];
    all->whole_devices += counted ? r->devices : 0;
    for (uint32_t d = 0; d < POLICY_MAX_DEVICES; d++) {
        struct device *device = &all->device[d];
        if ((devices >> d & 1) == 0)
            continue;
        device->shared = device->shared || quota_is_share(r);
        device->instances += r->mig != NULL;
        device->units += r->mig != NULL ? 0 : units_of(&n->spec, r);
        for (uint32_t i = 0; r->mig != NULL && i < POLICY_MAX_PROFILES; i++) {
            device->compute += r->mig[i] * w->slices[i];
            device->memory += r->mig[i] * w->memory_slices[i];
        }
    }
}

static void take_all(const struct quota_world *w, uint32_t node, bool soon, struct taken *all)
{
    memset(all, 0, sizeof *all);
    for (uint32_t i = 0; i < QUOTA_JOBS; i++) {
        const struct quota_job *job = &w->jobs[i];
        for (uint32_t k = 0; job->life == QUOTA_LIVE && k < job->tasks; k++) {
            const struct quota_task *t = &job->task[k];
            const struct policy_request *r = &quota_role_of(job, k)->request;
            if (t->node == node && (t->state == QUOTA_RUNS || (t->state == QUOTA_LEAVES && !soon)))
                take(w, &w->nodes[node], r, t->devices, false, all);
            if (soon && t->nominated && t->promised == node)
                take(w, &w->nodes[node], r, t->promised_devices,
                     r->mig == NULL && !quota_is_share(r), all);
        }
    }
}

static const char *overfull_devices(const struct quota_node *n, const struct taken *all,
                                    int32_t *groups)
{
    int64_t untouched = 0;
    for (int32_t d = 0; d < POLICY_MAX_DEVICES; d++) {
        const struct device *device = &all->device[d];
        bool usable = (n->usable >> d & 1) != 0;
        untouched += usable && device->units == 0 && device->instances == 0;
        *groups += device->shared;
        if (device->units > capacity_of(&n->spec))
            return "a device";
        if (device->units > 0 && device->instances > 0)
            return "a device that has MIG instances";
        if (device->compute > 7 || device->memory > 8)
            return "the slices of a device";
    }
    return all->whole_devices <= untouched ? NULL : "the whole devices";
}

const char *quota_overfull(const struct quota_world *w, uint32_t node, bool soon)
{
    const struct quota_node *n = &w->nodes[node];
    struct taken all;
    take_all(w, node, soon, &all);
    int32_t groups = 0;
    const char *devices = overfull_devices(n, &all, &groups);
    if (devices != NULL)
        return devices;
    if (n->spec.cpu_milli >= 0 && all.cpu > n->spec.cpu_milli)
        return "the CPU";
    if (n->spec.mem_mib >= 0 && all.mem > n->spec.mem_mib)
        return "the memory";
    if (n->spec.max_tasks >= 0 && all.tasks + groups > n->spec.max_tasks)
        return "the places for tasks";
    for (uint32_t i = 0; n->spec.mig == POLICY_MIG_FIXED && i < POLICY_MAX_PROFILES; i++)
        if (all.mig[i] > n->spec.mig_instances[i])
            return "the MIG instances";
    return NULL;
}

/* The rest of a device with MIG instances, in thousandths: of its seven compute or eight memory
 * slices, whichever are scarcer. */
static int64_t rest_of(const struct device *device)
{
    int64_t compute = (7 - device->compute) * INT64_C(1000) / 7;
    int64_t memory = (8 - device->memory) * INT64_C(1000) / 8;
    return compute < memory ? compute : memory;
}

int64_t quota_room(const struct quota_world *w, uint32_t node)
{
    const struct quota_node *n = &w->nodes[node];
    struct taken all;
    int64_t room = 0;
    if (!n->exists || n->state != POLICY_NODE_UP)
        return 0;
    take_all(w, node, true, &all);
    for (uint32_t i = 0; n->spec.mig == POLICY_MIG_FIXED && i < POLICY_MAX_PROFILES; i++)
        room += (int64_t)(n->spec.mig_instances[i] - all.mig[i]) * w->slices[i] * POLICY_WHOLE;
    if (n->spec.mig == POLICY_MIG_FIXED)
        return room;
    for (uint32_t d = 0; d < POLICY_MAX_DEVICES; d++)
        if ((n->usable >> d & 1) != 0)
            room += all.device[d].instances > 0 ? rest_of(&all.device[d])
                                                : (capacity_of(&n->spec) - all.device[d].units) *
                                                      POLICY_WHOLE / capacity_of(&n->spec);
    return room - all.whole_devices * POLICY_WHOLE;
}

/* ---- queues ---- */

static bool is_below(const struct quota_world *w, uint32_t queue, uint32_t above)
{
    while (queue != above && queue != POLICY_NO_ID)
        queue = w->queues[queue].spec.parent.i;
    return queue == above;
}

struct quota_amounts quota_allocated(const struct quota_world *w, uint32_t queue, bool only_fixed)
{
    struct quota_amounts sum = {{0, 0, 0}};
    for (uint32_t i = 0; i < QUOTA_JOBS; i++) {
        const struct quota_job *job = &w->jobs[i];
        if (job->life != QUOTA_LIVE || (only_fixed && job->spec.preemptible) ||
            !is_below(w, job->spec.queue.i, queue))
            continue;
        for (uint32_t k = 0; k < job->tasks; k++) {
            const struct quota_task *t = &job->task[k];
            if (!quota_is_active(t))
                continue;
            struct quota_amounts weight = quota_weigh_on(w, &quota_role_of(job, k)->request,
                                                         t->nominated ? t->promised : t->node);
            quota_add(&sum, &weight, 1);
        }
    }
    return sum;
}

struct quota_amounts quota_requested(const struct quota_world *w, uint32_t queue)
{
    struct quota_amounts sum = {{0, 0, 0}};
    for (uint32_t i = 0; i < QUOTA_JOBS; i++) {
        const struct quota_job *job = &w->jobs[i];
        for (uint32_t k = 0;
             job->life == QUOTA_LIVE && is_below(w, job->spec.queue.i, queue) && k < job->tasks;
             k++) {
            const struct policy_request *r = &quota_role_of(job, k)->request;
            struct quota_amounts weight = {{0, 0, 0}};
            if (job->task[k].state == QUOTA_RUNS)
                weight = quota_weigh_on(w, r, job->task[k].node);
            else if (job->task[k].state == QUOTA_PENDING)
                weight = quota_weigh_pending(w, r);
            quota_add(&sum, &weight, 1);
        }
    }
    return sum;
}

struct quota_amounts quota_bound(const struct quota_world *w, uint32_t queue, bool limit)
{
    const struct policy_queue_spec *spec = &w->queues[queue].spec;
    const struct policy_share *const shares[] = {&spec->gpu, &spec->cpu, &spec->mem};
    bool both = limit && !w->options.over_quota && quota_is_leaf(w, queue);
    struct quota_amounts bound;
    for (int r = 0; r < 3; r++) {
        bound.of[r] = limit ? shares[r]->limit : shares[r]->quota;
        if (both && shares[r]->quota >= 0 && (bound.of[r] < 0 || bound.of[r] > shares[r]->quota))
            bound.of[r] = shares[r]->quota;
    }
    return bound;
}

bool quota_is_leaf(const struct quota_world *w, uint32_t queue)
{
    for (uint32_t i = 0; i < QUOTA_QUEUES; i++)
        if (w->queues[i].exists && w->queues[i].spec.parent.i == queue)
            return false;
    return true;
}

/* ---- facts ---- */

void quota_add_job(struct quota_world *w, policy_job id, const struct policy_job_spec *spec)
{
    ck_assert_uint_lt(id.i, QUOTA_JOBS);
    struct quota_job *job = &w->jobs[id.i];
    ck_assert_int_eq(job->life, QUOTA_NONE);
    *job = (struct quota_job){.life = spec->eligible > w->now ? QUOTA_HELD : QUOTA_LIVE,
                              .id = id,
                              .spec = *spec,
                              .last_start = POLICY_NEVER,
                              .below_since = POLICY_NEVER,
                              .told_stale = POLICY_NEVER};
    for (uint32_t i = 0; i < spec->role_count; i++) {
        job->roles[i] = spec->roles[i];
        job->tasks += (uint32_t)spec->roles[i].tasks;
    }
    for (uint32_t i = 0; i < spec->group_count; i++)
        job->groups[i] = spec->groups[i];
    job->spec.roles = NULL;
    job->spec.groups = NULL;
    ck_assert_uint_le(job->tasks, QUOTA_TASKS);
}

static bool lives_on(const struct quota_job *job)
{
    for (uint32_t i = 0; i < job->tasks; i++)
        if (job->task[i].state < QUOTA_SUCCEEDED)
            return true;
    return false;
}

void quota_end_task(struct quota_world *w, struct quota_job *job, uint32_t task, int32_t outcome)
{
    (void)w;
    struct quota_task *t = &job->task[task];
    *t = (struct quota_task){.state = outcome == POLICY_EVICTED     ? QUOTA_PENDING
                                      : outcome == POLICY_SUCCEEDED ? QUOTA_SUCCEEDED
                                                                    : QUOTA_FAILED};
    if (!lives_on(job))
        job->life = QUOTA_NONE;
}

void quota_start_failed(struct quota_job *job)
{
    for (uint32_t i = 0; i < job->tasks; i++)
        if (job->task[i].fresh)
            job->task[i] = (struct quota_task){.state = QUOTA_PENDING};
}

void quota_forget_promises(struct quota_world *w)
{
    for (uint32_t i = 0; i < QUOTA_JOBS; i++)
        for (uint32_t k = 0; k < w->jobs[i].tasks; k++)
            w->jobs[i].task[k].nominated = false;
}

/* Returns true if every pod set runs its minimum; *any: whether any task runs. */
static bool is_whole(const struct quota_job *job, bool *any)
{
    bool whole = true;
    *any = false;
    for (uint32_t set = 0; set < quota_sets(job); set++) {
        int32_t running = quota_count(job, set, quota_runs);
        whole = whole && running >= quota_minimum(job, set);
        *any = *any || running > 0;
    }
    return whole;
}

static bool is_used(const struct quota_task *t)
{
    return quota_holds(t) || t->nominated;
}

static bool stays(const struct quota_task *t)
{
    return quota_holds(t) && !t->nominated;
}

/* Returns true if a gang is below its minimum. Promises do not end that, since they may be broken,
 * but a gang of which nothing runs or is promised is not below it. */
static bool is_below_minimum(const struct quota_job *job)
{
    bool below = false;
    int32_t used = 0;
    for (uint32_t i = 0; i < job->tasks; i++)
        if (job->task[i].state == QUOTA_SUCCEEDED)
            return false;
    for (uint32_t set = 0; set < quota_sets(job); set++) {
        below = below || quota_count(job, set, stays) < quota_minimum(job, set);
        used += quota_count(job, set, is_used);
    }
    return below && used > 0;
}

void quota_note_gangs(struct quota_world *w)
{
    for (uint32_t i = 0; i < QUOTA_JOBS; i++) {
        struct quota_job *job = &w->jobs[i];
        bool any;
        if (job->life != QUOTA_LIVE)
            continue;
        job->odd = !is_whole(job, &any) && any;
        job->elsewhere = job->elsewhere && any;
        job->last_start = any ? job->last_start : POLICY_NEVER;
        if (!is_below_minimum(job))
            job->below_since = POLICY_NEVER;
        else if (job->below_since == POLICY_NEVER)
            job->below_since = job->told_stale != POLICY_NEVER ? job->told_stale : w->now;
    }
}
