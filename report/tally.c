/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exact distributions by counting; see tally.h. */
#include "report/tally.h"

#include "sim/base/mem.h"

#include <math.h>
#include <stdlib.h>

static bool is_free(const struct tally_cell *cell)
{
    return cell->observed == 0 && cell->censored == 0;
}

static struct tally_cell *find(struct tally_cell *cells, size_t capacity, int64_t value)
{
    uint64_t hash = (uint64_t)value * UINT64_C(0x9e3779b97f4a7c15);
    size_t i = (size_t)(hash >> 32) & (capacity - 1);
    while (!is_free(&cells[i]) && cells[i].value != value)
        i = (i + 1) & (capacity - 1);
    return &cells[i];
}

static void grow(struct tally *t)
{
    size_t capacity = t->capacity > 0 ? t->capacity * 2 : 64;
    struct tally_cell *cells = mem_alloc(capacity, sizeof *cells);
    for (size_t i = 0; i < t->capacity; i++)
        if (!is_free(&t->cells[i]))
            *find(cells, capacity, t->cells[i].value) = t->cells[i];
    free(t->cells);
    t->cells = cells;
    t->capacity = capacity;
}

static void add_many(struct tally *t, int64_t value, uint32_t observed, uint32_t censored)
{
    if (2 * (t->used + 1) > t->capacity)
        grow(t);
    struct tally_cell *cell = find(t->cells, t->capacity, value);
    t->used += is_free(cell);
    cell->value = value;
    cell->observed += observed;
    cell->censored += censored;
    if (t->observed + t->censored == 0 || value > t->max)
        t->max = value;
    t->observed += observed;
    t->censored += censored;
    t->sum += value * (int64_t)observed;
}

void tally_add(struct tally *t, int64_t value, bool censored)
{
    add_many(t, value, !censored, censored);
}

void tally_merge(struct tally *into, const struct tally *from)
{
    for (size_t i = 0; i < from->capacity; i++)
        if (!is_free(&from->cells[i]))
            add_many(into, from->cells[i].value, from->cells[i].observed, from->cells[i].censored);
}

void tally_fini(struct tally *t)
{
    free(t->cells);
    *t = (struct tally){0};
}

static int by_value(const void *a, const void *b)
{
    int64_t x = ((const struct tally_cell *)a)->value;
    int64_t y = ((const struct tally_cell *)b)->value;
    return (x > y) - (x < y); /* values are unique in a tally */
}

struct tally_cell *tally_sorted(const struct tally *t, size_t *count)
{
    struct tally_cell *cells = mem_alloc(t->used + 1, sizeof *cells);
    *count = 0;
    for (size_t i = 0; i < t->capacity; i++)
        if (!is_free(&t->cells[i]))
            cells[(*count)++] = t->cells[i];
    qsort(cells, *count, sizeof *cells, by_value);
    return cells;
}

static struct tally_quantile nearest_rank(const struct tally_cell *cells, size_t count, uint64_t n, double q)
{
    uint64_t rank = (uint64_t)ceil(q * (double)n - 1e-9);
    rank = rank == 0 ? 1 : rank;
    uint64_t seen = 0;
    for (size_t i = 0; i < count; i++) {
        seen += cells[i].observed;
        if (seen >= rank)
            return (struct tally_quantile){true, cells[i].value};
    }
    return (struct tally_quantile){false, 0};
}

struct tally_quantile tally_quantile(const struct tally *t, const struct tally_cell *cells, size_t count,
                                     double q)
{
    uint64_t at_risk = t->observed + t->censored;
    if (at_risk == 0 || t->censored == 0)
        return nearest_rank(cells, count, at_risk, q);
    double above = 1.0;
    for (size_t i = 0; i < count; i++) {
        above *= 1.0 - (double)cells[i].observed / (double)at_risk; /* who ends at t was still at risk at t */
        if (above <= 1.0 - q + 1e-12)
            return (struct tally_quantile){true, cells[i].value};
        at_risk -= (uint64_t)cells[i].observed + cells[i].censored;
    }
    return (struct tally_quantile){false, t->max};
}

static void bounded(struct json *j, const char *key, const char *at_least, bool known, double value)
{
    if (known) {
        json_f64(j, key, value, 3);
        return;
    }
    json_null(j, key);
    json_f64(j, at_least, value, 3);
}

static void mean(const struct tally *t, struct json *j)
{
    /* Counting censored values as if they had ended gives a lower bound of the mean. */
    double sum = (double)t->sum;
    for (size_t i = 0; t->censored > 0 && i < t->capacity; i++)
        sum += (double)t->cells[i].value * (double)t->cells[i].censored;
    bounded(j, "mean", "mean_at_least", t->censored == 0, sum / (double)(t->observed + t->censored) / 1000.0);
}

void tally_json(const struct tally *t, struct json *j, const char *key)
{
    static const struct {
        const char *key, *at_least;
        double q;
    } rows[] = {
        {"p50", "p50_at_least", 0.50},
        {"p90", "p90_at_least", 0.90},
        {"p95", "p95_at_least", 0.95},
        {"p99", "p99_at_least", 0.99},
    };
    bool empty = t->observed + t->censored == 0;
    size_t count;
    struct tally_cell *cells = tally_sorted(t, &count);
    json_begin_object(j, key);
    if (empty)
        json_null(j, "mean");
    else
        mean(t, j);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct tally_quantile found = tally_quantile(t, cells, count, rows[i].q);
        if (empty)
            json_null(j, rows[i].key);
        else
            bounded(j, rows[i].key, rows[i].at_least, found.known, (double)found.value / 1000.0);
    }
    if (empty)
        json_null(j, "max");
    else
        bounded(j, "max", "max_at_least", t->censored == 0, (double)t->max / 1000.0);
    json_i64(j, "censored", (int64_t)t->censored);
    json_end_object(j);
    free(cells);
}
