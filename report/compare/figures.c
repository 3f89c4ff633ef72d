/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws the figures of a comparison; see figures.h. */
#include "report/compare/figures.h"

#include "sim/base/mem.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *id, *source, *question;
    bool (*make)(const struct comparison *, struct figure_job *);
} makers[] = {
    {"forest", "summary.json", "By how much does B differ?", comparison_forest},
    {"waits", "jobs.csv", "How long did jobs wait on each side?", comparison_waits},
};

static char *folder_of(const char *page)
{
    size_t n = strlen(page);
    return mem_format("%.*s-figures", (int)(n > 5 ? n - 5 : n), page); /* without ".html" */
}

bool comparison_figures(const struct comparison *c, const char *page, struct figures *figures,
                        char **folder, struct err *err)
{
    *figures = (struct figures){0};
    *folder = folder_of(page);
    bool ok = figure_folder(*folder, err);
    for (size_t i = 0; ok && i < sizeof makers / sizeof *makers; i++) {
        struct figure *figure = &figures->figure[figures->count++];
        *figure = (struct figure){
            .id = makers[i].id, .question = makers[i].question, .source = makers[i].source};
        struct figure_job job = {.run = &c->pairing.run[SIDE_A],
                                 .figure = figure,
                                 .dat = out_memory(),
                                 .gp = out_memory()};
        ok = figure_write(*folder, &job, makers[i].make(c, &job), err) &&
             rundir_intact(&c->pairing.run[SIDE_B], err);
        out_discard(job.dat);
        out_discard(job.gp);
    }
    if (!ok) {
        figures_free(figures);
        free(*folder);
        *folder = NULL;
    }
    return ok;
}
