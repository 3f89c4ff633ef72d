/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Accounts of resources held, and their parts of the bill; the model is in showback.h. */
#include "report/measure/showback.h"

#include "sim/base/mem.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define FEMTO          1e15
#define PICO           1e12
#define FEMTO_IN_PICO  1000
#define PW_IN_UW       1000000
#define MILLION        1000000
#define UNITS_IN_MICRO ((wide)3600000 * 1000000000) /* femto-dollars per hour x ms */

/* ---- what a task holds ---- */

/* Returns the task's part of a node without devices, by cores. */
static double part_by_cores(const struct sim *sim, const struct work_task *task, int64_t cpu_milli)
{
    int64_t all = task->node != WORK_NONE ? sim->fleet->nodes[task->node].cpu_milli : 0;
    return all > 0 ? (double)cpu_milli / (double)all : 0;
}

/*
 * Returns a part of the node's value `each` by thousandths of its devices. It divides exactly, so
 * parts add up.
 */
static wide part_by_devices(const struct energy_pool *pool, double each, int64_t milli)
{
    return (wide)llround(each / (double)pool->gpu_milli) * milli;
}

static struct showback_use use_of(const struct showback *s, const struct sim *sim,
                                  const struct work_job *job, const struct work_task *task)
{
    const struct work_request *r = work_request_of(job, task->number);
    int64_t milli = task->held_milli;
    struct showback_use use = {{milli, r->cpu_milli, r->mem_mib}};
    if (task->node != WORK_NONE && sim->fleet->nodes[task->node].gpus == 0)
        use.of[SHOWBACK_PLAIN_CPU] = r->cpu_milli;
    if (!energy_has_figures(s->energy))
        return use;
    const struct energy_pool *pool = energy_pool_of(s->energy, sim, task);
    double idle_w = pool->price.energy_on_top ? pool->idle_w : 0;
    if (pool->gpu_milli > 0) {
        use.of[SHOWBACK_GPU_NODES] = part_by_devices(pool, pool->price.usd * FEMTO, milli);
        use.of[SHOWBACK_ENERGY] = part_by_devices(pool, idle_w * PICO, milli);
    } else {
        double part = part_by_cores(sim, task, r->cpu_milli);
        use.of[SHOWBACK_CPU_NODES] = llround(part * pool->price.usd * PICO) * (wide)FEMTO_IN_PICO;
        use.of[SHOWBACK_ENERGY] = llround(part * idle_w * PICO);
    }
    return use;
}

/* ---- accounts ---- */

static struct showback_account *account_at(struct showback_accounts *accounts, size_t id)
{
    if (id >= accounts->room)
        accounts->of =
            mem_extend(accounts->of, &accounts->room, id + id / 2 + 4, sizeof *accounts->of);
    if (id >= accounts->count)
        accounts->count = id + 1;
    return &accounts->of[id];
}

static struct showback_account *account_of(struct showback *s, const struct work_job *job, int kind)
{
    const size_t ids[SHOWBACK_KINDS] = {job->queue, job->user, job->class,
                                        job->model == SYMBOL_NONE ? 0 : (size_t)job->model + 1};
    return account_at(&s->by[kind], ids[kind]);
}

static void add_used(const struct showback *s, struct showback_use *to,
                     const struct showback_job *of)
{
    for (int i = 0; i < s->amounts; i++)
        to->of[i] += of->of[i].used;
}

/* A job's use is charged to its accounts once: when it ends, or at the end of the run. */
static void charge(struct showback *s, const struct work_job *job, bool completed)
{
    const struct showback_job *of = &s->jobs[job->core.i];
    add_used(s, &s->all, of);
    for (int kind = 0; kind < SHOWBACK_KINDS; kind++) {
        struct showback_account *account = account_of(s, job, kind);
        add_used(s, &account->used, of);
        account->completed += completed;
    }
}

static void settle(const struct showback *s, const struct sim *sim, struct showback_job *of)
{
    int64_t ms = sim_inside(sim, of->since_ms, sim->now_ms);
    of->since_ms = sim->now_ms;
    for (int i = 0; i < s->amounts && ms > 0; i++)
        of->of[i].used += of->of[i].holds * ms;
}

