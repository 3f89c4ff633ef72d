/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The useful share of a cluster's time: products and shares of times. All arguments have one unit.
 */
#ifndef SIM_GOODPUT_GOODPUT_H
#define SIM_GOODPUT_GOODPUT_H

/*
 * The share of a stretch of running that a failure leaves (the goodput metric of Google Cloud): the
 * job ran for `ran` > 0, lost `lost` of it since its last checkpoint, waited `waited` to be placed
 * again and took `resumed` to resume.
 */
double goodput_runtime(double ran, double lost, double waited, double resumed);

/*
 * Share of useful work: of the time in which jobs could run, of the time in which they ran, and of
 * the device while they worked (model FLOP utilisation). Each from 0 to 1.
 */
double goodput_overall(double scheduling, double runtime, double program);

/* Productive device time over installed device time; 0 if nothing is installed. */
double goodput_cluster(double productive, double devices, double wall);

#endif
