/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exact distributions by counting; see tally.h. */
#include "report/stats/tally.h"

#include "sim/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK  8 /* cells; a power of two */
#define RECENT 64
/* up to this many values use a comparison sort: a pass over bytes costs more than 512 steps */
#define FEW 48

/* Maps signed values to unsigned ones in the same order. */
static uint64_t sort_key(int64_t value)
{
    return (uint64_t)value ^ (UINT64_C(1) << 63);
}

static bool is_free(const struct tally_cell *cell)
{
    return cell->observed == 0 && cell->censored == 0;
}

/*
 * Most values are whole seconds and close to each other, so cells of a few neighbouring seconds are
 * adjacent, which suits the cache. The blocks are scattered, and so are the fractions of a second:
 * long runs of used cells would make searches long.
 */
static size_t place_of(size_t capacity, int64_t value)
{
    int64_t seconds = value / 1000;
    uint64_t block = (uint64_t)(seconds / BLOCK), rest = (uint64_t)(value - seconds * 1000);
    uint64_t hash = (block * 1024 + rest) * UINT64_C(0x9e3779b97f4a7c15) >> 24;
    return (size_t)(hash / BLOCK * BLOCK + (uint64_t)seconds % BLOCK) & (capacity - 1);
}

static struct tally_cell *find(struct tally_cell *cells, size_t capacity, int64_t value)
{
    size_t i = place_of(capacity, value);
    while (!is_free(&cells[i]) && cells[i].value != value)
        i = (i + 1) & (capacity - 1);
    return &cells[i];
}

static void rehash(struct tally *t, size_t capacity)
{
    struct tally_cell *cells = mem_alloc(capacity, sizeof *cells);
    for (size_t i = 0; i < t->capacity; i++)
        if (!is_free(&t->cells[i]))
            *find(cells, capacity, t->cells[i].value) = t->cells[i];
    free(t->cells);
    t->cells = cells;
    t->capacity = capacity;
}

/* Moves up to RECENT values into the table; the memory that they need is fetched all at once. */
static void move_in(struct tally *t, const struct tally_cell *values, size_t count)
{
    size_t capacity = t->capacity > 0 ? t->capacity : 4 * RECENT;
    while (2 * (t->used + count) > capacity)
        capacity *= 2;
    if (capacity > t->capacity)
        rehash(t, capacity);
    for (size_t i = 0; i < count; i++)
        __builtin_prefetch(&t->cells[place_of(capacity, values[i].value)], 1);
    for (size_t i = 0; i < count; i++) {
        struct tally_cell *cell = find(t->cells, capacity, values[i].value);
        t->used += is_free(cell);
        cell->value = values[i].value;
        cell->observed += values[i].observed;
        cell->censored += values[i].censored;
    }
}

static void make_room(struct tally *t)
{
    for (size_t i = 0; i < t->recent_count; i += RECENT)
        move_in(t, &t->recent[i], t->recent_count - i < RECENT ? t->recent_count - i : RECENT);
    t->recent_count = 0;
    t->sorted = false;
    t->recent = mem_grow(t->recent, &t->recent_capacity, RECENT, sizeof *t->recent);
}

void tally_add(struct tally *t, int64_t value, bool censored)
{
    if (t->observed + t->censored == 0 || value > t->max)
        t->max = value;
    t->observed += !censored;
    t->censored += censored;
    t->sum += censored ? 0 : value;
    struct tally_cell *last = t->recent_count > 0 ? &t->recent[t->recent_count - 1] : NULL;
    if (last == NULL || last->value != value) {
        if (t->recent_count == t->recent_capacity)
            make_room(t);
        last = &t->recent[t->recent_count++];
        *last = (struct tally_cell){.value = value};
        t->sorted = false;
    }
    last->observed += !censored;
    last->censored += censored;
}

/* Copies the cells in use and the recent values; a value may be among both. */
static size_t copy_all(const struct tally *t, struct tally_cell *to)
{
    size_t n = 0;
    for (size_t i = 0; i < t->capacity; i++) {
        to[n] = t->cells[i];
        n += !is_free(&t->cells[i]);
    }
    if (t->recent_count > 0)
        memcpy(&to[n], t->recent, t->recent_count * sizeof *to);
    return n + t->recent_count;
}

/* Room that copy_all() needs: it also writes behind the last cell. */
static size_t most_cells(const struct tally *t)
{
    return t->used + t->recent_count + 1;
}

void tally_merge(struct tally *into, const struct tally *from)
{
    if (from->observed + from->censored == 0)
        return;
    into->sorted = into->observed + into->censored == 0 && from->sorted;
    if (into->observed + into->censored == 0 || from->max > into->max)
        into->max = from->max;
    into->observed += from->observed;
    into->censored += from->censored;
    into->sum += from->sum;
    into->recent = mem_grow(into->recent, &into->recent_capacity,
                            into->recent_count + most_cells(from), sizeof *into->recent);
    into->recent_count += copy_all(from, &into->recent[into->recent_count]);
}

