/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Integrating power and price; the model is in energy.h. */
#include "report/measure/energy.h"

#include "sim/base/mem.h"
#include "sim/power/power.h"

#include <math.h>
#include <stdlib.h>

#define MICRO          1e6
#define PICO           1e12
#define MS_PER_HOUR    3600000.0
#define UNITS_IN_MICRO ((wide)3600000 * 1000000) /* pico-dollars per hour x ms */

/* ---- nodes and their prices ---- */

static struct node_price price_here(const struct energy_node *node, const struct price_terms *terms)
{
    if (!node->spot)
        return price_of_billing(node->traits, terms, node->billing);
    struct node_price price = node->billing == BILLED_BY_BASIS
                                  ? price_of_spot(node->traits, terms)
                                  : price_of_billing(node->traits, terms, node->billing);
    if (node->own_usd_per_hour >= 0)
        price = (struct node_price){.source = PRICE_GIVEN,
                                    .usd = node->own_usd_per_hour,
                                    .low = node->own_usd_per_hour,
                                    .high = node->own_usd_per_hour};
    return price;
}

static void init_pool(struct energy_pool *pool, const struct energy_node *node,
                      const struct price_terms *terms)
{
    pool->gpu_milli = (int64_t)node->gpus * FLEET_WHOLE;
    pool->idle_w = power_node_w(node->traits, 0);
    if (node->gpus > 0)
        pool->busy_w = (power_node_w(node->traits, 1) - pool->idle_w) / (double)pool->gpu_milli;
    pool->price = price_here(node, terms);
    pool->pico_usd = llround(pool->price.usd * PICO);
    pool->name = node->name;
}

void energy_init(struct energy *e, const struct energy_terms *terms)
{
    static const struct price_terms none = {.pue = 1};
    const struct price_terms *price = terms->price != NULL ? terms->price : &none;
    *e = (struct energy){.powered = terms->pool_count > 0,
                         .priced = terms->pool_count > 0,
                         .pue = price->pue,
                         .usd_per_kwh = price->mid.usd_per_kwh,
                         .basis = price->basis,
                         .pools = mem_alloc(terms->pool_count + 1, sizeof *e->pools),
                         .pool_count = terms->pool_count,
                         .kind_of = terms->kind_of};
    bool some_power = false;
    bool some_price = false;
    for (size_t i = 0; i < terms->pool_count; i++) {
        const struct energy_node *node = &terms->pools[i];
        bool powered = node->traits->peak_w > 0;
        init_pool(&e->pools[i], node, price);
        bool priced = e->pools[i].price.source != PRICE_UNKNOWN;
        e->spot |= node->spot;
        e->elastic |= node->elastic;
        some_power |= powered;
        some_price |= priced;
        e->powered &= node->gpus == 0 || powered;
        e->priced &= node->gpus == 0 || priced;
        e->billed |= e->pools[i].price.energy_on_top && e->usd_per_kwh > 0;
    }
    e->powered &= some_power;
    e->priced &= some_price;
}

void energy_fini(struct energy *e)
{
    free(e->pools);
    free(e->down);
    free(e->gone);
    free(e->jobs);
    free(e->changed);
    *e = (struct energy){0};
}

bool energy_has_figures(const struct energy *e)
{
    return e->powered || e->priced;
}

/* Devices on nodes that a list only counts have no known price. */
static bool is_known(const struct energy *e)
{
    return e->kind_of == NULL || !e->counted;
}

static struct energy_pool *pool_of(const struct energy *e, const struct sim *sim, uint32_t node)
{
    return &e->pools[e->kind_of != NULL ? e->kind_of[node] : sim->fleet->nodes[node].pool];
}

const struct energy_pool *energy_pool_of(const struct energy *e, const struct sim *sim,
                                         const struct work_task *task)
{
    if (task->node != WORK_NONE)
        return pool_of(e, sim, task->node);
    return &e->pools[e->kind_of != NULL ? 0 : task->pool];
}

static ledger_amount micro(double watts)
{
    return (ledger_amount)(watts * MICRO + 0.5);
}

static void add_drawn(struct energy_drawn *to, const struct energy_drawn *x, ledger_amount times)
{
    to->all += x->all * times;
    to->billed += x->billed * times;
}

