/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The parts of the page. Every part prints itself into the same writer; texts that come from a run
 * are untrusted and go through html_text(), which makes them safe. The page needs no script and
 * nothing from the network, and says so in its content security policy.
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

/* As text and in attributes: escape_markup(). */
void html_text(struct out *, const char *text);

/* <a href="BASE PREFIX NAME">label</a>, every part percent-encoded where needed. */
void html_link(const struct page *, const char *prefix, const char *name, const char *label);

/* The way from the page's folder to the run directory, for struct page; freed by the caller. */
char *html_base(const char *dir, const char *html_path);

void html_style(struct out *); /* the style sheet */

/* --- the parts, in the order of the page ------------------------------------------------------ */

void html_title(const struct page *); /* scenario, policy, seed, window, digests */
void html_verdict(
    const struct page *); /* what happened, in words; lines of html_verdict_line() in a box */
void html_key_figures(const struct page *); /* in one row */
void html_figure(const struct page *, const struct figure *);
void html_ledger(const struct page *); /* where the GPU-hours went */
void html_waits(const struct page *);  /* by class, by size */
void html_queues(const struct page *); /* by queue */
void html_hosts(const struct page *);  /* CPU and memory of queues, where jobs asked for them */

void html_faults(const struct page *);       /* by class */
void html_speeds(const struct page *);       /* what was assumed of hardware */
void html_models(const struct page *);       /* what models got done, by number of devices */
void html_dependencies(const struct page *); /* where jobs may wait for others */
void html_gpu_memory(const struct page *);
void html_deadlines(const struct page *);
void html_services(const struct page *);
void html_bill(const struct page *); /* by queue, class and model */

/* Fairness, and what the run measured about preemption, fragmentation, reliability, cost. */
void html_measures(const struct page *);

void html_appendix(const struct page *); /* definitions, files, full digests */

/* The lines of a verdict in a box. */
void html_verdict_box(struct out *, const char *title, const struct verdict *);

/* The same by hand: a title, lines, an end. */
void html_open_verdict(struct out *, const char *title);
void html_verdict_line(struct out *, const char *topic, const char *text, bool alarm);
void html_close_verdict(struct out *);

/* --- page.c: pages beside that of a run ------------------------------------------------------- */

/* Everything up to the style sheet, which stays open for more. `script_hash` is the SHA-256 of the
 * only script that the page may run, in base64; NULL: none. */
void html_open_head(struct out *, const char *name, const char *title, const char *script_hash);

/* Everything up to the heading <h1>name</h1>: "NAME: title" in the window's title, `kind` above the
 * heading. */
void html_begin(struct out *, const char *name, const char *title, const char *kind);

/* A figure with links to its files in page->base, or the reason why there is none. */
void html_figure_beside(const struct page *, const struct figure *);

/* --- cells.c: cells of tables ----------------------------------------------------------------- */

/* A table of class "words" is mostly text and stacks on narrow screens; one of class "numbers"
 * scrolls. */
void html_open_table(const struct page *, const char *title, const char *id, const char *css);
void html_close_table(const struct page *);

/* The same for long tables of reference: folded until a click, and not printed but for the title.
 */
void html_open_folded(const struct page *, const char *title, const char *id, const char *css);
void html_close_folded(const struct page *);

/* <td> with a number that is ready to be read; "-" is shown as an en dash. */
void html_number(struct out *, const char *text);

/* A table of figures of the summary, a row each. */
struct html_items {
    const char *title, *id, *heading; /* heading: of the column of names, as HTML */
    const struct item *items;
    size_t count;
};
void html_items(const struct page *, const struct html_items *);

/* <td>s for mean, p50, p90, p95, p99, max of an object of times, then the number censored. */
void html_wait_cells(struct out *, const cJSON *waits);
#define HTML_WAIT_CELLS 7

#endif
