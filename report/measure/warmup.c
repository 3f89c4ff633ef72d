/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The queue length by slot, and MSER-5 on it; see warmup.h. */
#include "report/measure/warmup.h"

#include "report/stats/steady.h"
#include "sim/base/mem.h"
#include "sim/dependencies.h"

#include <stdlib.h>

/* Slot widths are 1, 2, 10, 20, 100, ...: factors of 2 and 5 in turn. */
static int factor_after(int64_t width_ms)
{
    while (width_ms % 10 == 0)
        width_ms /= 10;
    return width_ms == 1 ? 2 : 5;
}

static void coarsen(struct warmup *w)
{
    int factor = factor_after(w->width_ms);
    for (int i = 0; i < WARMUP_SLOTS; i++) {
        warmup_amount sum = 0;
        for (int k = i * factor; k < (i + 1) * factor && k < WARMUP_SLOTS; k++)
            sum += w->slots[k];
        w->slots[i] = sum;
    }
    w->width_ms *= factor;
}

static void fit(struct warmup *w, int64_t span_ms)
{
    if (w->slots == NULL) {
        w->slots = mem_alloc(WARMUP_SLOTS, sizeof *w->slots);
        w->width_ms = 1;
    }
    while (span_ms > w->width_ms * WARMUP_SLOTS)
        coarsen(w);
}

/* Adds `jobs` pending jobs in [from, to), in ms after the first submission. */
static void add(struct warmup *w, int64_t from, int64_t to, int64_t jobs)
{
    fit(w, to);
    while (from < to) {
        int64_t slot = from / w->width_ms;
        int64_t end = (slot + 1) * w->width_ms < to ? (slot + 1) * w->width_ms : to;
        w->slots[slot] += (warmup_amount)jobs * (end - from);
        from = end;
    }
}

bool warmup_complete(const struct sim *sim)
{
    return !sim->has_next && sim_dependencies_count(sim) == 0;
}

static void interval(void *self, const struct sim *sim, uint32_t site, int64_t from, int64_t to)
{
    uint64_t jobs = 0;
    if (warmup_complete(sim))
        return;
    for (size_t i = 0; i < sim->sites[site].queue_count; i++)
        jobs += sim->queues[sim->sites[site].queues[i]].pending_jobs;
    if (jobs > 0)
        add(self, from - sim->first_submit_ms, to - sim->first_submit_ms, (int64_t)jobs);
}

static void submitted(void *self, const struct sim *sim, const struct work_job *job)
{
    struct warmup *w = self;
    if (!job->client)
        w->last_ms = sim->now_ms;
}

struct sim_observer warmup_observer(struct warmup *w)
{
    w->last_ms = INT64_MIN;
    return (struct sim_observer){.self = w, .interval = interval, .submitted = submitted};
}

int64_t warmup_end(struct warmup *w, const struct sim *sim, bool *half)
{
    *half = false;
    if (w->last_ms == INT64_MIN)
        return 0;
    int64_t span_ms = w->last_ms - sim->first_submit_ms;
    fit(w, span_ms);
    size_t n = (size_t)(span_ms / w->width_ms);
    double *x = mem_alloc(n + 1, sizeof *x);
    for (size_t i = 0; i < n; i++)
        x[i] = (double)w->slots[i] / (double)w->width_ms;
    size_t cut = stat_mser5(x, n);
    free(x);
    *half = cut > 0 && cut / STAT_MSER_GROUP == n / STAT_MSER_GROUP / 2;
    return (int64_t)cut * w->width_ms;
}

void warmup_fini(struct warmup *w)
{
    free(w->slots);
    *w = (struct warmup){0};
}
