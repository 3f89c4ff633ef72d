/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Quota, entitlement and use of queues by pool; see summary_pools.h. */
#include "report/record/summary_pools.h"

#include <math.h>
#include <stdlib.h>

struct hours {
    double quota, entitled, used, over, share;
};

static double gpu_h(double milli_ms)
{
    return milli_ms / (1000.0 * 3600000.0);
}

static struct hours hours_of(const struct pool_use *use)
{
    return (struct hours){gpu_h(use->quota_ms), gpu_h(use->entitled_ms), gpu_h(use->used_ms),
                          gpu_h(use->over_ms),
                          use->entitled_ms > 0 ? use->used_ms / use->entitled_ms : (double)NAN};
}

static bool has_any(const struct pool_use *use)
{
    return use->quota_ms > 0 || use->entitled_ms > 0 || use->used_ms > 0;
}

static void put_hours(const struct hours *h, struct json *j)
{
    json_f64(j, "quota_gpu_h", h->quota, 6);
    json_f64(j, "entitled_gpu_h", h->entitled, 6);
    json_f64(j, "used_gpu_h", h->used, 6);
    json_f64(j, "over_quota_gpu_h", h->over, 6);
    json_f64(j, "share", h->share, 6);
}

static void put_group(const struct summary *s, uint32_t group, struct json *j)
{
    struct pool_use all = {0};
    for (size_t i = 0; i < s->sim->queue_count; i++) {
        const struct pool_use use = pool_uses_of(s->pools, i, group);
        all.quota_ms += use.quota_ms;
        all.entitled_ms += use.entitled_ms;
        all.used_ms += use.used_ms;
        all.over_ms += use.over_ms;
    }
    const struct hours sum = hours_of(&all);
    json_i64(j, "gpus", pool_uses_gpus(s->pools, s->sim, group));
    put_hours(&sum, j);
    json_begin_object(j, "queues");
    for (size_t i = 0; i < s->sim->queue_count; i++) {
        const struct pool_use use = pool_uses_of(s->pools, i, group);
        const struct hours h = hours_of(&use);
        if (!has_any(&use))
            continue;
        json_begin_object(j, s->sim->queues[i].name);
        put_hours(&h, j);
        json_end_object(j);
    }
    json_end_object(j);
}

void summary_pools(const struct summary *s, struct json *j)
{
    if (s->pools->group_count == 0 || s->sim->counts)
        return;
    json_begin_object(j, "pools");
    for (uint32_t g = 0; g < s->pools->group_count; g++) {
        char *name = pool_uses_name(s->pools, s->sim, g);
        json_begin_object(j, name);
        put_group(s, g, j);
        json_end_object(j);
        free(name);
    }
    json_end_object(j);
}

static void row(const struct summary *s, size_t queue, uint32_t group, struct out *out)
{
    const struct pool_use use = pool_uses_of(s->pools, queue, group);
    const struct hours h = hours_of(&use);
    const double cells[] = {h.quota, h.entitled, h.used, h.over, h.share};
    if (!has_any(&use))
        return;
    char *name = pool_uses_name(s->pools, s->sim, group);
    out_csv(out, s->sim->queues[queue].name);
    out_char(out, ',');
    out_csv(out, name);
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        out_char(out, ',');
        out_f64(out, cells[i], 6);
    }
    out_char(out, '\n');
    free(name);
}

bool summary_write_pools(const struct summary *s, const char *dir, struct err *err)
{
    if (s->pools->group_count == 0 || s->sim->counts)
        return true;
    struct out *out = out_open_in(dir, "queue_pools.csv", err);
    if (out == NULL)
        return false;
    out_text(out, "queue,pools,quota_gpu_h,entitled_gpu_h,used_gpu_h,over_quota_gpu_h,share\n");
    for (size_t i = 0; i < s->sim->queue_count; i++)
        for (uint32_t g = 0; g < s->pools->group_count; g++)
            row(s, i, g, out);
    return out_close(out, err);
}
