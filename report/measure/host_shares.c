/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CPU and memory of queues over time; see host_shares.h. */
#include "report/measure/host_shares.h"

#include "report/stats/division.h"
#include "sim/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void add(struct host_amounts *to, const struct host_amounts *x, int64_t sign)
{
    for (int r = 0; r < HOST_RESOURCES; r++)
        to->of[r] += sign * x->of[r];
}

/* CPU and memory: the devices of queues are added up by the simulator. */
static struct host_amounts asked_by(const struct work_job *job, uint32_t task)
{
    const struct work_request *r = work_request_of(job, task);
    return (struct host_amounts){{0, r->cpu_milli, r->mem_mib}};
}

static bool is_host(const struct host_amounts *x)
{
    return x->of[HOST_CPU] > 0 || x->of[HOST_MEM] > 0;
}

/* Most jobs request devices only, and then there is nothing to do for their tasks. */
static bool asks_for_host(const struct work_job *job)
{
    uint32_t kinds = job->parts == NULL ? 1 : (uint32_t)job->most_tasks;
    for (uint32_t i = 0; i < kinds; i++) {
        const struct work_request *r = work_request_of(job, i);
        if (r->cpu_milli > 0 || r->mem_mib > 0)
            return true;
    }
    return false;
}

/* ---- sites ---- */

/* If a node does not state a resource, the site's amount is unknown. */
static void install(const struct sim *sim, uint32_t id, struct host_amounts *all)
{
    bool known[HOST_RESOURCES] = {true, true, true};
    *all = (struct host_amounts){{sim->sites[id].milli}};
    for (size_t i = 0; i < sim->fleet->node_count; i++) {
        const struct fleet_node *node = &sim->fleet->nodes[i];
        if (sim->site_of_pool[node->pool] != id)
            continue;
        known[HOST_CPU] &= node->cpu_milli >= 0;
        known[HOST_MEM] &= node->mem_mib >= 0;
        all->of[HOST_CPU] += node->cpu_milli;
        all->of[HOST_MEM] += node->mem_mib;
    }
    for (int r = 0; r < HOST_RESOURCES; r++)
        all->of[r] = known[r] ? all->of[r] : 0;
}

/* Queues may be added during the simulation; nothing is known of them before `at_ms`. */
static void make_room(struct host_shares *h, const struct sim *sim, int64_t at_ms)
{
    if (h->queue_count < sim->queue_count) {
        size_t had = h->queue_count;
        h->queues = mem_extend(h->queues, &h->queue_count, sim->queue_count, sizeof *h->queues);
        for (size_t i = had; i < h->queue_count; i++)
            h->queues[i].since_ms = at_ms;
    }
    if (h->site_count < sim->site_count)
        h->sites = mem_extend(h->sites, &h->site_count, sim->site_count, sizeof *h->sites);
}

static struct host_site *site_of(struct host_shares *h, const struct sim *sim, uint32_t queue,
                                 int64_t at_ms)
{
    make_room(h, sim, at_ms);
    struct host_site *site = &h->sites[sim->queues[queue].site];
    if (!site->begun) {
        install(sim, sim->queues[queue].site, &site->installed);
        site->begun = true;
        site->at_ms = at_ms;
    }
    return site;
}

/* ---- integrals ---- */

static int64_t demand_of(const struct host_queue *q, int resource, const struct policy_share *share)
{
    int64_t demand = q->running.of[resource] + q->wanted.of[resource];
    return share->limit == POLICY_UNLIMITED || share->limit > demand ? demand : share->limit;
}

static double dominant(const struct host_queue *q, const struct host_site *site)
{
    double most = 0;
    for (int r = 0; r < HOST_RESOURCES; r++)
        if (site->installed.of[r] > 0 && q->running.of[r] > 0)
            most = fmax(most, (double)q->running.of[r] / (double)site->installed.of[r]);
    return most;
}

static bool wants_anything(const struct host_queue *q)
{
    int64_t all = 0;
    for (int r = 0; r < HOST_RESOURCES; r++)
        all += q->running.of[r] + q->wanted.of[r];
    return all > 0;
}

static void settle(struct host_queue *q, const struct host_site *site, const struct sim *sim,
                   int64_t to)
{
    if (to <= q->since_ms)
        return;
    int64_t ms = sim_inside(sim, q->since_ms, to);
    q->since_ms = to;
    if (ms == 0 || !wants_anything(q))
        return;
    q->demand_ms += ms;
    q->dominant_ms += dominant(q, site) * (double)ms;
    for (int r = HOST_CPU; r < HOST_RESOURCES && site->hosted; r++) {
        q->used_ms[r] += (double)q->running.of[r] * (double)ms;
        q->entitled_ms[r] += q->entitled[r] * (double)ms;
        double owed = q->quoted[r] ? q->entitled[r] - (double)q->running.of[r] : 0;
        q->deficit_ms[r] += owed > 0 ? owed * (double)ms : 0;
    }
}

