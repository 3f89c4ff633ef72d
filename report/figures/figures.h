/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The figures of a report. Each answers one question and is a row in the table of figures.c: a
 * maker reads the run directory and writes data (NAME.dat) and a script (NAME.gp); gnuplot turns
 * them into NAME.svg. The script prints the picture: `gnuplot NAME.gp > NAME.svg` makes it again.
 *
 * To add a figure, write a maker and add a row.
 */
#ifndef REPORT_FIGURES_FIGURES_H
#define REPORT_FIGURES_FIGURES_H

#include "report/results/rundir.h"
#include "sim/base/err.h"
#include "sim/base/out.h"

#include <stdbool.h>
#include <stddef.h>

#define FIGURES_MAX ((size_t)12)

struct figure {
    const char *id;       /* stem of its files: "ladder" */
    const char *question; /* "How much of the fleet did useful work?" */
    const char *source;   /* the file it was made from: "timeline.csv" */
    char *answer;         /* the conclusion, computed from the data; NULL without data */
    char *method;         /* how the data was reduced; NULL if all of it is shown */
    char *note;           /* why there is no picture; NULL if there is one */
    char *svg;            /* the picture to be inlined; NULL if there is none */
    bool optional;        /* most runs have no such source; its absence is not mentioned */
    bool absent;          /* nothing to draw: the source is missing or empty; not an error */
    bool written;         /* NAME.dat and NAME.gp exist */
};

struct figures {
    struct figure figure[FIGURES_MAX];
    size_t count;
};

/*
 * Makes all figures in run->path/figures/. Damaged inputs and a missing gnuplot become notes.
 * Returns false with err set if a file cannot be read or written, or gnuplot fails.
 */
bool figures_make(const struct rundir *, struct figures *, struct err *);
void figures_free(struct figures *);

/* Returns the file stem of the i-th figure, drawn or not; NULL after the last. */
const char *figure_name(size_t i);

/*
 * Input and output of a figure's maker. It returns true if there is something to draw; then dat and
 * gp are complete and the answer is set. Otherwise it sets `absent` or a note.
 */
struct figure_job {
    const struct rundir *run;
    struct figure *figure;
    struct out *dat, *gp; /* in memory */
};

typedef bool figure_maker(struct figure_job *);
figure_maker figure_ladder, figure_waits, figure_reasons, figure_heat, figure_fabric, figure_faults,
    figure_services, figure_shares, figure_shares_time, figure_fill, figure_bill;

/* For makers that cannot read their source: sets absent or the note, and returns false. */
bool figure_unreadable(struct figure_job *, enum rundir_read, const struct err *);

/* Creates the folder of figures if it does not exist. */
bool figure_folder(const char *path, struct err *err);

/*
 * Writes a finished job to files in `folder` and draws the picture; `drawn` is what the maker
 * returned. Earlier files of the same name are removed first. Returns false with err set if the
 * source could not be read, a file cannot be removed or written, or gnuplot fails.
 */
bool figure_write(const char *folder, struct figure_job *, bool drawn, struct err *err);

/*
 * Returns the picture that `gnuplot script` prints in `dir`; NULL with the reason in *why (the
 * caller frees it). *missing is set if there is no gnuplot, which is not a failure.
 */
char *figure_run_gnuplot(const char *dir, const char *script, char **why, bool *missing);

/*
 * The same for several scripts at once, at little more than the cost of one. False, without any
 * picture, if one of them is not in order: figure_run_gnuplot() tells which one, and why. The
 * caller frees the pictures.
 */
bool figures_run_gnuplot(const char *dir, const char *const scripts[], size_t count,
                         char *pictures[]);

/*
 * Adapts gnuplot's SVG for a page: no prolog, no ids, colours that follow the page's text colour,
 * equal fills merged. `label` is the alternative text. Returns NULL if it is not an SVG.
 */
char *figure_inline_svg(const char *svg, const char *label);

#endif