/* Until some task has more than devices, all amounts behind them are zero. */
static bool has_devices_only(const struct showback *s, const struct work_request *r)
{
    return r->cpu_milli == 0 && r->mem_mib == 0 && !energy_has_figures(s->energy);
}

/* ---- events ---- */

static void submitted(void *self, const struct sim *sim, const struct work_job *job)
{
    struct showback *s = self;
    if (job->core.i >= s->job_count)
        s->jobs = mem_extend(s->jobs, &s->job_count, sim->work.capacity, sizeof *s->jobs);
    struct showback_job *of = &s->jobs[job->core.i];
    of->since_ms = sim->now_ms;
    memset(of->of, 0, (size_t)s->amounts * sizeof *of->of);
    for (int kind = 0; kind < SHOWBACK_KINDS; kind++)
        account_of(s, job, kind)->jobs += job->counted;
}

static void ended(void *self, const struct sim *sim, const struct work_job *job)
{
    struct showback *s = self;
    (void)sim;
    charge(s, job, job->counted && job->status == TRACE_COMPLETED && !job->stopped);
}

static void held(void *self, const struct sim *sim, const struct work_job *job,
                 const struct work_task *task, int sign)
{
    struct showback *s = self;
    if (s->inner.held != NULL)
        s->inner.held(s->inner.self, sim, job, task, sign);
    struct showback_job *of = &s->jobs[job->core.i];
    if (of->since_ms != sim->now_ms)
        settle(s, sim, of);
    if (s->amounts == SHOWBACK_GPU + 1) {
        if (has_devices_only(s, work_request_of(job, task->number))) {
            of->of[SHOWBACK_GPU].holds += sign * task->held_milli;
            return;
        }
        s->amounts = SHOWBACK_AMOUNTS;
    }
    struct showback_use use = use_of(s, sim, job, task);
    for (int i = 0; i < SHOWBACK_AMOUNTS; i++)
        of->of[i].holds += sign * use.of[i];
}

/* A job's energy above idle is charged to it when it is added to the energy. */
static void spent(void *self, const struct sim *sim, const struct work_job *job,
                  const struct sim_span *span)
{
    struct showback *s = self;
    ledger_amount before = s->energy->worked.billed;
    s->inner.spent(s->inner.self, sim, job, span);
    wide drawn = (s->energy->worked.billed - before) * PW_IN_UW;
    if (drawn > 0)
        s->jobs[job->core.i].of[SHOWBACK_ENERGY].used += drawn;
}

/* Caches of nodes serve a share of training data. */
static void moved(void *self, const struct sim *sim, const struct work_job *job,
                  enum sim_store_kind kind, sim_store_amount amount)
{
    struct showback *s = self;
    int64_t ppm = MILLION - (kind == SIM_STORE_DATA ? sim->config.storage.cache_ppm : 0);
    wide read = kind == SIM_STORE_WRITE ? 0 : amount * ppm;
    wide written = kind == SIM_STORE_WRITE ? amount * ppm : 0;
    s->read += read;
    s->written += written;
    for (int i = 0; i < SHOWBACK_KINDS; i++) {
        struct showback_account *account = account_of(s, job, i);
        account->read += read;
        account->written += written;
    }
}

static void evicted(void *self, const struct sim *sim, const struct work_job *job,
                    const struct sim_eviction *how)
{
    const struct showback *s = self;
    s->inner.evicted(s->inner.self, sim, job, how);
}

static void turned(void *self, const struct sim *sim, uint32_t node)
{
    const struct showback *s = self;
    s->inner.turned(s->inner.self, sim, node);
}

static void expected(void *self, const struct sim *sim, const struct work_job *job)
{
    const struct showback *s = self;
    (void)sim;
    if (job->core.i < s->job_count)
        mem_prefetch(&s->jobs[job->core.i], offsetof(struct showback_job, of) +
                                                (size_t)s->amounts * sizeof s->jobs->of[0]);
}

