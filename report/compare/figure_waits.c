/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The waits of both sides over all replicas, as the share of jobs that had started within a time
 * (the Kaplan-Meier estimate, since some had not started when the simulation stopped); dashed from
 * the last start to the longest wait that was not over.
 */
#include "report/compare/figures.h"
#include "report/figures/plot.h"
#include "report/results/wait_rows.h"
#include "report/stats/survival.h"
#include "report/words/units.h"
#include "sim/base/mem.h"

#include <math.h>
#include <stdlib.h>

#define STEP 1.02 /* waits closer than this factor share a point */

struct side_waits {
    struct tally tally; /* ms */
    struct wait_rows columns;
};

static bool on_header(void *ctx, const struct rundir_row *header, struct err *err)
{
    struct side_waits *side = ctx;
    return wait_rows_header(&side->columns, header, err);
}

static bool on_row(void *ctx, const struct rundir_row *row, struct err *err)
{
    struct side_waits *side = ctx;
    struct wait_seen seen;
    if (!wait_rows_read(&side->columns, row, &seen, err))
        return false;
    if (seen.counted && seen.wait_s < 1e12)
        tally_add(&side->tally, llround(1000 * fmax(0, seen.wait_s)), seen.pending);
    return true;
}

static enum rundir_read read_side(const struct comparison *c, int side, struct side_waits *waits,
                                  struct err *err)
{
    static const struct rundir_reader reader = {.header = on_header, .row = on_row};
    enum rundir_read read = RUNDIR_READ;
    for (size_t k = 0; k < c->pairing.replicas && read == RUNDIR_READ; k++) {
        char *data;
        struct rundir run = pairing_replica(&c->pairing, side, k, &data);
        waits->columns = wait_rows_of(&run);
        read = rundir_csv(&run, "jobs.csv", &reader, waits, err);
        free(data);
    }
    return read;
}

static void point(struct out *dat, double wait_ms, double survives)
{
    out_f64(dat, fmax(1, wait_ms / 1000), 3); /* the axis begins at 1 s */
    out_char(dat, ' ');
    out_f64(dat, 100 * (1 - survives), 4);
    out_char(dat, '\n');
}

/* Prints two blocks of data; returns true if there is a second one, the tail. */
static bool put_side(struct out *dat, int side, const struct side_waits *waits)
{
    size_t count;
    struct stat_step *step = stat_survival(&waits->tally, &count);
    double last = 0, survives = 1;
    out_format(dat, "# %c: wait in s, %% of the jobs that had started\n1 ",
               side == SIDE_A ? 'A' : 'B');
    out_text(dat, count > 0 && step[0].value <= 1000 ? "nan\n" : "0\n");
    for (size_t i = 0; i < count; i++) {
        double at = fmax(1000, (double)step[i].value);
        if (i + 1 < count && (double)step[i + 1].value < STEP * fmax(1000, last))
            continue;
        point(dat, at, step[i].survives);
        last = at;
    }
    if (count > 0)
        survives = step[count - 1].survives;
    bool tail =
        waits->tally.censored > 0 && (count == 0 || waits->tally.max > step[count - 1].value);
    out_text(dat, "\n\n# still waiting\n");
    if (tail) {
        point(dat, count > 0 ? (double)step[count - 1].value : 1000, survives);
        point(dat, (double)waits->tally.max, survives);
    } else {
        out_text(dat, "1 nan\n");
    }
    out_text(dat, "\n\n");
    free(step);
    return tail;
}

static void put_script(struct figure_job *job, const struct comparison *c,
                       const struct side_waits waits[SIDES])
{
    struct out *gp = job->gp;
    int64_t longest = waits[SIDE_A].tally.max > waits[SIDE_B].tally.max ? waits[SIDE_A].tally.max
                                                                        : waits[SIDE_B].tally.max;
    plot_begin(gp, "compare_waits", 360);
    out_text(gp, "set logscale x\nset xrange [1:");
    out_f64(gp, fmax(100, (double)longest / 1000), 3);
    out_text(gp, "]\nset yrange [0:100]\nset ytics (0, 25, 50, 75, 95)\nset mxtics 1\nset xtics "
                 "('1 s' 1, '10 s' 10, '1 min' 60, '10 min' 600, '1 h' 3600, '6 h' 21600, '1 d' "
                 "86400, '1 w' 604800, '5 w' 3024000, '1 y' 31536000, '10 y' 315360000)\nset "
                 "xlabel 'wait until first start'\nset ylabel '% of the jobs started'\nplot ");
    for (int side = 0; side < SIDES; side++) {
        bool tail = put_side(job->dat, side, &waits[side]);
        const char *color = palette_file(side == SIDE_A ? PALETTE_BASE : PALETTE_CHANGED);
        char *name = mem_format("%c: %s", side == SIDE_A ? 'A' : 'B', c->pairing.run[side].path);
        out_format(
            gp, "%s'waits.dat' index %d using 1:2 with steps linewidth 2 linecolor rgb '%s' title ",
            side > 0 ? ", \\\n     " : "", 2 * side, color);
        plot_name(gp, name, 40);
        free(name);
        if (tail)
            out_format(gp,
                       ", \\\n     'waits.dat' index %d using 1:2 with lines linewidth 2 dashtype "
                       "(6,5) linecolor rgb '%s' notitle",
                       2 * side + 1, color);
    }
    out_char(gp, '\n');
}

static char *answer(const struct side_waits waits[SIDES])
{
    char *text[SIDES];
    for (int side = 0; side < SIDES; side++) {
        size_t cells;
        struct tally_cell *cell = tally_sorted(&waits[side].tally, &cells);
        struct tally_quantile half = tally_quantile(&waits[side].tally, cell, cells, 0.5);
        struct tally_quantile most = tally_quantile(&waits[side].tally, cell, cells, 0.95);
        char p50[UNIT_TEXT], p95[UNIT_TEXT], left[UNIT_TEXT];
        text[side] = mem_format(
            "%c: median %s%s, 95th percentile %s%s, %s not started", side == SIDE_A ? 'A' : 'B',
            half.known ? "" : "more than ", unit_duration(p50, (double)half.value / 1000),
            most.known ? "" : "more than ", unit_duration(p95, (double)most.value / 1000),
            unit_count(left, (double)waits[side].tally.censored));
        free(cell);
    }
    char *both = mem_format("%s. %s.", text[SIDE_A], text[SIDE_B]);
    free(text[SIDE_A]);
    free(text[SIDE_B]);
    return both;
}

bool comparison_waits(const struct comparison *c, struct figure_job *job)
{
    struct side_waits waits[SIDES] = {{.tally = {0}}, {.tally = {0}}};
    struct err err = {0};
    enum rundir_read read = read_side(c, SIDE_A, &waits[SIDE_A], &err);
    if (read == RUNDIR_READ)
        read = read_side(c, SIDE_B, &waits[SIDE_B], &err);
    bool drawn = false;
    if (read != RUNDIR_READ) {
        drawn = figure_unreadable(job, read, &err);
    } else if (waits[SIDE_A].tally.used == 0 || waits[SIDE_B].tally.used == 0) {
        job->figure->absent = true;
    } else {
        put_script(job, c, waits);
        job->figure->answer = answer(waits);
        job->figure->method =
            mem_text("Jobs of all replicas together, so a replica counts by its number of jobs.");
        drawn = true;
    }
    tally_fini(&waits[SIDE_A].tally);
    tally_fini(&waits[SIDE_B].tally);
    return drawn;
}
