/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes the figures: calls each row of the table for data and script, writes both and runs gnuplot.
 * Files of figures that are not drawn this time are removed, so no outdated picture remains.
 */
#include "report/figures/figures.h"

#include "policies/adapters/ending/temporary.h"
#include "sim/base/mem.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const struct {
    const char *id, *source, *question;
    figure_maker *make;
    bool optional;
} makers[] = {
    {"ladder", "timeline.csv", "How much of the fleet did useful work?", figure_ladder, false},
    {"waits", "jobs.csv", "How long did jobs wait?", figure_waits, false},
    {"reasons", "reasons.csv", "Why did jobs wait?", figure_reasons, false},
    {"heat", "heatmap.csv", "Which nodes were busy, and when?", figure_heat, false},
    {"fabric", "fabric.csv", "Which parts of the fabric were busy?", figure_fabric, true},
    {"faults", "faults.csv", "What failed, and what was out of service?", figure_faults, true},
    {"services", "services.csv", "Did services keep up with their load?", figure_services, true},
    {"shares", "queues.csv", "Did queues get what they were entitled to?", figure_shares, false},
    {"shares_time", "timeline.csv", "When did queues fall short or borrow?", figure_shares_time,
     false},
    {"bill", "summary.json", "Who paid for what?", figure_bill, true},
    {"fill", "summary.json", "How well does the fleet fill up?", figure_fill, false},
};
#define MAKERS (sizeof makers / sizeof *makers)
_Static_assert(MAKERS <= FIGURES_MAX, "FIGURES_MAX");

const char *figure_name(size_t i)
{
    return i < MAKERS ? makers[i].id : NULL;
}

bool figure_unreadable(struct figure_job *job, enum rundir_read read, const struct err *err)
{
    if (read == RUNDIR_ABSENT)
        job->figure->absent = true;
    else
        job->figure->note = mem_format("Not drawn: %s", err->msg);
    return false;
}

bool figure_folder(const char *path, struct err *err)
{
    if (mkdir(path, 0777) == 0)
        return true;
    if (errno == EEXIST) {
        temporary_sweep(path);
        return true;
    }
    return err_set(err, EXIT_INPUT, "%s: cannot make the folder: %s", path, strerror(errno));
}

static char *file_of(const char *folder, const char *id, const char *suffix)
{
    return mem_format("%s/%s.%s", folder, id, suffix);
}

static bool write_file(const char *folder, const char *id, const char *suffix, const char *text,
                       size_t n, struct err *err)
{
    char *name = mem_format("%s.%s", id, suffix);
    struct out *out = out_open_in(folder, name, err);
    free(name);
    if (!out)
        return false;
    out_bytes(out, text, n);
    return out_close(out, err);
}

static bool remove_files(const char *folder, const char *id, struct err *err)
{
    static const char *const suffixes[] = {"dat", "gp", "svg"};
    bool ok = true;
    for (size_t i = 0; ok && i < sizeof suffixes / sizeof *suffixes; i++) {
        char *path = file_of(folder, id, suffixes[i]);
        if (remove(path) != 0 && errno != ENOENT)
            ok = err_set(err, EXIT_INPUT, "%s: cannot remove: %s", path, strerror(errno));
        free(path);
    }
    return ok;
}

/* Writes the picture beside its data, and a form of it for the page. */
static bool keep(const char *folder, struct figure *figure, const char *svg, struct err *err)
{
    bool ok = write_file(folder, figure->id, "svg", svg, strlen(svg), err);
    if (ok)
        figure->svg = figure_inline_svg(svg, figure->question);
    if (ok && !figure->svg)
        figure->note = mem_format("The picture is in figures/%s.svg; this version of gnuplot "
                                  "writes it in a form that does not fit into the page.",
                                  figure->id);
    return ok;
}

/* The picture of one figure; a note where there is no gnuplot. */
static bool draw(const char *folder, struct figure *figure, struct err *err)
{
    char *script = mem_format("%s.gp", figure->id);
    bool missing;
    char *svg = figure_run_gnuplot(folder, script, &figure->note, &missing);
    free(script);
    if (!svg)
        return missing || err_set(err, EXIT_INPUT, "%s/%s.svg: cannot draw: %s", folder, figure->id,
                                  figure->note);
    bool ok = keep(folder, figure, svg, err);
    free(svg);
    return ok;
}

/* All figures whose data and scripts are there. */
static bool draw_all(const char *folder, struct figures *figures, struct err *err)
{
    struct figure *written[FIGURES_MAX];
    char *scripts[FIGURES_MAX], *pictures[FIGURES_MAX];
    size_t n = 0;
    for (size_t i = 0; i < figures->count; i++)
        if (figures->figure[i].written)
            written[n++] = &figures->figure[i];
    for (size_t i = 0; i < n; i++)
        scripts[i] = mem_format("%s.gp", written[i]->id);
    bool drawn = n > 1 && figures_run_gnuplot(folder, (const char *const *)scripts, n, pictures);
    bool ok = true;
    for (size_t i = 0; i < n; i++) {
        ok = ok &&
             (drawn ? keep(folder, written[i], pictures[i], err) : draw(folder, written[i], err));
        if (drawn)
            free(pictures[i]);
        free(scripts[i]);
    }
    return ok;
}

static bool write_sources(const char *folder, struct figure_job *job, struct err *err)
{
    size_t dat_n, gp_n;
    const char *dat = out_memory_text(job->dat, &dat_n), *gp = out_memory_text(job->gp, &gp_n);
    return write_file(folder, job->figure->id, "dat", dat, dat_n, err) &&
           write_file(folder, job->figure->id, "gp", gp, gp_n, err);
}

/* Everything but the picture. */
static bool prepare(const char *folder, struct figure_job *job, bool drawn, struct err *err)
{
    if ((job->run && !rundir_intact(job->run, err)) || !remove_files(folder, job->figure->id, err))
        return false;
    if (!drawn)
        return true;
    job->figure->written = write_sources(folder, job, err);
    return job->figure->written;
}

bool figure_write(const char *folder, struct figure_job *job, bool drawn, struct err *err)
{
    return prepare(folder, job, drawn, err) &&
           (!job->figure->written || draw(folder, job->figure, err));
}

static bool make_figure(const struct rundir *run, const char *folder, size_t i,
                        struct figure *figure, struct err *err)
{
    *figure = (struct figure){.id = makers[i].id,
                              .question = makers[i].question,
                              .source = makers[i].source,
                              .optional = makers[i].optional};
    struct figure_job job = {.run = run, .figure = figure, .dat = out_memory(), .gp = out_memory()};
    bool ok = prepare(folder, &job, makers[i].make(&job), err);
    out_discard(job.dat);
    out_discard(job.gp);
    return ok;
}

bool figures_make(const struct rundir *run, struct figures *figures, struct err *err)
{
    *figures = (struct figures){0};
    char *folder = mem_format("%s/figures", run->path);
    bool ok = figure_folder(folder, err);
    for (size_t i = 0; ok && i < MAKERS; i++)
        ok = make_figure(run, folder, i, &figures->figure[figures->count++], err);
    ok = ok && draw_all(folder, figures, err);
    free(folder);
    if (!ok)
        figures_free(figures);
    return ok;
}

void figures_free(struct figures *figures)
{
    for (size_t i = 0; i < figures->count; i++) {
        struct figure *figure = &figures->figure[i];
        char *texts[] = {figure->answer, figure->method, figure->note, figure->svg};
        for (size_t t = 0; t < sizeof texts / sizeof *texts; t++)
            free(texts[t]);
    }
    *figures = (struct figures){0};
}
