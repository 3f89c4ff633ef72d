/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The parts of the page. All print into the same writer; texts from a run are untrusted and go
 * through html_text(), which escapes them. The page needs no script and no network access, and its
 * content security policy says so.
 */
#ifndef REPORT_PAGE_HTML_H
#define REPORT_PAGE_HTML_H

#include "report/figures/figures.h"
#include "report/results/items.h"
#include "report/results/rundir.h"
#include "report/results/verdict.h"
#include "sim/base/out.h"

struct page {
    struct out *out;
    const struct rundir *run;
    const struct figures *figures;
    const char *base; /* from the page to the run directory, as part of a URL: "" or "../run/" */
};

/* --- text.c: the smallest pieces -------------------------------------------------------------- */

/* Prints text or an attribute's value, escaped by escape_markup(). */
void html_text(struct out *, const char *text);

/* <a href="BASE PREFIX NAME">label</a>, every part percent-encoded if needed. */
void html_link(const struct page *, const char *prefix, const char *name, const char *label);

/*
 * Returns the path from the page's folder to the run directory, for struct page. The caller frees
 * it.
 */
char *html_base(const char *dir, const char *html_path);

void html_style(struct out *); /* the style sheet */

/* --- the parts, in the order of the page ------------------------------------------------------ */

void html_title(const struct page *); /* scenario, policy, seed, window, digests */
void html_verdict(
    const struct page *); /* the results in words; lines of html_verdict_line() in a box */
void html_key_figures(const struct page *); /* in one row */
void html_figure(const struct page *, const struct figure *);
void html_ledger(const struct page *);       /* where the GPU-hours went */
void html_waits(const struct page *);        /* by class, by size */
void html_queues(const struct page *);       /* by queue */
void html_pools(const struct page *);        /* queues by pool, if quotas are by pool */
void html_hosts(const struct page *);        /* CPU and memory of queues, if jobs requested them */
void html_faults(const struct page *);       /* by class */
void html_speeds(const struct page *);       /* hardware assumptions */
void html_models(const struct page *);       /* throughput of models by number of devices */
void html_dependencies(const struct page *); /* dependencies, if jobs may have them */
void html_gpu_memory(const struct page *);
void html_deadlines(const struct page *);
void html_services(const struct page *);
void html_bill(const struct page *); /* by queue, class and model */

/* Fairness, and the run's measures of preemption, fragmentation, reliability and cost. */
void html_measures(const struct page *);

void html_appendix(const struct page *); /* definitions, files, full digests */

/* Prints the lines of a verdict in a box. */
void html_verdict_box(struct out *, const char *title, const struct verdict *);

/* The same in pieces: a title, lines, an end. */
void html_open_verdict(struct out *, const char *title);
void html_verdict_line(struct out *, const char *topic, const char *text, bool alarm);
void html_close_verdict(struct out *);

/* --- page.c: other pages ---------------------------------------------------------------------- */

/*
 * Prints everything up to the style sheet, which stays open for additions. `script_hash` is the
 * SHA-256 of the only script the page may run, in base64; NULL: none.
 */
void html_open_head(struct out *, const char *name, const char *title, const char *script_hash);

/*
 * Prints everything up to the heading <h1>name</h1>: "NAME: title" as the window's title, `kind`
 * above the heading.
 */
void html_begin(struct out *, const char *name, const char *title, const char *kind);

/* Prints a figure with links to its files in page->base, or the reason why there is none. */
void html_figure_beside(const struct page *, const struct figure *);

/* --- cells.c: cells of tables ----------------------------------------------------------------- */

/* A table of class "words" is mostly text and stacks on narrow screens; one of class "numbers"
 * scrolls. */
void html_open_table(const struct page *, const char *title, const char *id, const char *css);
void html_close_table(const struct page *);

/*
 * The same for long reference tables: folded until opened, and only their title is printed on
 * paper.
 */
void html_open_folded(const struct page *, const char *title, const char *id, const char *css);
void html_close_folded(const struct page *);

/* Prints <td> with a formatted number; "-" is shown as an en dash. */
void html_number(struct out *, const char *text);

/* A table of values of the summary, one per row. */
struct html_items {
    const char *title, *id, *heading; /* heading: of the column of names, as HTML */
    const struct item *items;
    size_t count;
};
void html_items(const struct page *, const struct html_items *);

/*
 * Prints <td>s for mean, p50, p90, p95, p99 and max of an object of times, then the number
 * censored.
 */
void html_wait_cells(struct out *, const cJSON *waits);
#define HTML_WAIT_CELLS 7

#endif