struct sim_observer showback_observer(struct showback *s, struct energy *energy)
{
    *s = (struct showback){.energy = energy,
                           .inner = energy_observer(energy),
                           .amounts =
                               energy_has_figures(energy) ? SHOWBACK_AMOUNTS : SHOWBACK_GPU + 1};
    struct sim_observer o = {.self = s,
                             .submitted = submitted,
                             .ended = ended,
                             .held = held,
                             .moved = moved,
                             .expected = expected};
    if (s->inner.spent != NULL)
        o.spent = spent;
    if (s->inner.evicted != NULL)
        o.evicted = evicted;
    if (s->inner.turned != NULL)
        o.turned = turned;
    return o;
}

void showback_finish(struct showback *s, const struct sim *sim)
{
    for (size_t i = 0; i < s->job_count && i < sim->work.capacity; i++) {
        const struct work_job *job = &sim->work.jobs[i];
        if (job->state != WORK_RUNNING && job->state != WORK_PENDING)
            continue;
        settle(s, sim, &s->jobs[i]);
        charge(s, job, false);
        for (int k = 0; k < s->amounts; k++)
            s->jobs[i].of[k].used = 0;
    }
}

void showback_fini(struct showback *s)
{
    for (int kind = 0; kind < SHOWBACK_KINDS; kind++)
        free(s->by[kind].of);
    free(s->jobs);
    *s = (struct showback){0};
}

/* ---- the bill ---- */

struct remainder {
    unsigned_wide left;
    size_t part;
};

static int largest_first(const void *a, const void *b)
{
    const struct remainder *x = a, *y = b;
    if (x->left != y->left)
        return x->left > y->left ? -1 : 1;
    return x->part < y->part ? -1 : 1;
}

/*
 * Weights are truncated to 62 bits in total, so that products fit; the error is far below one part.
 */
void showback_divide(int64_t total, const wide *weights, size_t count, int64_t *parts)
{
    unsigned_wide sum = 0, cut_sum = 0;
    int shift = 0;
    for (size_t i = 0; i < count; i++)
        sum += (unsigned_wide)weights[i];
    while (sum >> shift >> 62 != 0)
        shift++;
    struct remainder *remainders = mem_alloc(count + 1, sizeof *remainders);
    for (size_t i = 0; i < count; i++)
        cut_sum += (unsigned_wide)weights[i] >> shift;
    int64_t left = cut_sum > 0 ? total : 0;
    for (size_t i = 0; i < count; i++) {
        unsigned_wide product =
            cut_sum > 0 ? (unsigned_wide)total * ((unsigned_wide)weights[i] >> shift) : 0;
        parts[i] = cut_sum > 0 ? (int64_t)(product / cut_sum) : 0;
        remainders[i] = (struct remainder){cut_sum > 0 ? product % cut_sum : 0, i};
        left -= parts[i];
    }
    qsort(remainders, count, sizeof *remainders, largest_first);
    for (size_t i = 0; left > 0; i++, left--)
        parts[remainders[i].part]++;
    free(remainders);
}

static wide or_none(wide x)
{
    return x > 0 ? x : 0;
}

/* Storage without a user is charged to nobody. */
static void add_storage(struct showback_bill *bill, const struct showback *s,
                        const struct storage_bill *storage)
{
    if (storage == NULL)
        return;
    bill->storage = storage->kept + storage->moved;
    bill->kept = s->read + s->written > 0 ? storage->kept : 0;
    bill->read = s->read > 0 ? storage->moved - storage->checkpoints : 0;
    bill->checkpoints = s->written > 0 ? storage->checkpoints : 0;
    bill->unused_storage = bill->storage - bill->kept - bill->read - bill->checkpoints;
}

