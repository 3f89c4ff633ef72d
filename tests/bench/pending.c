/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The cost of a decision on a full fleet with jobs pending (churn.h):
 *
 *     pending POLICY NODES PENDING LIMIT_S [STEPS]
 *     NS_PER_DECISION MIB STEPS PASSES
 *
 * A pass fills its own fleet and makes 5,000 steps, or as many as fit into 2 s of process time:
 * then STEPS is their number, and the figure is that of the time soon after the fleet was filled.
 * The time of the steps counts, for all facts and decisions of the policy core, divided by the
 * starts, nominations and evictions of tasks; about 0.1 us of it is the fleet's own bookkeeping.
 * All passes do the same, 3 to 25 of them, as far as they end within 3 s and half of LIMIT_S, and
 * the median counts. Time is that of the process; but steps of less than 10 ms are timed on the
 * wall, and the best, uninterrupted time counts: virtual machines account for process time in
 * lumps, so that it may stand still for milliseconds.
 *
 * MIB is the peak memory of the policy. If one pass, including filling the fleet, would take more
 * than LIMIT_S seconds of process time, prints "over". NODES are at least 128, so that the largest
 * gang fits into a team's part of the fleet.
 *
 * With STEPS it makes this many steps in one pass, whatever the time, and prints the decisions
 * alone: for bench-compare, which measures from outside, the same work for any build of the policy
 * core.
 */
#include "tests/bench/bench.h"
#include "tests/bench/churn.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

enum { STEPS = 5000, FEWEST_DECISIONS = 20, FEWEST_PASSES = 3, MOST_PASSES = 25 };
#define LONGEST_S 2.0  /* for the steps of one pass */
#define ENOUGH_S  0.15 /* for the steps of all passes */
#define LUMPY_S   0.01 /* process time is not exact below this */
#define ALL_S     3.0  /* no further pass, including filling, that would end later */

struct passes {
    const char *policy;
    uint32_t nodes, pending;
    long steps; /* of each; the first pass may find that there are fewer */
    double all_s;
    double process_ns[MOST_PASSES]; /* per decision, by process time */
    double wall_ns;                 /* the best wall time */
    int count;
    double timed_s;
    size_t peak_bytes;
};

static void give_up(int signal_number)
{
    (void)signal_number;
    _exit(write(STDOUT_FILENO, "over\n", 5) == 5 ? 0 : 1);
}

static void limit_time(rlim_t seconds)
{
    struct sigaction action = {.sa_handler = give_up};
    struct rlimit limit;
    (void)sigaction(SIGXCPU, &action, NULL);
    (void)getrlimit(RLIMIT_CPU, &limit);
    limit.rlim_cur = seconds;
    (void)setrlimit(RLIMIT_CPU, &limit);
}

static void pass(struct passes *p)
{
    struct churn *churn = churn_create(p->policy, p->nodes, p->pending);
    churn_fill(churn);
    uint64_t before = churn_decisions(churn), decisions = 0;
    double began = bench_seconds(), wall = bench_wall_seconds(), spent = 0;
    long step = 0;
    while (step < p->steps && (p->count > 0 || decisions < FEWEST_DECISIONS || spent < LONGEST_S)) {
        churn_step(churn);
        decisions = churn_decisions(churn) - before;
        if (++step % 16 == 0)
            spent = bench_seconds() - began;
    }
    spent = bench_seconds() - began;
    wall = bench_wall_seconds() - wall;
    wall = wall / (double)decisions * 1e9;
    p->wall_ns = p->count == 0 || wall < p->wall_ns ? wall : p->wall_ns;
    p->process_ns[p->count] = spent / (double)decisions * 1e9;
    p->count++;
    p->steps = step;
    p->timed_s += spent;
    p->peak_bytes = churn_peak_bytes(churn);
    churn_destroy(churn);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y); /* equal ones look the same */
}

static void measure(struct passes *p)
{
    double each = 0;
    while (p->count < FEWEST_PASSES || (p->count < MOST_PASSES && p->timed_s < ENOUGH_S)) {
        if (p->count > 0 && bench_seconds() + each > p->all_s)
            break;
        pass(p);
        each = bench_seconds() / p->count;
    }
    qsort(p->process_ns, (size_t)p->count, sizeof *p->process_ns, by_value);
    double ns = p->timed_s / p->count < LUMPY_S ? p->wall_ns : p->process_ns[p->count / 2];
    (void)printf("%.0f %.1f %ld %d\n", ns, (double)p->peak_bytes / 1048576, p->steps, p->count);
}

/* The work alone. */
static void work(const struct passes *p)
{
    struct churn *churn = churn_create(p->policy, p->nodes, p->pending);
    churn_fill(churn);
    for (long i = 0; i < p->steps; i++)
        churn_step(churn);
    (void)printf("%llu decisions\n", (unsigned long long)churn_decisions(churn));
    churn_destroy(churn);
}

static long number(const char *text, long fewest, long most)
{
    char *end;
    long value = strtol(text, &end, 10);
    if (end == text || *end != '\0' || value < fewest || value > most) {
        (void)fprintf(stderr, "pending: '%s' is not a number of %ld to %ld\n", text, fewest, most);
        exit(2);
    }
    return value;
}

int main(int argc, char **argv)
{
    if (argc != 5 && argc != 6) {
        (void)fprintf(stderr, "usage: pending POLICY NODES PENDING LIMIT_S [STEPS]\n");
        return 2;
    }
    struct passes p = {.policy = argv[1],
                       .nodes = (uint32_t)number(argv[2], 128, 1000000),
                       .pending = (uint32_t)number(argv[3], 1, 10000000),
                       .steps = argc == 6 ? number(argv[5], 1, 1000000000) : STEPS};
    long limit_s = number(argv[4], 1, 100000);
    limit_time((rlim_t)limit_s);
    p.all_s = (double)limit_s / 2 < ALL_S ? (double)limit_s / 2 : ALL_S;
    if (argc == 6)
        work(&p);
    else
        measure(&p);
    return 0;
}