/* Takes over the devices of queues that changed at `from`, the beginning of an interval. */
static void take_devices(struct host_shares *h, const struct sim *sim, uint32_t id, int64_t from)
{
    const struct sim_site *of = &sim->sites[id];
    if (of->altered_count == 0)
        return;
    const struct host_site *site = site_of(h, sim, of->altered[0], from);
    for (size_t i = 0; i < of->altered_count; i++) {
        const struct sim_queue *queue = &sim->queues[of->altered[i]];
        struct host_queue *q = &h->queues[of->altered[i]];
        settle(q, site, sim, from);
        q->running.of[HOST_GPU] = queue->running_milli;
        q->wanted.of[HOST_GPU] = queue->wanted_milli;
    }
}

/* The policy may decide within an interval; then the changes at its beginning are still to be taken
 * over. */
static void settle_all(struct host_shares *h, const struct sim *sim, uint32_t site, int64_t to)
{
    const struct sim_site *of = &sim->sites[site];
    if (of->since_ms != INT64_MIN && of->since_ms < sim->now_ms)
        take_devices(h, sim, site, of->since_ms);
    for (size_t i = 0; i < of->queue_count; i++)
        settle(&h->queues[of->queues[i]], &h->sites[site], sim, to);
    h->sites[site].at_ms = to;
}

/* ---- entitlements ---- */

static void divide_one(struct host_shares *h, const struct sim *sim, uint32_t site, int resource,
                       struct division_row *rows)
{
    const struct sim_site *of = &sim->sites[site];
    for (size_t i = 0; i < of->queue_count; i++) {
        const struct sim_queue *queue = &sim->queues[of->queues[i]];
        const struct policy_share *share = resource == HOST_CPU ? &queue->cpu : &queue->mem;
        h->queues[of->queues[i]].quoted[resource] = share->quota != POLICY_UNLIMITED;
        rows[i] =
            (struct division_row){.quota = share->quota,
                                  .weight = share->weight,
                                  .demand = demand_of(&h->queues[of->queues[i]], resource, share)};
    }
    int64_t installed = h->sites[site].installed.of[resource];
    (void)division_make(rows, of->queue_count, installed > 0 ? installed : INT64_MAX);
    for (size_t i = 0; i < of->queue_count; i++)
        h->queues[of->queues[i]].entitled[resource] = rows[i].entitled;
}

static void take_shares(struct host_shares *h, const struct sim *sim, uint32_t site)
{
    const struct sim_site *of = &sim->sites[site];
    for (size_t i = 0; i < of->queue_count; i++) {
        h->queues[of->queues[i]].cpu = sim->queues[of->queues[i]].cpu;
        h->queues[of->queues[i]].mem = sim->queues[of->queues[i]].mem;
    }
}

/* The division that has been valid since at_ms. */
static void divide(struct host_shares *h, const struct sim *sim, uint32_t site)
{
    struct division_row *rows = mem_alloc(sim->sites[site].queue_count + 1, sizeof *rows);
    divide_one(h, sim, site, HOST_CPU, rows);
    divide_one(h, sim, site, HOST_MEM, rows);
    free(rows);
    take_shares(h, sim, site);
    h->sites[site].stale = false;
}

static double share_of(int64_t fair, int64_t demand)
{
    return (double)(fair != POLICY_UNLIMITED && fair < demand ? fair : demand);
}

/*
 * Takes the policy's division of one resource. Returns false if it exceeds the site's capacity,
 * which is possible if the policy divides several sites as one.
 */
static bool take_division(struct host_shares *h, const struct sim *sim, uint32_t site, int resource)
{
    const struct sim_site *of = &sim->sites[site];
    double all = 0;
    for (size_t i = 0; i < of->queue_count; i++) {
        const struct sim_queue *queue = &sim->queues[of->queues[i]];
        struct host_queue *q = &h->queues[of->queues[i]];
        struct policy_queue_info info = {.size = sizeof info};
        bool known = policy_queue_info(sim->policy, queue->core, &info) == POLICY_OK;
        int64_t fair = resource == HOST_CPU ? info.fair_share.cpu : info.fair_share.mem;
        const struct policy_share *share = resource == HOST_CPU ? &queue->cpu : &queue->mem;
        q->quoted[resource] = share->quota != POLICY_UNLIMITED;
        q->entitled[resource] =
            share_of(known ? fair : POLICY_UNLIMITED, demand_of(q, resource, share));
        all += q->entitled[resource];
    }
    int64_t installed = h->sites[site].installed.of[resource];
    return installed == 0 || all <= (double)installed;
}

