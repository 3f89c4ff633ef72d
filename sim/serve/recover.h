/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a service knows when it begins: the state, and the records of the journal behind the one
 * that the state stands for, decided again and compared. The journal goes on in the same section,
 * as if nothing had happened.
 *
 *     there is                                            it begins with
 *     nothing                                             an empty world
 *     a state that stands for a record of the journal     the state, and the records behind that
 *     no state, or a broken one                           the journal's last section, from its
 *                                                         beginning
 *     a state that leads to other decisions than were     the same: the journal is the truth
 *       recorded behind it
 *     a state and a journal that lacks its record         an error that says which records are
 *                                                         missing
 *     a log that begins with a state that is missing      the same
 *     decisions that the policy would not make now        an error with the line; with
 *                                                         options.take_over what was recorded
 *                                                         stands
 *     the journal of another policy                       as that policy, whose decisions stand;
 *                                                         what it knew is then told to this one, as
 *                                                         the beginning of a section
 */
#ifndef SIM_SERVE_RECOVER_H
#define SIM_SERVE_RECOVER_H

#include "sim/serve/running.h"

/* The log is open and scanned. */
bool service_recover(struct service *, struct err *);

#endif
