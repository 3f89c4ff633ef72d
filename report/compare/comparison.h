/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The comparison of two runs: which metrics are judged, in which sections, with which verdicts.
 *
 * Primary metrics are those that were asked for, or a short list; Holm's correction goes over them
 * together, so that the chance of any false difference among them is alpha. Each other section (by
 * class, by size, by queue, the rest) has a correction of its own. A class, size or queue is called
 * a loser by a verdict that the ranks of its pairs confirm, corrected over what is shown of all of
 * them together, and over their other metrics together: so the chance that any is called one that
 * is not is at most alpha (twice the half of it). Everything printed (table, JSON, page, Markdown)
 * is made from here.
 */
#ifndef REPORT_COMPARE_COMPARISON_H
#define REPORT_COMPARE_COMPARISON_H

#include "report/compare/judge.h"
#include "report/compare/lists.h"
#include "report/compare/losers.h"
#include "report/compare/pairing.h"
#include "report/terminal/spark.h"
#include "sim/base/json.h"
#include "sim/base/out.h"

enum comparison_section {
    SECTION_PRIMARY,
    SECTION_COST,
    SECTION_CLASS,
    SECTION_SIZE,
    SECTION_QUEUE,
    SECTION_GROUPS, /* all else of classes, sizes and queues */
    SECTION_OTHER,
    SECTIONS
};
extern const char *const comparison_section_names[SECTIONS];  /* "primary", "by_class", ... */
extern const char *const comparison_section_titles[SECTIONS]; /* "primary metrics" */

struct comparison_row {
    const struct measure *measure;
    enum comparison_section section;
    enum metric_better better; /* of it, on these two sides */
    struct judgement judgement;
};

struct comparison {
    struct pairing pairing;
    struct measures measures;
    struct comparison_row *rows; /* in the order of the summaries */
    size_t count;
    struct losers losers;
    double alpha;
    bool same_decisions; /* in all replicas */
    bool same_outputs;   /* these, and all metrics */
    bool certain;        /* one replica is all there is */
    const char *varied;  /* what varies between replicas, "replicas jitter ..."; the maker's, NULL:
                            not said */
    const struct comparison_list *lists; /* the maker's, printed below all tables */
    size_t list_count;
};

struct comparison_options {
    double alpha; /* in (0, 1) */
    const char *const
        *metrics;        /* names as in `list metrics`, `*` for any part; judged are these only */
    size_t metric_count; /* 0: the usual ones are primary, and all others are judged too */
    const char *varied;  /* as in struct comparison */
    bool certain; /* nothing is left to chance: one replica, if there is one, is all there is */
};

/* False with err set as pairing_open(), or EXIT_INPUT for a metric that neither run has. */
bool comparison_open(struct comparison *, const char *dir_a, const char *dir_b,
                     const struct comparison_options *, struct err *);

/* The same of two sides in memory. */
bool comparison_make(struct comparison *, const struct pairing_side sides[SIDES],
                     const struct comparison_options *, struct err *);
void comparison_close(struct comparison *);

enum metric_better comparison_better(const struct comparison_row *);

/* Winners or losers among queues or sizes by their mean wait: "vision, speech"; NULL when there are
 * none. The caller's. */
char *comparison_names(const struct comparison *, enum comparison_section, enum judge_verdict);

/*
 * Money of both sides is compared on one basis only (cost.basis). It is shown wherever nodes or
 * prices differ, equal or not, with a line that names the basis and the unverified prices
 * (report/words/price_note.h); NULL: no prices. The caller's.
 */
bool comparison_same_basis(const struct comparison *);
bool comparison_of_fleets(const struct comparison *);
const char *comparison_title(const struct comparison *, enum comparison_section); /* "cost (?)" */
char *comparison_cost_note(const struct comparison *);

/* What is to be said above all numbers: identity, one replica, the number of pairs. The caller's.
 */
char *comparison_headline(const struct comparison *);

/* What varies between replicas, as a sentence; NULL when it is not said. The caller's. */
char *comparison_varied(const struct comparison *);

/* A value of a metric as people read it, ">=" before a lower bound. */
#define COMPARISON_TEXT 80
const char *comparison_value(char text[COMPARISON_TEXT], const struct comparison_row *, int side);
const char *comparison_change(char text[COMPARISON_TEXT], const struct comparison_row *);
const char *comparison_interval(char text[COMPARISON_TEXT], const struct comparison_row *);

void comparison_table(const struct comparison *, struct out *, size_t width);

/* A forest plot of text below the table, of primary metrics and classes; none with SPARK_NONE
 * (report/terminal/charts.h). */
void comparison_charts(const struct comparison *, struct out *, enum spark, size_t width);
void comparison_json(const struct comparison *, struct json *);
void comparison_json_body(const struct comparison *,
                          struct json *); /* its members, into an object that is open */
bool comparison_write_markdown(const struct comparison *, const char *path, struct err *);

/* The page, and its figures' data and scripts in a folder beside it: page.html has page-figures/.
 */
bool comparison_write_html(const struct comparison *, const char *path, struct err *);

/* By the ending of the name: true for .md and .html; writes the page in that format. */
bool comparison_is_file(const char *path);
bool comparison_write(const struct comparison *, const char *path, struct err *);

#endif
