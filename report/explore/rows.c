/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows and bars; see rows.h. */
#include "report/explore/rows.h"

#include "sim/base/heap.h"
#include "sim/base/mem.h"
#include "sim/base/order.h"

#include <stdlib.h>

struct explore_hold {
    int64_t from_ms;
    uint32_t job, number; /* number: of the task in its job */
    uint16_t offset, milli;
};

static bool before(const uint32_t *a, const uint32_t *b)
{
    return *a < *b;
}

HEAP(low, uint32_t, before)

/* ---- opening ---- */

static void open_pools(struct explore_rows *r, const struct fleet *fleet)
{
    r->pool_count = fleet->pool_count;
    r->free_rows = mem_alloc(fleet->pool_count + 1, sizeof *r->free_rows);
    r->free_count = mem_alloc(fleet->pool_count + 1, sizeof *r->free_count);
    size_t *devices = mem_alloc(fleet->pool_count + 1, sizeof *devices);
    for (uint32_t i = 0; i < fleet->node_count; i++)
        devices[fleet->nodes[i].pool] += (size_t)fleet->nodes[i].gpus;
    for (uint32_t i = 0; i < fleet->pool_count; i++) {
        r->first_row[i] = (uint32_t)r->row_count;
        r->free_rows[i] = mem_alloc(devices[i] + 1, sizeof *r->free_rows[i]);
        for (size_t k = 0; k < devices[i]; k++)
            r->free_rows[i][r->free_count[i]++] = (uint32_t)r->row_count++;
    }
    r->first_row[fleet->pool_count] = (uint32_t)r->row_count;
    free(devices);
}

void explore_rows_open(struct explore_rows *r, const struct sim *sim)
{
    const struct fleet *fleet = sim->fleet;
    size_t groups = sim->counts ? fleet->pool_count : fleet->node_count;
    r->first_row = mem_alloc(groups + 1, sizeof *r->first_row);
    if (sim->counts) {
        open_pools(r, fleet);
    } else {
        for (uint32_t i = 0; i < fleet->node_count; i++) {
            r->first_row[i] = (uint32_t)r->row_count;
            r->row_count += (size_t)fleet->nodes[i].gpus;
        }
        r->first_row[fleet->node_count] = (uint32_t)r->row_count;
    }
    r->rows = mem_alloc(r->row_count + 1, sizeof *r->rows);
}

void explore_rows_fini(struct explore_rows *r)
{
    for (size_t i = 0; i < r->row_count && r->rows != NULL; i++)
        free(r->rows[i].holds);
    for (size_t i = 0; i < r->pool_count; i++)
        free(r->free_rows[i]);
    free(r->rows);
    free(r->free_rows);
    free(r->free_count);
    free(r->first_row);
    free(r->bars);
    *r = (struct explore_rows){0};
}

/* ---- bars ---- */

/* A bar that continues the last one in the next row is merged into it. */
static void add_bar(struct explore_rows *r, uint32_t row, const struct explore_hold *hold,
                    int64_t to_ms)
{
    struct explore_bar *last = r->bar_count > 0 ? &r->bars[r->bar_count - 1] : NULL;
    if (last != NULL && last->job == hold->job && last->from_ms == hold->from_ms &&
        last->to_ms == to_ms && last->row + last->rows == row && last->offset == hold->offset &&
        last->milli == hold->milli) {
        last->rows++;
        return;
    }
    r->bars = mem_grow(r->bars, &r->bar_capacity, r->bar_count + 1, sizeof *r->bars);
    r->bars[r->bar_count++] = (struct explore_bar){.from_ms = hold->from_ms,
                                                   .to_ms = to_ms,
                                                   .job = hold->job,
                                                   .row = row,
                                                   .rows = 1,
                                                   .offset = hold->offset,
                                                   .milli = hold->milli};
}

static bool is_free(const struct explore_row *row, uint32_t from, uint32_t milli)
{
    for (uint32_t i = 0; i < row->count; i++)
        if (row->holds[i].offset < from + milli &&
            from < (uint32_t)row->holds[i].offset + row->holds[i].milli)
            return false;
    return true;
}

/*
 * Returns the lowest offset with room in the row; if the free shares are scattered, the end of the
 * row.
 */
