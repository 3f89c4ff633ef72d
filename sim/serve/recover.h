/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The initial state of a service: the saved state, and the records of the journal after it, decided
 * again and compared. The journal continues in the same section, as if nothing had happened.
 *
 *     there is                                            it begins with
 *     nothing                                             an empty world
 *     a state for a record of the journal                 the state, and the records after it
 *     no state, or a broken one                           the journal's last section, from its
 *                                                         beginning
 *     a state that leads to other decisions than those    the same: the journal is authoritative
 *       recorded after it
 *     a state and a journal without its record            an error that names the missing records
 *     a log that begins with a missing state              the same
 *     decisions that the policy would not make now        an error with the line; with
 *                                                         options.take_over the recorded decisions
 *                                                         stand
 *     the journal of another policy                       that policy, whose decisions stand; what
 * it knew is then passed to this one, as the beginning of a section
 */
#ifndef SIM_SERVE_RECOVER_H
#define SIM_SERVE_RECOVER_H

#include "sim/serve/running.h"

/* The log is open and scanned. */
bool service_recover(struct service *, struct err *);

#endif