/* Returns what a pool's node draws at this power, and the part billed on top of its price. */
static struct energy_drawn drawn_in(const struct energy_pool *pool, double watts)
{
    ledger_amount uw = micro(watts);
    return (struct energy_drawn){uw, pool->price.energy_on_top ? uw : 0};
}

/* ---- nodes that are up draw at least their idle power ---- */

/* Returns true for an on-demand node that the pool does not start with. */
static bool is_off_at_first(const struct sim *sim, uint32_t node)
{
    const struct sim_elastic_pool *pools = sim->config.elastic.of_pool;
    uint32_t pool = sim->fleet->nodes[node].pool;
    return pools != NULL && pools[pool].given &&
           node - sim->fleet->pools[pool].first_node >= pools[pool].least;
}

static void begin(struct energy *e, const struct sim *sim)
{
    const struct fleet *fleet = sim->fleet;
    if (e->down != NULL)
        return;
    e->down = mem_alloc(fleet->node_count + 1, sizeof *e->down);
    e->gone = mem_alloc(fleet->node_count + 1, sizeof *e->gone);
    for (size_t i = 0; i < fleet->node_count; i++) {
        struct energy_pool *pool = pool_of(e, sim, (uint32_t)i);
        pool->nodes++;
        pool->gone += e->gone[i] = e->down[i] = is_off_at_first(sim, (uint32_t)i);
        if (e->down[i])
            continue;
        struct energy_drawn idle = drawn_in(pool, pool->idle_w);
        add_drawn(&e->idle_uw, &idle, 1);
    }
    e->since_ms = sim->window_start_ms;
}

static void settle_idle(struct energy *e, const struct sim *sim)
{
    add_drawn(&e->idled, &e->idle_uw, sim_inside(sim, e->since_ms, sim->now_ms));
    e->since_ms = sim->now_ms;
}

/* ---- spot capacity is paid for only while it is available ---- */

static void settle_gone(struct energy_pool *pool, const struct sim *sim)
{
    pool->gone_ms += (ledger_amount)pool->gone * sim_inside(sim, pool->gone_since_ms, sim->now_ms);
    pool->gone_since_ms = sim->now_ms;
}

static void note_gone(struct energy *e, const struct sim *sim, uint32_t id)
{
    const struct fleet_node *node = &sim->fleet->nodes[id];
    struct energy_pool *pool = pool_of(e, sim, id);
    bool gone = node->reclaimed > 0 || node->off;
    if (gone == e->gone[id])
        return;
    settle_gone(pool, sim);
    pool->gone += gone ? 1 : -1;
    e->gone[id] = gone;
}

static void turned(void *self, const struct sim *sim, uint32_t id)
{
    struct energy *e = self;
    const struct fleet_node *node = &sim->fleet->nodes[id];
    bool down = node->away > 0 || node->off;
    begin(e, sim);
    note_gone(e, sim, id);
    if (down == e->down[id])
        return;
    settle_idle(e, sim);
    e->down[id] = down;
    const struct energy_pool *pool = pool_of(e, sim, id);
    struct energy_drawn idle = drawn_in(pool, pool->idle_w);
    add_drawn(&e->idle_uw, &idle, down ? -1 : 1);
}

/* ---- working jobs draw more than idle power ---- */

/* Returns the power above idle of the job's running tasks. */
static struct energy_drawn drawn_by(const struct energy *e, const struct sim *sim,
                                    const struct work_job *job)
{
    double watts = 0;
    double billed = 0;
    for (uint32_t id = job->first_task; id != WORK_NONE; id = sim->work.tasks[id].next) {
        const struct work_task *task = &sim->work.tasks[id];
        if (task->release_ms != WORK_NEVER)
            continue;
        const struct energy_pool *pool = energy_pool_of(e, sim, task);
        double more = pool->busy_w * (double)task->held_milli;
        watts += more;
        billed += pool->price.energy_on_top ? more : 0;
    }
    const int64_t use_ppm = work_use(job) / WORK_IDEAL;
    double use = (double)use_ppm / (double)WORK_IDEAL;
    return (struct energy_drawn){micro(watts * use), micro(billed * use)};
}