static uint16_t offset_in(const struct explore_row *row, uint32_t milli)
{
    uint32_t best = is_free(row, 0, milli) ? 0 : FLEET_WHOLE;
    for (uint32_t i = 0; i < row->count && best != 0; i++) {
        uint32_t from = (uint32_t)row->holds[i].offset + row->holds[i].milli;
        if (from < best && from + milli <= FLEET_WHOLE && is_free(row, from, milli))
            best = from;
    }
    return (uint16_t)(best < FLEET_WHOLE ? best : FLEET_WHOLE - milli);
}

static void take(struct explore_rows *r, uint32_t row_id, struct explore_hold hold)
{
    struct explore_row *row = &r->rows[row_id];
    hold.offset = offset_in(row, hold.milli);
    if (row->count == row->capacity) {
        row->capacity = row->capacity == 0 ? 1 : 2 * row->capacity;
        row->holds = mem_resize(row->holds, row->capacity, sizeof *row->holds);
    }
    row->holds[row->count++] = hold;
}

/* Returns false if the task does not hold the row. */
static bool give_back(struct explore_rows *r, uint32_t row_id, uint32_t job, uint32_t number,
                      int64_t now_ms)
{
    struct explore_row *row = &r->rows[row_id];
    for (uint32_t i = 0; i < row->count; i++) {
        if (row->holds[i].job != job || row->holds[i].number != number)
            continue;
        if (row->holds[i].from_ms < now_ms)
            add_bar(r, row_id, &row->holds[i], now_ms);
        row->holds[i] = row->holds[--row->count];
        return true;
    }
    return false;
}

/* ---- devices that are only counted ---- */

static void take_counted(struct explore_rows *r, uint32_t pool, int64_t milli,
                         struct explore_hold hold)
{
    for (; milli > 0 && r->free_count[pool] > 0; milli -= FLEET_WHOLE) {
        hold.milli = (uint16_t)(milli < FLEET_WHOLE ? milli : FLEET_WHOLE);
        take(r, low_take(r->free_rows[pool], &r->free_count[pool]), hold);
    }
}

static void give_back_counted(struct explore_rows *r, uint32_t pool, uint32_t job, uint32_t number,
                              int64_t now_ms)
{
    for (uint32_t row = r->first_row[pool]; row < r->first_row[pool + 1]; row++)
        if (give_back(r, row, job, number, now_ms))
            low_put(r->free_rows[pool], &r->free_count[pool], row);
}

/* ---- tasks ---- */

void explore_rows_held(struct explore_rows *r, const struct sim *sim, uint32_t job,
                       const struct work_task *task, int sign)
{
    struct explore_hold hold = {
        .from_ms = sim->now_ms,
        .job = job,
        .number = task->number,
        .milli = (uint16_t)(task->milli < FLEET_WHOLE ? task->milli : FLEET_WHOLE)};
    if (task->node == WORK_NONE) {
        if (sign > 0)
            take_counted(r, task->pool, task->held_milli, hold);
        else
            give_back_counted(r, task->pool, job, task->number, sim->now_ms);
        return;
    }
    for (uint64_t rest = task->devices; rest != 0; rest &= rest - 1) {
        uint32_t row = r->first_row[task->node] + (uint32_t)__builtin_ctzll(rest);
        if (sign > 0)
            take(r, row, hold);
        else
            (void)give_back(r, row, job, task->number, sim->now_ms);
    }
}

static int by_time(const void *left, const void *right)
{
    const struct explore_bar *a = left, *b = right;
    int order = order_i64(&a->from_ms, &b->from_ms);
    if (order == 0)
        order = order_u32(&a->row, &b->row);
    if (order == 0)
        order = (a->offset > b->offset) - (a->offset < b->offset);
    return order != 0 ? order : order_u32(&a->job, &b->job);
}

void explore_rows_finish(struct explore_rows *r, int64_t now_ms)
{
    for (uint32_t row = 0; row < r->row_count; row++)
        while (r->rows[row].count > 0) {
            struct explore_hold first = r->rows[row].holds[0];
            (void)give_back(r, row, first.job, first.number, now_ms);
        }
    if (r->bar_count > 0)
        qsort(r->bars, r->bar_count, sizeof *r->bars, by_time);
}
