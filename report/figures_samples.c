/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reducing samples over time. Sums are kept for up to 2 x SAMPLES_POINTS points; when those are full, neighbours are
 * merged and a point stands for twice as many rows from then on. At the end the samples is merged once more if it is
 * still too long.
 */
#include "report/figures_samples.h"

#include "sim/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CAPACITY (2 * SAMPLES_POINTS)

/*
 * `sum` and `n` hold one slot a point and column; slot 0 of a point is its time. `row_field` says where each slot is
 * in a row of the file.
 */
struct reduction {
    struct samples *samples;
    samples_want *want;
    samples_watch *watch;
    void *ctx;
    size_t *row_field;
    double *sum, *row;
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
    to->row = mem_alloc(to->slots, sizeof *to->row);
    return true;
}

static void merge_neighbours(struct reduction *to)
{
    struct samples *samples = to->samples;
    size_t merged = (samples->points + 1) / 2;
    for (size_t p = 0; p < merged; p++) {
        for (size_t s = 0; s < to->slots; s++) {
            size_t into = p * to->slots + s, left = 2 * p * to->slots + s, right = left + to->slots;
            bool paired = 2 * p + 1 < samples->points;
            double sum = to->sum[left] + (paired ? to->sum[right] : 0);
            size_t n = to->n[left] + (paired ? to->n[right] : 0);
            to->sum[into] = sum;
            to->n[into] = n;
        }
    }
    for (size_t i = merged * to->slots; i < CAPACITY * to->slots; i++) {
        to->sum[i] = 0;
        to->n[i] = 0;
    }
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
    for (size_t s = 0; s < to->slots; s++) {
        if (isnan(to->row[s]))
            continue;
        to->sum[point * to->slots + s] += to->row[s];
        to->n[point * to->slots + s]++;
    }
    samples->points = point + 1;
    return true;
}

static void finish(struct reduction *to)
{
    struct samples *samples = to->samples;
    while (samples->points > SAMPLES_POINTS)
        merge_neighbours(to);
    samples->time_s = mem_alloc(samples->points + 1, sizeof *samples->time_s);
    samples->value = mem_alloc(samples->points * samples->columns + 1, sizeof *samples->value);
    for (size_t p = 0; p < samples->points; p++) {
        const double *sum = to->sum + p * to->slots;
        const size_t *n = to->n + p * to->slots;
        samples->time_s[p] = sum[0] / (double)n[0];
        for (size_t c = 0; c < samples->columns; c++)
            samples->value[p * samples->columns + c] = n[c + 1] ? sum[c + 1] / (double)n[c + 1] : (double)NAN;
    }
}

enum rundir_read samples_read(const struct rundir *run, const char *file, samples_want *want,
                              samples_watch *watch, void *ctx, struct samples *samples, struct err *err)
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
    *samples = (struct samples){0};
}

size_t samples_column(const struct samples *samples, const char *name)
{
    for (size_t i = 0; i < samples->columns; i++)
        if (strcmp(samples->name[i], name) == 0)
            return i;
    return RUNDIR_NO_COLUMN;
}

char *samples_method(const struct samples *samples)
{
    if (samples->rows_per_point == 1)
        return NULL;
    return mem_format("Each point is the mean of %zu samples.", samples->rows_per_point);
}
