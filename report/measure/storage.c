/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Use of storage; see storage.h. */
#include "report/measure/storage.h"
#include "sim/storage.h"

#include <math.h>

#define MICRO       1e6
#define MS_PER_HOUR 3600000.0
#define UNITS_IN_TB 1e15 /* thousandths of a byte per TB */

static void spent(void *self, const struct sim *sim, const struct work_job *job,
                  const struct sim_span *span)
{
    struct storage_use *use = self;
    if (sim->storage == NULL || span->spent.work_ms == 0 || job->running == 0)
        return;
    int64_t lost_ppm = sim_storage_fed_ppm(sim, job) - span->speed_ppm;
    if (lost_ppm > 0)
        use->unfed +=
            (ledger_amount)span->milli * span->spent.work_ms * lost_ppm / span->hardware_ppm;
}

struct sim_observer storage_use_observer(struct storage_use *use)
{
    return (struct sim_observer){.self = use, .spent = spent};
}

static double gb(sim_store_amount amount)
{
    return (double)amount / 1e12;
}

/* Writes the mean used share of the rate over the window; null if the rate is unlimited. */
static void use_of(const struct sim *sim, struct json *j, const char *key, double moved_gb,
                   int64_t rate)
{
    double window_s = (double)(sim->window_end_ms - sim->window_start_ms) / 1000;
    json_f64(j, key,
             rate > 0 && window_s > 0 ? moved_gb / ((double)rate / 1e9 * window_s) : (double)NAN,
             6);
}

void storage_use_json(const struct storage_use *use, const struct sim *sim, struct json *j)
{
    if (sim->storage == NULL)
        return;
    const struct sim_storage_rules *r = &sim->config.storage;
    double models = gb(sim_storage_moved(sim, SIM_STORE_LOAD)),
           restored = gb(sim_storage_moved(sim, SIM_STORE_READ));
    double written = gb(sim_storage_moved(sim, SIM_STORE_WRITE)),
           data = gb(sim_storage_moved(sim, SIM_STORE_DATA));
    double cached = data * (double)r->cache_ppm / 1e6;
    json_begin_object(j, "storage");
    json_f64(j, "models_gb", models, 6);
    json_f64(j, "restored_gb", restored, 6);
    json_f64(j, "written_gb", written, 6);
    json_f64(j, "data_gb", data, 6);
    json_f64(j, "cached_gb", cached, 6);
    use_of(sim, j, "read_use", models + restored + data - cached, r->read);
    use_of(sim, j, "write_use", written, r->write);
    json_f64(j, "input_lost_gpu_h", ledger_hours(use->unfed), 6);
    json_end_object(j);
}

/* ---- cost ---- */

static double tb(const struct sim *sim, enum sim_store_kind kind)
{
    return (double)sim_storage_moved(sim, kind) / UNITS_IN_TB;
}

/* Caches on nodes serve their part first; only the rest reaches a tier. */
static double read_tb(const struct sim *sim)
{
    double data = tb(sim, SIM_STORE_DATA) * (1 - (double)sim->config.storage.cache_ppm / 1e6);
    return tb(sim, SIM_STORE_LOAD) + tb(sim, SIM_STORE_READ) + data;
}

struct storage_bill storage_bill(const struct store_prices *prices, const struct sim *sim)
{
    struct storage_bill bill = {0};
    double hours = (double)sim_inside(sim, sim->window_start_ms, sim->now_ms) / MS_PER_HOUR;
    double read = sim->storage != NULL ? read_tb(sim) : 0;
    for (size_t i = 0; prices != NULL && i < prices->count; i++) {
        const struct store_tier *tier = &prices->tiers[i];
        struct storage_tier_bill *to = &bill.tiers[i];
        to->read_tb = read * tier->hit;
        if (i > 0)
            to->written_tb = to->read_tb;
        else if (sim->storage != NULL)
            to->written_tb = tb(sim, SIM_STORE_WRITE);
        to->kept = llround(tier->tb * tier->usd_per_tb_month * hours / STORE_MONTH_HOURS * MICRO);
        to->moved = llround(
            (to->read_tb * tier->usd_per_tb_read + to->written_tb * tier->usd_per_tb_written) *
            MICRO);
        if (i == 0)
            bill.checkpoints = llround(to->written_tb * tier->usd_per_tb_written * MICRO);
        bill.kept += to->kept;
        bill.moved += to->moved;
    }
    return bill;
}
