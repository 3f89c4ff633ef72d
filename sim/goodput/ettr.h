/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How much of its time a large job works, worked out instead of simulated. The job does `interval`
 * of work, writes a checkpoint for `write` in which it stands still, and so on; failures come at
 * random, `rate` of them per unit of time it holds its nodes; each throws it back to its last
 * checkpoint and costs `restart` before it works again.
 *
 *     |==restart==|----interval----|write|----interval----|write|-----X   (lost: from the last
 *       write on)
 *                                                                 |==restart==|---...
 *
 * ETTR, the effective training time ratio, is the work that lasted over the time that passed. Times
 * are in any unit, the same one throughout; rates per that unit. Whatever is worked out is a plain
 * number: nothing here can fail, allocates or keeps anything. Arguments are finite and not
 * negative; what else is asked of them stands with each function.
 */
#ifndef SIM_GOODPUT_ETTR_H
#define SIM_GOODPUT_ETTR_H

struct ettr {
    double rate;     /* failures of the job per unit of time: nodes x failures per node */
    double interval; /* work between two checkpoints, > 0 */
    double write;    /* the job stands still for it; afterwards its work is safe */
    double restart;  /* from the failure until the job works again: waiting in the queue counts */
};

/* Mean hours to the next failure of a job on `nodes` > 0 nodes that fail `knd` > 0 times in 1,000
 * node-days. */
double ettr_mttf_hours(double nodes, double knd);

/*
 * Exact for failures without memory, which strike during restarts and writes too (the full model of
 * J. T. Daly, "A higher order estimate of the optimum checkpoint interval for restart dumps", FGCS
 * 22, 2006):
 *     rate x interval / ((exp(rate (interval + write)) - 1) exp(rate x restart))
 * Without failures 1 / (1 + write / interval).
 */
double ettr_exact(const struct ettr *);

/*
 * The same if nothing fails during a restart: 1 + rate x restart in place of exp(rate x restart).
 */
double ettr_immune(const struct ettr *);

/*
 * The same as ettr_exact() with asynchronous writes: the job stands still for job->write, and its
 * checkpoint is safe `through` >= job->write after the write began, within the next interval +
 * write. A failure before that throws it back one checkpoint further: exp(-rate (through - write))
 * of ettr_exact() remains. This follows from counting the checkpoints completed in a failure-free
 * span of length x, the k-th at interval + (k-1)(interval + write) + through.
 */
double ettr_async(const struct ettr *, double through);

/*
 * To first order in the rate (Kokolis et al., "Revisiting reliability in large-scale machine
 * learning research clusters", arXiv 2410.21680): (1 - rate (restart + interval / 2)) / (1 + write
 * / interval). Good while failures are much rarer than checkpoints; it may be negative where they
 * are not.
 */
double ettr_first_order(const struct ettr *);

/* The interval that wastes least, to first order: sqrt(2 write x mtbf) (J. W. Young, CACM 17,
 * 1974). */
double ettr_young_interval(double write, double mtbf);

/* The resulting waste: sqrt(2 write / mtbf) + restart / mtbf, mtbf > 0. */
double ettr_young_waste(double write, double mtbf, double restart);

/* The interval that wastes least, to higher order (Daly); mtbf where write >= 2 mtbf. */
double ettr_daly_interval(double write, double mtbf);

/*
 * The interval for which ettr_exact() is largest, mtbf > 0. It solves (1 - x) exp(x + write / mtbf)
 * = 1 for x = interval / mtbf: x = 1 + W(-exp(-1 - write / mtbf)), W being Lambert's function.
 * Restarts do not matter to it.
 */
double ettr_best_interval(double write, double mtbf);

/*
 * The remainder if each stop costs `stall`, with `between` > 0 from stop to stop: such an interval
 * contains the stall, as intervals observed from outside do. At least 0.
 */
double ettr_stop_to_stop(double between, double stall);

#endif