struct showback_bill showback_bill(const struct showback *s, const struct sim *sim,
                                   const struct storage_bill *storage)
{
    struct energy_bill bill = energy_bill(s->energy, sim);
    struct showback_bill to = {.known = bill.known, .nodes = bill.nodes, .energy = bill.energy};
    if (!bill.known)
        return (struct showback_bill){0};
    add_storage(&to, s, storage);
    const wide *all = s->all.of;
    const wide nodes[] = {
        all[SHOWBACK_GPU_NODES] + all[SHOWBACK_CPU_NODES],
        or_none(bill.gpu_nodes * FEMTO_IN_PICO - all[SHOWBACK_GPU_NODES]),
        or_none(bill.cpu_nodes * FEMTO_IN_PICO - all[SHOWBACK_CPU_NODES]),
    };
    const wide drawn = (s->energy->idled.billed + s->energy->worked.billed) * PW_IN_UW;
    const wide energy[] = {all[SHOWBACK_ENERGY], or_none(drawn - all[SHOWBACK_ENERGY])};
    int64_t of_nodes[3], of_energy[2];
    showback_divide(bill.nodes, nodes, 3, of_nodes);
    showback_divide(bill.energy, energy, 2, of_energy);
    to.held = of_nodes[0];
    to.idle_gpu_nodes = of_nodes[1];
    to.idle_cpu_nodes = of_nodes[2];
    to.drawn = of_energy[0];
    to.idle_energy = of_energy[1];
    return to;
}

/* What an account pays for, and by what. */
enum { BY_NODES, BY_ENERGY, BY_KEPT, BY_READ, BY_WRITTEN, DIVISIONS };

static wide weight(const struct showback_account *account, int division)
{
    const wide *used = account->used.of;
    switch (division) {
    case BY_NODES:
        return used[SHOWBACK_GPU_NODES] + used[SHOWBACK_CPU_NODES];
    case BY_ENERGY:
        return used[SHOWBACK_ENERGY];
    case BY_KEPT:
        return account->read + account->written;
    case BY_READ:
        return account->read;
    default:
        return account->written;
    }
}

struct showback_cost *showback_costs(const struct showback *s, const struct showback_bill *bill,
                                     enum showback_kind kind)
{
    const struct showback_accounts *by = &s->by[kind];
    const int64_t totals[DIVISIONS] = {bill->held, bill->drawn, bill->kept, bill->read,
                                       bill->checkpoints};
    struct showback_cost *costs = mem_alloc(by->count + 1, sizeof *costs);
    wide *weights = mem_alloc(by->count + 1, sizeof *weights);
    int64_t *parts = mem_alloc(by->count + 1, sizeof *parts);
    for (int d = 0; d < DIVISIONS; d++) {
        for (size_t i = 0; i < by->count; i++)
            weights[i] = weight(&by->of[i], d);
        showback_divide(totals[d], weights, by->count, parts);
        for (size_t i = 0; i < by->count; i++)
            *(d == BY_NODES    ? &costs[i].nodes
              : d == BY_ENERGY ? &costs[i].energy
                               : &costs[i].storage) += parts[i];
    }
    free(weights);
    free(parts);
    return costs;
}

int64_t showback_job_micro_usd(const struct showback *s, const struct sim *sim,
                               const struct work_job *job)
{
    const struct energy *e = s->energy;
    const struct showback_job *of = &s->jobs[job->core.i];
    if (!energy_is_known(e))
        return -1;
    int64_t ms = sim_inside(sim, of->since_ms, sim->now_ms);
    wide used[SHOWBACK_AMOUNTS];
    for (int i = 0; i < SHOWBACK_AMOUNTS; i++)
        used[i] = of->of[i].used + of->of[i].holds * ms;
    wide nodes = used[SHOWBACK_GPU_NODES] + used[SHOWBACK_CPU_NODES];
    double energy = (double)used[SHOWBACK_ENERGY] / PW_IN_UW;
    return (int64_t)((nodes + UNITS_IN_MICRO / 2) / UNITS_IN_MICRO) +
           llround(energy_micro_usd(e, energy));
}

const char *showback_name(const struct sim *sim, enum showback_kind kind, size_t account)
{
    if (kind == SHOWBACK_QUEUE)
        return sim->queues[account].name;
    if (kind == SHOWBACK_USER)
        return symbols_name(sim->config.names.users, (uint32_t)account);
    if (kind == SHOWBACK_CLASS)
        return trace_class_names[account];
    return account == 0 ? "" : symbols_name(sim->config.names.models, (uint32_t)account - 1);
}
