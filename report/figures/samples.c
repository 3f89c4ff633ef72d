/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reduces samples over time. Sums are kept for up to 2 x SAMPLES_POINTS points; when they are full,
 * neighbours are merged, and from then on each point covers twice as many rows. At the end they are
 * merged once more if there are still too many.
 */
#include "report/figures/samples.h"

#include "sim/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CAPACITY (2 * SAMPLES_POINTS)

/*
 * `sum` and `n` hold one slot per point and column; slot 0 of a point is its time. `row_field` says
 * where each slot is in a row of the file.
 */
struct reduction {
    struct samples *samples;
    samples_want *want;
    samples_watch *watch;
    void *ctx;
    size_t *row_field;
    double *sum, *low, *high, *row;
    double *highest_sum; // one per point
    size_t *n;
    size_t slots;
};

static bool on_header(void *ctx, const struct rundir_row *header, struct err *err)
{
    struct reduction *to = ctx;
    to->row_field = mem_alloc(header->count + 1, sizeof *to->row_field);
    to->samples->name = mem_alloc(header->count + 1, sizeof *to->samples->name);
    if (!rundir_need(header, "time_s", &to->row_field[0], err))
        return false;
    for (size_t i = 0; i < header->count; i++) {
        if (i == to->row_field[0] || !to->want(to->ctx, header->field[i]))
            continue;
        to->samples->name[to->samples->columns++] = mem_text(header->field[i]);
        to->row_field[to->samples->columns] = i;
    }
    to->slots = to->samples->columns + 1;
    to->sum = mem_alloc(CAPACITY * to->slots, sizeof *to->sum);
    to->n = mem_alloc(CAPACITY * to->slots, sizeof *to->n);
    to->low = mem_alloc(CAPACITY * to->slots, sizeof *to->low);
    to->high = mem_alloc(CAPACITY * to->slots, sizeof *to->high);
    to->highest_sum = mem_alloc(CAPACITY, sizeof *to->highest_sum);
    to->row = mem_alloc(to->slots, sizeof *to->row);
    return true;
}

/* Merges two groups of rows; a group without numbers has n = 0, and its bounds are meaningless. */
static void merge_slots(struct reduction *to, size_t into, size_t left, size_t right)
{
    size_t n = to->n[left] + to->n[right];
    double low = to->low[left], high = to->high[left];
    if (to->n[right] > 0 && (to->n[left] == 0 || to->low[right] < low))
        low = to->low[right];
    if (to->n[right] > 0 && (to->n[left] == 0 || to->high[right] > high))
        high = to->high[right];
    to->sum[into] = to->sum[left] + to->sum[right];
    to->low[into] = low;
    to->high[into] = high;
    to->n[into] = n;
}

static void merge_neighbours(struct reduction *to)
{
    struct samples *samples = to->samples;
    size_t merged = (samples->points + 1) / 2;
    for (size_t p = 0; p < merged; p++) {
        for (size_t s = 0; s < to->slots; s++) {
            size_t left = 2 * p * to->slots + s;
            merge_slots(to, p * to->slots + s, left, left + to->slots);
        }
        to->highest_sum[p] = fmax(to->highest_sum[2 * p], to->highest_sum[2 * p + 1]);
    }
    for (size_t i = merged * to->slots; i < CAPACITY * to->slots; i++) {
        to->sum[i] = 0;
        to->n[i] = 0;
    }
    for (size_t p = merged; p < CAPACITY; p++)
        to->highest_sum[p] = 0;
    samples->points = merged;
    samples->rows_per_point *= 2;
}