void tally_fini(struct tally *t)
{
    free(t->cells);
    free(t->recent);
    *t = (struct tally){0};
}

/* One pass of a radix sort over byte `byte`. */
static void sort_byte(const struct tally_cell *from, struct tally_cell *to, size_t n, int byte)
{
    size_t start[256] = {0};
    for (size_t i = 0; i < n; i++)
        start[sort_key(from[i].value) >> (8 * byte) & 0xff]++;
    size_t sum = 0;
    for (int digit = 0; digit < 256; digit++) {
        size_t count = start[digit];
        start[digit] = sum;
        sum += count;
    }
    for (size_t i = 0; i < n; i++)
        to[start[sort_key(from[i].value) >> (8 * byte) & 0xff]++] = from[i];
}

static void sort_few(struct tally_cell *cells, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        struct tally_cell cell = cells[i];
        size_t at = i;
        for (; at > 0 && cells[at - 1].value > cell.value; at--)
            cells[at] = cells[at - 1];
        cells[at] = cell;
    }
}

/* Sorts by value; returns the array with the sorted cells, and frees the other. */
static struct tally_cell *sort(struct tally_cell *cells, size_t n)
{
    uint64_t differ = 0; /* bits in which the keys differ */
    for (size_t i = 0; i < n; i++)
        differ |= sort_key(cells[i].value) ^ sort_key(cells[0].value);
    if (n <= FEW) {
        sort_few(cells, n);
        return cells;
    }
    struct tally_cell *other = mem_resize(NULL, n, sizeof *other);
    for (int byte = 0; byte < 8; byte++)
        if ((differ >> (8 * byte) & 0xff) != 0) {
            sort_byte(cells, other, n, byte);
            struct tally_cell *sorted = other;
            other = cells;
            cells = sorted;
        }
    free(other);
    return cells;
}

/* Adds up neighbours with the same value; returns how many cells are left. */
static size_t unite(struct tally_cell *cells, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        if (kept > 0 && cells[kept - 1].value == cells[i].value) {
            cells[kept - 1].observed += cells[i].observed;
            cells[kept - 1].censored += cells[i].censored;
        } else {
            cells[kept++] = cells[i];
        }
    }
    return kept;
}

struct tally_cell *tally_sorted(const struct tally *t, size_t *count)
{
    struct tally_cell *cells = mem_resize(NULL, most_cells(t), sizeof *cells);
    *count = copy_all(t, cells);
    if (t->sorted)
        return cells;
    cells = sort(cells, *count);
    *count = unite(cells, *count);
    return cells;
}

void tally_sort(struct tally *t)
{
    if (t->sorted)
        return;
    size_t count;
    struct tally_cell *cells = tally_sorted(t, &count);
    free(t->cells);
    free(t->recent);
    t->cells = NULL;
    t->used = t->capacity = 0;
    t->recent = cells;
    t->recent_count = t->recent_capacity = count;
    t->sorted = true;
}

static struct tally_quantile nearest_rank(const struct tally_cell *cells, size_t count, uint64_t n,
                                          double q)
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

struct tally_quantile tally_quantile(const struct tally *t, const struct tally_cell *cells,
                                     size_t count, double q)
{
    uint64_t at_risk = t->observed + t->censored;
    if (at_risk == 0 || t->censored == 0)
        return nearest_rank(cells, count, at_risk, q);
    /*
     * Between two censored values the product of the surviving shares telescopes to one quotient,
     * so errors do not add up.
     */
    double before = 1.0;
    uint64_t then = at_risk;
    for (size_t i = 0; i < count; i++) {
        at_risk -=
            cells[i].observed; /* jobs that end or are censored at t were still at risk at t */
        double above = before * ((double)at_risk / (double)then);
        if (above <= 1.0 - q + 1e-12)
            return (struct tally_quantile){true, cells[i].value};
        if (cells[i].censored == 0)
            continue;
        at_risk -= cells[i].censored;
        before = above;
        then = at_risk;
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
    /* Counting censored values as ended gives a lower bound of the mean. */
    double sum = (double)t->sum;
    for (size_t i = 0; t->censored > 0 && i < t->capacity; i++)
        sum += (double)t->cells[i].value * (double)t->cells[i].censored;
    for (size_t i = 0; t->censored > 0 && i < t->recent_count; i++)
        sum += (double)t->recent[i].value * (double)t->recent[i].censored;
    bounded(j, "mean", "mean_at_least", t->censored == 0,
            sum / (double)(t->observed + t->censored) / 1000.0);
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
