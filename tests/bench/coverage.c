/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How often the intervals that the program prints contain the true value:
 *
 *     coverage TRIALS REPLICAS
 *
 * A population of REPLICAS pairs of queues (tests/lib/queue_pairs.h) is drawn once; its means are
 * the truth. A trial takes n random pairs of it and calls the program's own code: the judge
 * (report/compare/judge.h), the gate (report/gate/harm.h), the risk and the band of a plan
 * (report/plan/rule.h). Prints a table in Markdown: the share of intervals that contained the
 * truth, the shares that were wholly above or below it, the median width relative to that of an
 * oracle who knows the scatter of the estimate (the middle of its distribution over the trials with
 * the interval's nominal probability), and the share of trials with an interval.
 *
 * Exit status 1 if an interval of nominally 95 % that the program prints covers less than 93 %.
 * Equal arguments give equal bytes.
 */
#include "report/compare/judge.h"
#include "report/gate/harm.h"
#include "report/plan/rule.h"
#include "report/stats/skewed.h"
#include "report/stats/spending.h"
#include "sim/base/mem.h"
#include "tests/lib/queue_pairs.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_COVERAGE 0.93
#define LOAD           0.8
/* one-sided: the first of the looks 20, 40, 80 at alpha 0.025 (report/stats/spending.h) */
#define GATE_LEVEL 0.0089

enum { MOST_PAIRS = 80 };

/* One sample: the pairs of a trial. */
struct sample {
    double a[MOST_PAIRS], b[MOST_PAIRS];
    double target; /* values of A */
    size_t n;
};

struct population {
    const char *name;
    double *a, *b, mean_a, mean_b, target;
    size_t n;
};

struct answer {
    double estimate, low, high; /* nan: not printed */
};

struct kind {
    const char *name;
    double nominal;
    bool printed; /* held to LEAST_COVERAGE when nominal is 0.95 */
    size_t least; /* pairs */
    struct answer (*ask)(const struct sample *);
    double (*truth)(const struct population *);
};

/* ---- questions ---- */

static struct measure measure_of(const struct sample *s, struct measured *left,
                                 struct measured *right)
{
    for (size_t i = 0; i < s->n; i++) {
        left[i] = (struct measured){s->a[i], false};
        right[i] = (struct measured){s->b[i], false};
    }
    return (struct measure){"wait_s.mean", metric_find("wait_s.mean"), {left, right}};
}

static struct judgement judged(const struct sample *s)
{
    struct measured left[MOST_PAIRS], right[MOST_PAIRS];
    struct measure m = measure_of(s, left, right);
    return judge(&m, s->n, 0.05);
}

static struct answer of_range(const struct judge_range *range)
{
    return (struct answer){range->mean, range->low, range->high};
}

static struct answer ask_difference(const struct sample *s)
{
    struct judgement j = judged(s);
    return of_range(&j.difference);
}

static struct answer ask_change(const struct sample *s)
{
    struct judgement j = judged(s);
    return of_range(&j.change);
}

static struct answer ask_gate(const struct sample *s)
{
    const struct harm_rule rule = {METRIC_LOWER, 0.1, 0};
    struct measured left[MOST_PAIRS], right[MOST_PAIRS];
    struct measure m = measure_of(s, left, right);
    struct harm h = harm_of(&m, s->n, &rule, GATE_LEVEL);
    bool change = h.scale == JUDGE_CHANGE;
    return (struct answer){h.harm, change ? h.low : (double)NAN, change ? h.high : (double)NAN};
}

static struct answer of_student(const double *x, size_t n, double alpha)
{
    struct stat_interval s = stat_t_interval(x, n, alpha);
    return (struct answer){s.mean, s.low, s.high};
}

static struct answer ask_student(const struct sample *s)
{
    double x[MOST_PAIRS];
    for (size_t i = 0; i < s->n; i++)
        x[i] = s->b[i] - s->a[i];
    return of_student(x, s->n, 0.05);
}

static struct answer ask_plan(const struct sample *s)
{
    return of_student(s->a, s->n, 0.2);
}

/* For a target that a tenth of the population misses. */
static struct answer ask_risk(const struct sample *s)
{
    size_t missed = 0;
    for (size_t i = 0; i < s->n; i++)
        missed += s->a[i] > s->target;
    struct rule_risk risk = rule_risk(missed, s->n, true);
    return (struct answer){risk.share, risk.low, risk.high};
}

static double true_difference(const struct population *p)
{
    return p->mean_b - p->mean_a;
}

static double true_change(const struct population *p)
{
    return p->mean_b / p->mean_a - 1;
}

static double true_risk(const struct population *p)
{
    size_t missed = 0;
    for (size_t i = 0; i < p->n; i++)
        missed += p->a[i] > p->target;
    return (double)missed / (double)p->n;
}

static double true_a(const struct population *p)
{
    return p->mean_a;
}

static const struct kind kinds[] = {
    {"compare, whatif: change", 0.95, true, STAT_LEAST, ask_change, true_change},
    {"compare, whatif: difference", 0.95, true, STAT_LEAST, ask_difference, true_difference},
    {"gate: harm at the first look", 1 - 2 * GATE_LEVEL, true, 20, ask_gate, true_change},
    {"plan: risk of missing a target", 0.95, true, STAT_LEAST, ask_risk, true_risk},
    {"plan: band of a metric's mean", 0.80, true, 20, ask_plan, true_a},
    {"Student's of the difference (not printed)", 0.95, false, STAT_LEAST, ask_student,
     true_difference},
};

/* ---- the study ---- */

struct counts {
    size_t given, above, below; /* sides of the interval relative to the truth */
    double *width, *estimate;   /* one per trial; widths of the intervals given */
};

static double quantile(double *x, size_t n, double q)
{
    gsl_sort(x, 1, n);
    return n > 0 ? x[(size_t)(q * (double)(n - 1) + 0.5)] : (double)NAN;
}

static void take_trial(struct counts *c, size_t trial, const struct answer *answer, double truth)
{
    c->estimate[trial] = answer->estimate;
    if (isnan(answer->low))
        return;
    c->width[c->given++] = answer->high - answer->low;
    c->above += answer->low > truth;
    c->below += answer->high < truth;
}

/* Returns true if the row is as required. */
static bool print_row(const struct kind *kind, const struct population *p, size_t n,
                      struct counts *c, size_t trials)
{
    double given = (double)c->given, covers = 1 - (double)(c->above + c->below) / given;
    double outside = (1 - kind->nominal) / 2;
    double oracle =
        quantile(c->estimate, trials, 1 - outside) - quantile(c->estimate, trials, outside);
    double width = quantile(c->width, c->given, 0.5) / oracle;
    bool checked = kind->printed && kind->nominal > 0.949 && kind->nominal < 0.951;
    char wide[32] = "-";
    if (isfinite(width))
        (void)snprintf(wide, sizeof wide, "%.2f", width);
    printf("| %s | %s | %zu | %.1f %% | %.1f %% | %.1f %% | %.1f %% | %s | %.1f %% |\n", kind->name,
           p->name, n, 100 * kind->nominal, 100 * covers, 100 * (double)c->above / given,
           100 * (double)c->below / given, wide, 100 * given / (double)trials);
    return !checked || covers >= LEAST_COVERAGE;
}

static bool study(const struct kind *kind, const struct population *p, size_t n, size_t trials)
{
    struct counts c = {.width = mem_alloc(trials, sizeof *c.width),
                       .estimate = mem_alloc(trials, sizeof *c.estimate)};
    struct sample sample = {.n = n, .target = p->target};
    struct rng_stream stream;
    rng_init(&stream, 2, RNG_TEST, n);
    for (size_t t = 0; t < trials; t++) {
        for (size_t i = 0; i < n; i++) {
            size_t k = gsl_rng_uniform_int(rng_gsl(&stream), p->n);
            sample.a[i] = p->a[k];
            sample.b[i] = p->b[k];
        }
        struct answer answer = kind->ask(&sample);
        take_trial(&c, t, &answer, kind->truth(p));
    }
    bool ok = print_row(kind, p, n, &c, trials);
    free(c.width);
    free(c.estimate);
    return ok;
}

/* ---- the gate over its looks ---- */

/*
 * The candidate is A, one GPU, and the base B, two of half the speed: worse by exactly the margin,
 * so both failing and passing are wrong. Each has a chance of alpha / 2 over all looks.
 */
static bool gate_errors(const struct population *p, size_t trials)
{
    static const double looks[] = {20, 40, 80};
    double levels[3];
    struct harm_rule rule = {METRIC_LOWER, p->mean_a / p->mean_b - 1, 0};
    struct rng_stream stream;
    size_t failed = 0, passed = 0;
    stat_spending_levels(looks, 3, 0.025, levels);
    rng_init(&stream, 3, RNG_TEST, 0);
    for (size_t t = 0; t < trials; t++) {
        struct measured base[MOST_PAIRS], candidate[MOST_PAIRS];
        const struct measure m = {"wait_s.mean", metric_find("wait_s.mean"), {base, candidate}};
        for (size_t i = 0; i < MOST_PAIRS; i++) {
            size_t k = gsl_rng_uniform_int(rng_gsl(&stream), p->n);
            base[i] = (struct measured){p->b[k], false};
            candidate[i] = (struct measured){p->a[k], false};
        }
        bool open = true;
        for (int look = 0; open && look < 3; look++) {
            struct harm h = harm_of(&m, (size_t)looks[look], &rule, levels[look]);
            failed += h.p_fail <= levels[look];
            passed += h.p_pass <= levels[look];
            open = h.p_fail > levels[look] && h.p_pass > levels[look];
        }
    }
    double fails = (double)failed / (double)trials, passes = (double)passed / (double)trials;
    printf("| %s | 2.5 %% | %.1f %% | %.1f %% |\n", p->name, 100 * fails, 100 * passes);
    return fails <= 0.035 && passes <= 0.035;
}

static void populate(struct population p[QUEUE_METRICS], size_t replicas, double slow,
                     const char *const *names)
{
    for (int m = 0; m < QUEUE_METRICS; m++)
        p[m] = (struct population){.name = names[m],
                                   .a = mem_alloc(replicas, sizeof *p[m].a),
                                   .b = mem_alloc(replicas, sizeof *p[m].b),
                                   .n = replicas};
    for (size_t i = 0; i < replicas; i++) {
        struct queue_pair pair = queue_pair_draw(1, i, QUEUE_JOBS, LOAD, slow);
        for (int m = 0; m < QUEUE_METRICS; m++) {
            p[m].a[i] = pair.wait[m][0];
            p[m].b[i] = pair.wait[m][1];
        }
    }
    for (int m = 0; m < QUEUE_METRICS; m++) {
        p[m].mean_a = stat_mean(p[m].a, replicas);
        p[m].mean_b = stat_mean(p[m].b, replicas);
        double *sorted = mem_alloc(replicas, sizeof *sorted);
        memcpy(sorted, p[m].a, replicas * sizeof *sorted);
        p[m].target = quantile(sorted, replicas, 0.9);
        free(sorted);
    }
}

/* The two kinds of queues differ in B only. */
static bool is_of_b(const struct kind *kind)
{
    return kind->truth != true_a && kind->truth != true_risk;
}

int main(int argc, char **argv)
{
    static const size_t pairs[] = {5, 10, 20, 40, 80};
    static const char *const names[][QUEUE_METRICS] = {
        {"mean wait, a second GPU", "p95 wait, a second GPU"},
        {"mean wait, two slow GPUs", "p95 wait, two slow GPUs"}};
    long trials = argc == 3 ? strtol(argv[1], NULL, 10) : 0,
         replicas = argc == 3 ? strtol(argv[2], NULL, 10) : 0;
    if (trials < 100 || replicas < 1000) {
        (void)fprintf(stderr, "usage: coverage TRIALS REPLICAS: expected at least 100 and 1000\n");
        return 2;
    }
    bool ok = true;
    printf("| interval | of | pairs | nominal | covers | too high | too low | width / oracle's | "
           "given |\n"
           "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n");
    for (int slow = 1; slow <= 2; slow++) {
        struct population p[QUEUE_METRICS];
        populate(p, (size_t)replicas, slow, names[slow - 1]);
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
            for (int m = 0; m < QUEUE_METRICS; m++)
                for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
                    if (pairs[i] >= kinds[k].least && (slow == 1 || is_of_b(&kinds[k])))
                        ok &= study(&kinds[k], &p[m], pairs[i], (size_t)trials);
        if (slow == 2)
            printf("\nA gate whose candidate is worse by just the margin, looks at 20, 40 and 80 "
                   "replicas, alpha 0.05:\n\n"
                   "| metric | chance of either error | fails | passes |\n| --- | ---: | ---: | "
                   "---: |\n");
        for (int m = 0; slow == 2 && m < QUEUE_METRICS; m++)
            ok &= gate_errors(&p[m], (size_t)trials);
        for (int m = 0; m < QUEUE_METRICS; m++) {
            free(p[m].a);
            free(p[m].b);
        }
    }
    return ok ? 0 : 1;
}