static void note_change(struct energy *e, const struct sim *sim, const struct work_job *job)
{
    uint32_t id = job->core.i;
    if (id >= e->job_count)
        e->jobs = mem_extend(e->jobs, &e->job_count, sim->work.capacity, sizeof *e->jobs);
    if (e->jobs[id].changed)
        return;
    e->jobs[id].changed = true;
    if (e->changed_count == e->changed_capacity)
        e->changed =
            mem_grow(e->changed, &e->changed_capacity, e->changed_count + 1, sizeof *e->changed);
    e->changed[e->changed_count++] = id;
}

static void spent(void *self, const struct sim *sim, const struct work_job *job,
                  const struct sim_span *span)
{
    struct energy *e = self;
    note_change(e, sim, job);
    if (span->milli <= 0 || span->spent.work_ms <= 0)
        return;
    struct energy_drawn drawn = drawn_by(e, sim, job);
    add_drawn(&e->worked, &drawn, span->spent.work_ms);
}

static void evicted(void *self, const struct sim *sim, const struct work_job *job,
                    const struct sim_eviction *how)
{
    (void)how;
    note_change(self, sim, job);
}

static bool works(const struct work_job *job)
{
    return job->state == WORK_RUNNING && !job->hung && !job->starved && !job->halted &&
           !work_progress_launches(&job->progress);
}

int64_t energy_now_uw(struct energy *e, const struct sim *sim)
{
    if (!e->powered || !is_known(e))
        return -1;
    begin(e, sim);
    for (size_t i = 0; i < e->changed_count; i++) {
        const struct work_job *job = &sim->work.jobs[e->changed[i]];
        struct energy_job *was = &e->jobs[e->changed[i]];
        ledger_amount uw = works(job) ? drawn_by(e, sim, job).all : 0;
        e->working_uw += uw - was->uw;
        *was = (struct energy_job){.uw = uw};
    }
    e->changed_count = 0;
    ledger_amount uw = e->idle_uw.all + e->working_uw;
    return uw < INT64_MAX ? (int64_t)uw : INT64_MAX;
}

static void held(void *self, const struct sim *sim, const struct work_job *job,
                 const struct work_task *task, int sign)
{
    struct energy *e = self;
    (void)sign;
    e->counted |= task->node == WORK_NONE;
    if (e->powered)
        note_change(e, sim, job);
}

/* ---- the whole fleet ---- */

struct sim_observer energy_observer(struct energy *e)
{
    struct sim_observer o = {.self = e};
    if (energy_has_figures(e))
        o.held = held;
    if (e->powered || e->spot || e->elastic)
        o.turned = turned;
    if (e->powered) {
        o.spent = spent;
        o.evicted = evicted;
    }
    return o;
}

void energy_finish(struct energy *e, const struct sim *sim)
{
    if (!energy_has_figures(e))
        return;
    begin(e, sim);
    settle_idle(e, sim);
    for (size_t i = 0; i < e->pool_count; i++)
        settle_gone(&e->pools[i], sim);
}

double energy_kwh(const struct energy *e)
{
    double uw_ms = (double)(e->idled.all + e->worked.all);
    return e->powered && is_known(e) ? uw_ms / MICRO / 1000 / MS_PER_HOUR * e->pue : (double)NAN;
}

/* Billed energy is unknown without power figures, and then so is the sum. */
bool energy_is_known(const struct energy *e)
{
    return is_known(e) && e->priced && (!e->billed || e->powered);
}

double energy_micro_usd(const struct energy *e, double uw_ms)
{
    return uw_ms / MICRO / 1000 / MS_PER_HOUR * e->pue * e->usd_per_kwh * MICRO;
}

struct energy_bill energy_bill(const struct energy *e, const struct sim *sim)
{
    struct energy_bill bill = {.known = energy_is_known(e)};
    if (!bill.known)
        return bill;
    wide window = sim_inside(sim, sim->window_start_ms, sim->now_ms);
    for (size_t i = 0; i < e->pool_count; i++) {
        const struct energy_pool *pool = &e->pools[i];
        *(pool->gpu_milli > 0 ? &bill.gpu_nodes : &bill.cpu_nodes) +=
            pool->pico_usd * (pool->nodes * window - pool->gone_ms);
    }
    wide all = bill.gpu_nodes + bill.cpu_nodes;
    bill.nodes = (int64_t)((all + UNITS_IN_MICRO / 2) / UNITS_IN_MICRO);
    bill.energy = llround(energy_micro_usd(e, (double)(e->idled.billed + e->worked.billed)));
    return bill;
}