/* Takes the division that the policy made in its decision. */
static void ask_policy(struct host_shares *h, const struct sim *sim, uint32_t site)
{
    struct division_row *rows = mem_alloc(sim->sites[site].queue_count + 1, sizeof *rows);
    for (int resource = HOST_CPU; resource <= HOST_MEM; resource++)
        if (!take_division(h, sim, site, resource))
            divide_one(h, sim, site, resource, rows);
    free(rows);
}

/* CPU and memory of a queue change, so the entitlements of other queues may change too. */
static struct host_queue *prepare(struct host_shares *h, const struct sim *sim, uint32_t queue)
{
    struct host_site *site = site_of(h, sim, queue, sim->now_ms);
    uint32_t id = sim->queues[queue].site;
    site->hosted = true;
    if (site->stale && site->at_ms < sim->now_ms)
        divide(h, sim, id);
    if (site->at_ms < sim->now_ms)
        settle_all(h, sim, id, sim->now_ms);
    site->stale |= !sim_is(sim, POLICY_TRAIT_DIVIDES);
    settle(&h->queues[queue], site, sim, sim->now_ms);
    return &h->queues[queue];
}

/* ---- events ---- */

static struct host_job *job_of(struct host_shares *h, const struct sim *sim,
                               const struct work_job *job)
{
    if (job->core.i >= h->job_count)
        h->jobs = mem_extend(h->jobs, &h->job_count, sim->work.capacity, sizeof *h->jobs);
    return &h->jobs[job->core.i];
}

/* Counts all tasks of a job as pending; tasks that start are then subtracted. */
static void count_in(struct host_shares *h, const struct sim *sim, const struct work_job *job)
{
    struct host_job *of = job_of(h, sim, job);
    for (uint32_t i = 0; i < (uint32_t)job->most_tasks; i++) {
        struct host_amounts asked = asked_by(job, i);
        add(&of->wanted, &asked, 1);
    }
    add(&prepare(h, sim, job->queue)->wanted, &of->wanted, 1);
    of->counted = true;
}

static void submitted(void *self, const struct sim *sim, const struct work_job *job)
{
    if (sim->counts) /* hosts are unknown */
        return;
    if (!job->aside) /* what is installed counts as of the first job */
        (void)site_of(self, sim, job->queue, sim->now_ms);
    if (!asks_for_host(job))
        return;
    *job_of(self, sim, job) = (struct host_job){0};
    if (!job->aside)
        count_in(self, sim, job);
}

static void held(void *self, const struct sim *sim, const struct work_job *job,
                 const struct work_task *task, int sign)
{
    struct host_shares *h = self;
    if (sim->counts || !asks_for_host(job))
        return;
    struct host_job *of = job_of(h, sim, job);
    if (!of->counted)
        count_in(h, sim, job);
    struct host_amounts asked = asked_by(job, task->number);
    if (task->release_ms != WORK_NEVER || !is_host(&asked))
        return;
    struct host_queue *q = prepare(h, sim, job->queue);
    add(&of->wanted, &asked, -sign);
    add(&q->wanted, &asked, -sign);
    add(&of->running, &asked, sign);
    add(&q->running, &asked, sign);
}

/* Tasks that are being released no longer run: they are pending from now on. */
static void evicted(void *self, const struct sim *sim, const struct work_job *job,
                    const struct sim_eviction *how)
{
    struct host_shares *h = self;
    (void)how;
    if (sim->counts || !asks_for_host(job))
        return;
    struct host_job *of = job_of(h, sim, job);
    struct host_amounts stopped = of->running;
    for (uint32_t id = job->first_task; id != WORK_NONE; id = sim->work.tasks[id].next) {
        const struct work_task *task = &sim->work.tasks[id];
        struct host_amounts asked = asked_by(job, task->number);
        if (task->release_ms == WORK_NEVER)
            add(&stopped, &asked, -1);
    }
    if (!is_host(&stopped))
        return;
    struct host_queue *q = prepare(h, sim, job->queue);
    add(&q->running, &stopped, -1);
    add(&q->wanted, &stopped, 1);
    add(&of->running, &stopped, -1);
    add(&of->wanted, &stopped, 1);
}

