/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The comparison of two runs: the judged metrics by section, with their verdicts.
 *
 * The primary metrics are those given, or a short default list. Holm's correction covers all of
 * them, so the chance of any false difference among them is alpha. Each other section (by class, by
 * size, by queue, the rest) is corrected separately. A class, size or queue is a loser if the ranks
 * of its pairs confirm the verdict, corrected once over all shown metrics of all groups and once
 * over their other metrics. Each correction gets half of alpha, so the chance of a false loser is
 * at most alpha. All outputs (table, JSON, page, Markdown) are printed from this result.
 */
#ifndef REPORT_COMPARE_COMPARISON_H
#define REPORT_COMPARE_COMPARISON_H

#include "report/compare/judge.h"
#include "report/compare/lists.h"
#include "report/compare/losers.h"
#include "report/compare/pairing.h"
#include "report/compare/risk.h"
#include "report/terminal/spark.h"
#include "sim/base/json.h"
#include "sim/base/out.h"

enum comparison_section {
    SECTION_PRIMARY,
    SECTION_COST,
    SECTION_CLASS,
    SECTION_SIZE,
    SECTION_QUEUE,
    SECTION_GROUPS, /* all other metrics of classes, sizes and queues */
    SECTION_OTHER,
    SECTIONS
};
extern const char *const comparison_section_names[SECTIONS];  /* "primary", "by_class", ... */
extern const char *const comparison_section_titles[SECTIONS]; /* "primary metrics" */

struct comparison_row {
    const struct measure *measure;
    enum comparison_section section;
    enum metric_better better; /* the metric's direction, for these two sides */
    struct judgement judgement;
};

struct comparison {
    struct pairing pairing;
    struct measures measures;
    struct comparison_row *rows; /* in the order of the summaries */
    size_t count;
    struct losers losers;
    struct risks risks; /* of missing targets */
    double alpha;
    bool same_decisions; /* in all replicas */
    bool same_outputs;   /* decisions and all metrics */
    bool certain;        /* no randomness, so the one replica is exact */
    const char *varied;  /* what differs between replicas, "replicas jitter ..."; owned by the
                            caller; NULL: not printed */
    const struct comparison_list *lists; /* owned by the caller; printed below all tables */
    size_t list_count;
};

struct comparison_options {
    double alpha; /* in (0, 1) */
    const char *const
        *metrics;        /* names as in `list metrics`, `*` for any part; only these are judged */
    size_t metric_count; /* 0: the default ones are primary, and all others are judged too */
    const struct target *targets; /* must outlive the comparison */
    size_t target_count;
    const char *varied; /* as in struct comparison */
    bool certain;       /* no randomness: one replica is exact */
};

/*
 * Returns false with err set as pairing_open() does, or EXIT_INPUT for a metric that neither run
 * has.
 */
bool comparison_open(struct comparison *, const char *dir_a, const char *dir_b,
                     const struct comparison_options *, struct err *);

/* The same for two sides in memory. */
bool comparison_make(struct comparison *, const struct pairing_side sides[SIDES],
                     const struct comparison_options *, struct err *);
void comparison_close(struct comparison *);

enum metric_better comparison_better(const struct comparison_row *);

/*
 * Returns the queues or sizes whose mean wait is better or worse: "vision, speech"; NULL if there
 * are none. The caller frees it.
 */
char *comparison_names(const struct comparison *, enum comparison_section, enum judge_verdict);

/*
 * Money is compared only if both sides use the same basis (cost.basis). The note is printed
 * wherever nodes or prices differ, even if the costs are equal, and names the basis and the
 * unverified prices (report/words/price_note.h). NULL: no prices. The caller frees it.
 */
bool comparison_same_basis(const struct comparison *);
bool comparison_of_fleets(const struct comparison *);
const char *comparison_title(const struct comparison *, enum comparison_section); /* "cost (?)" */
char *comparison_cost_note(const struct comparison *);

/*
 * Returns the headline above all numbers: identical runs, one replica, the number of pairs. The
 * caller frees it.
 */
char *comparison_headline(const struct comparison *);

/*
 * Returns a sentence about the differences between replicas; NULL if nothing is to be printed. The
 * caller frees it.
 */
char *comparison_varied(const struct comparison *);

/* Formats a metric's value for people, with ">=" for a lower bound. */
#define COMPARISON_TEXT 80
const char *comparison_value(char text[COMPARISON_TEXT], const struct comparison_row *, int side);
const char *comparison_change(char text[COMPARISON_TEXT], const struct comparison_row *);
const char *comparison_interval(char text[COMPARISON_TEXT], const struct comparison_row *);

void comparison_table(const struct comparison *, struct out *, size_t width);

/*
 * Prints a text forest plot below the table, for primary metrics and classes; nothing with
 * SPARK_NONE (report/terminal/charts.h).
 */
void comparison_charts(const struct comparison *, struct out *, enum spark, size_t width);
void comparison_json(const struct comparison *, struct json *);
void comparison_json_body(const struct comparison *,
                          struct json *); /* writes the members into an open object */
bool comparison_write_markdown(const struct comparison *, const char *path, struct err *);

/*
 * Writes the page, and its figures' data and scripts in a folder beside it: page.html has
 * page-figures/.
 */
bool comparison_write_html(const struct comparison *, const char *path, struct err *);

/* Writes the page, or Markdown if the name ends in .md. */
bool comparison_write(const struct comparison *, const char *path, struct err *);

#endif