static bool on_row(void *ctx, const struct rundir_row *row, struct err *err)
{
    struct reduction *to = ctx;
    struct samples *samples = to->samples;
    for (size_t s = 0; s < to->slots; s++)
        if (!rundir_number(row, to->row_field[s], &to->row[s], err))
            return false;
    double time_s = to->row[0];
    if (isnan(time_s))
        return err_set(err, EXIT_INPUT, "time_s is empty");
    if (samples->rows > 0 && time_s < samples->last_s)
        return err_set(err, EXIT_INPUT, "time_s goes back");
    if (to->watch)
        to->watch(to->ctx, time_s, to->row + 1);
    if (samples->rows == 0)
        samples->first_s = time_s;
    samples->last_s = time_s;
    if (samples->rows == CAPACITY * samples->rows_per_point)
        merge_neighbours(to);
    size_t point = samples->rows++ / samples->rows_per_point;
    double total = 0;
    for (size_t s = 0; s < to->slots; s++) {
        size_t slot = point * to->slots + s;
        double value = to->row[s];
        if (isnan(value))
            continue;
        total += s > 0 ? value : 0;
        to->low[slot] = to->n[slot] == 0 ? value : fmin(to->low[slot], value);
        to->high[slot] = to->n[slot] == 0 ? value : fmax(to->high[slot], value);
        to->sum[slot] += value;
        to->n[slot]++;
    }
    to->highest_sum[point] = fmax(to->highest_sum[point], total);
    samples->points = point + 1;
    return true;
}

static void finish(struct reduction *to)
{
    struct samples *samples = to->samples;
    while (samples->points > SAMPLES_POINTS)
        merge_neighbours(to);
    samples->time_s = mem_alloc(samples->points + 1, sizeof *samples->time_s);
    size_t cells = samples->points * samples->columns + 1;
    samples->value = mem_alloc(cells, sizeof *samples->value);
    samples->low = mem_alloc(cells, sizeof *samples->low);
    samples->high = mem_alloc(cells, sizeof *samples->high);
    samples->highest_sum = mem_alloc(samples->points + 1, sizeof *samples->highest_sum);
    for (size_t p = 0; p < samples->points; p++) {
        const double *sum = to->sum + p * to->slots;
        const size_t *n = to->n + p * to->slots;
        samples->time_s[p] = sum[0] / (double)n[0];
        for (size_t c = 0; c < samples->columns; c++) {
            size_t at = p * samples->columns + c, slot = p * to->slots + c + 1;
            bool known = n[c + 1] > 0;
            samples->value[at] = known ? sum[c + 1] / (double)n[c + 1] : (double)NAN;
            samples->low[at] = known ? to->low[slot] : (double)NAN;
            samples->high[at] = known ? to->high[slot] : (double)NAN;
        }
        samples->highest_sum[p] = to->highest_sum[p];
    }
}

enum rundir_read samples_read(const struct rundir *run, const char *file, samples_want *want,
                              samples_watch *watch, void *ctx, struct samples *samples,
                              struct err *err)
{
    static const struct rundir_reader reader = {.header = on_header, .row = on_row};
    *samples = (struct samples){.rows_per_point = 1};
    struct reduction to = {.samples = samples, .want = want, .watch = watch, .ctx = ctx};
    enum rundir_read read = rundir_csv(run, file, &reader, &to, err);
    if (read == RUNDIR_READ && samples->rows == 0) {
        err_set(err, EXIT_INPUT, "%s: no rows", file);
        read = RUNDIR_DAMAGED;
    }
    if (read == RUNDIR_READ)
        finish(&to);
    else
        samples_free(samples);
    free(to.row_field);
    free(to.sum);
    free(to.low);
    free(to.high);
    free(to.highest_sum);
    free(to.n);
    free(to.row);
    return read;
}

void samples_free(struct samples *samples)
{
    for (size_t i = 0; i < samples->columns; i++)
        free(samples->name[i]);
    free(samples->name);
    free(samples->time_s);
    free(samples->value);
    free(samples->low);
    free(samples->high);
    free(samples->highest_sum);
    *samples = (struct samples){0};
}

size_t samples_column(const struct samples *samples, const char *name)
{
    for (size_t i = 0; i < samples->columns; i++)
        if (strcmp(samples->name[i], name) == 0)
            return i;
    return RUNDIR_NO_COLUMN;
}

bool samples_reduced(const struct samples *samples)
{
    return samples->rows_per_point > 1;
}

char *samples_method(const struct samples *samples, const char *envelope)
{
    if (!samples_reduced(samples))
        return NULL;
    return mem_format("Each point is the mean of %zu samples%s%s.", samples->rows_per_point,
                      envelope ? "; " : "", envelope ? envelope : "");
}
