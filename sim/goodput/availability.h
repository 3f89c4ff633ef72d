/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How many of many equal things work at one time, and how many spares make it sufficiently sure
 * that enough do. Things fail and are repaired independently; `available` is the share of time in
 * which one works, 0 to 1.
 */
#ifndef SIM_GOODPUT_AVAILABILITY_H
#define SIM_GOODPUT_AVAILABILITY_H

/* Mean time between failures (> 0) and mean time to repair, in one unit. */
double availability_of(double mtbf, double mttr);

/* The probability that at least `k` of `n` work. */
double availability_at_least(unsigned n, unsigned k, double available);

/* How available each has to be so that at least `k` of `n`, k from 1 to n, work with probability
 * `sure`, 0 to 1. */
double availability_needed(unsigned n, unsigned k, double sure);

/*
 * The smallest number of spares with which `n` work with a probability above 1 - risk: the smallest
 * s for which more than s of n + s are out with a probability below `risk`. AVAILABILITY_NEVER if
 * that takes more than ten spares each (or AVAILABILITY_SPARES for small n).
 */
#define AVAILABILITY_NEVER  (~0u)
#define AVAILABILITY_SPARES 100u
unsigned availability_spares(unsigned n, double available, double risk);

/*
 * The probability that a domain of `devices`, which is lost with any of its devices, is whole, if a
 * share `failed` of all devices is out, spread independently of domains: (1 - failed) ^ devices.
 */
double availability_domain(double failed, unsigned devices);

#endif