static void forget(void *self, const struct sim *sim, const struct work_job *job)
{
    struct host_shares *h = self;
    if (job->core.i >= h->job_count || !h->jobs[job->core.i].counted)
        return;
    struct host_job *of = &h->jobs[job->core.i];
    if (is_host(&of->wanted) || is_host(&of->running)) {
        struct host_queue *q = prepare(h, sim, job->queue);
        add(&q->wanted, &of->wanted, -1);
        add(&q->running, &of->running, -1);
    }
    *of = (struct host_job){0};
}

/*
 * Entitlements are divided before quotas change; the old quotas applied since the beginning of the
 * interval.
 */
static void interval(void *self, const struct sim *sim, uint32_t id, int64_t from, int64_t to)
{
    struct host_shares *h = self;
    const struct sim_site *of = &sim->sites[id];
    if (sim->counts)
        return;
    take_devices(h, sim, id, from);
    if (id >= h->site_count || !h->sites[id].hosted || sim_is(sim, POLICY_TRAIT_DIVIDES))
        return;
    make_room(h, sim, from);
    if (h->sites[id].stale && h->sites[id].at_ms < to)
        divide(h, sim, id);
    bool changed = false;
    for (size_t i = 0; i < of->queue_count && !changed; i++) {
        const struct sim_queue *queue = &sim->queues[of->queues[i]];
        const struct host_queue *q = &h->queues[of->queues[i]];
        changed = memcmp(&queue->cpu, &q->cpu, sizeof q->cpu) != 0 ||
                  memcmp(&queue->mem, &q->mem, sizeof q->mem) != 0;
    }
    if (!changed)
        return;
    settle_all(h, sim, id, from);
    divide(h, sim, id);
}

static void cycled(void *self, const struct sim *sim, bool asked)
{
    struct host_shares *h = self;
    if (!asked || !sim_is(sim, POLICY_TRAIT_DIVIDES))
        return;
    for (uint32_t id = 0; id < h->site_count; id++)
        if (h->sites[id].hosted) {
            settle_all(h, sim, id, sim->now_ms);
            ask_policy(h, sim, id);
        }
}

static void expected(void *self, const struct sim *sim, const struct work_job *job)
{
    const struct host_shares *h = self;
    (void)sim;
    if (job->core.i < h->job_count)
        mem_prefetch(&h->jobs[job->core.i], sizeof *h->jobs);
}

struct sim_observer host_shares_observer(struct host_shares *h)
{
    return (struct sim_observer){.self = h,
                                 .interval = interval,
                                 .submitted = submitted,
                                 .held = held,
                                 .evicted = evicted,
                                 .ended = forget,
                                 .dropped = forget,
                                 .cycled = cycled,
                                 .expected = expected};
}

void host_shares_finish(struct host_shares *h, const struct sim *sim)
{
    for (uint32_t id = 0; id < h->site_count; id++) {
        if (h->sites[id].stale && h->sites[id].at_ms < sim->now_ms)
            divide(h, sim, id);
        settle_all(h, sim, id, sim->now_ms);
    }
}

void host_shares_fini(struct host_shares *h)
{
    free(h->queues);
    free(h->jobs);
    free(h->sites);
    *h = (struct host_shares){0};
}

/* ---- results ---- */

bool host_shares_any(const struct host_shares *h)
{
    for (size_t i = 0; i < h->site_count; i++)
        if (h->sites[i].hosted)
            return true;
    return false;
}

struct host_queue host_shares_of(const struct host_shares *h, size_t queue)
{
    return queue < h->queue_count ? h->queues[queue] : (struct host_queue){0};
}

double host_shares_dominant(const struct host_queue *q, const struct sim *sim)
{
    int64_t window = sim_inside(sim, sim->window_start_ms, sim->now_ms);
    return window > 0 ? q->dominant_ms / (double)window : (double)NAN;
}

double host_shares_deficit_ms(const struct host_shares *h, enum host_resource resource)
{
    double sum = 0;
    for (size_t i = 0; i < h->queue_count; i++)
        sum += h->queues[i].deficit_ms[resource];
    return sum;
}

double host_shares_jain(const struct host_shares *h, const struct sim *sim)
{
    double sum = 0, squares = 0, n = 0;
    for (size_t i = 0; i < h->queue_count; i++) {
        if (h->queues[i].demand_ms == 0)
            continue;
        double x = host_shares_dominant(&h->queues[i], sim);
        sum += x;
        squares += x * x;
        n++;
    }
    return squares > 0 ? sum * sum / (n * squares) : (double)NAN;
}
