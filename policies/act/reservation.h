/* SPDX-License-Identifier: MIT */
/*
 * Reservations of EASY backfill (Lifka 1995; Mu'alem and Feitelson 2001): the earliest time, the
 * *shadow time*, at which the first job of a lane could start if running jobs ended at their
 * declared limits, and the places at that time. It is found on trial: running tasks are released in
 * the order of their limits until the gang can be placed by the usual search (with labels,
 * instances, device memory and topology); then everything is rolled back.
 *
 * Of that remain *claims*: what the reservation needs of each node, device by device, beyond what
 * is given back there by its time. While another job looks for a place that would still run then,
 * the claims are held, so that it finds only what the reservation can spare. Of instances (MIG) no
 * part is spared: their nodes are closed meanwhile.
 *
 * An elastic job reserves its minimum; what it wants above reserves nothing. A reservation holds no
 * places for tasks as such (`max_tasks`). Lanes that share nodes have reservations of their own,
 * found each by itself; a job that goes ahead respects them all. Reservations last for one
 * decision; times and places are found anew in the next.
 */
#ifndef POLICY_ACT_RESERVATION_H
#define POLICY_ACT_RESERVATION_H

#include "pending/ahead.h"
#include "rows.h"

extern const struct pc_module pc_reservations_module;

/*
 * Finds time and places for the first job of a lane, which could not start. It may have none, as
 * when nodes are down: then no job can delay it. False: no memory.
 */
bool pc_reserve_for_lane(struct policy *, uint32_t lane);

/* Only a time, that was found before. False: no memory. */
bool pc_reserve_time(struct policy *, policy_time at);

/* The time of the last reservation, which is forgotten. */
policy_time pc_take_back_reservation(struct policy *);

/* How many reservations have a time. */
uint32_t pc_reservations_with_time(const struct policy *);

/* The latest time before `end` at which one begins, and the earliest of all; INT64_MIN and
 * INT64_MAX: none does. */
policy_time pc_reservation_before(const struct policy *, policy_time end);
policy_time pc_first_reservation(const struct policy *);

/* Of all reservations those are held from now on that begin before `end`; how many. INT64_MIN:
 * none. */
uint32_t pc_hold_reservations(struct policy *, policy_time end);

/* The job has started and ends at that time: its devices need not be kept free for reservations
 * that begin later. */
void pc_spare_reservations(struct policy *, uint32_t job, policy_time end);

/* Nothing may be held. */
void pc_forget_reservations(struct policy *);

#endif
