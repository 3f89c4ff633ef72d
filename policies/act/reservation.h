/* SPDX-License-Identifier: MIT */
/*
 * Reservations of EASY backfill (Lifka 1995; Mu'alem and Feitelson 2001): the earliest time, the
 * *shadow time*, at which the first job of a lane could start if running jobs ended at their
 * declared limits, and its places at that time. It is found by trial: running tasks are released in
 * the order of their limits until the gang can be placed by the usual search (with labels,
 * instances, device memory and topology); then everything is rolled back.
 *
 * What remains are *claims*: what the reservation needs of each node, device by device, beyond what
 * is released there by its time. During the search for another job that would still run then, the
 * claims are held, so that it finds only what the reservation can spare. MIG instances cannot be
 * split this way: their nodes are closed meanwhile.
 *
 * An elastic job reserves its minimum; tasks above it reserve nothing. A reservation does not count
 * against `max_tasks`. Lanes that share nodes have reservations of their own, found independently;
 * a backfilled job respects them all. Reservations last for one decision; the next one recomputes
 * times and places.
 */
#ifndef POLICY_ACT_RESERVATION_H
#define POLICY_ACT_RESERVATION_H

#include "pending/ahead.h"
#include "rows.h"

extern const struct pc_module pc_reservations_module;

/*
 * Finds time and places for the first job of a lane, which could not start. There may be none, for
 * example while nodes are down: then no job can delay it. Returns false if out of memory.
 */
bool pc_reserve_for_lane(struct policy *, uint32_t lane);

/* Reserves only a time, computed earlier. Returns false if out of memory. */
bool pc_reserve_time(struct policy *, policy_time at);

/* Drops the last reservation and returns its time. */
policy_time pc_take_back_reservation(struct policy *);

/* Returns the number of reservations that have a time. */
uint32_t pc_reservations_with_time(const struct policy *);

/* The latest start of a reservation before `end`, and the earliest of all; INT64_MIN and INT64_MAX:
 * none. */
policy_time pc_reservation_before(const struct policy *, policy_time end);
policy_time pc_first_reservation(const struct policy *);

/* Holds exactly the reservations that begin before `end` and returns their number. INT64_MIN:
 * none. */
uint32_t pc_hold_reservations(struct policy *, policy_time end);

/* The job has started and ends at that time: its devices need not be kept free for reservations
 * that begin later. */
void pc_spare_reservations(struct policy *, uint32_t job, policy_time end);

/* Drops all reservations; none may be held. */
void pc_forget_reservations(struct policy *);

#endif
