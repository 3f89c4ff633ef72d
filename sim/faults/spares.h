/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Spare nodes: kept apart until a node fails, lent while it is repaired, given back after. Fleets keep 2 to 10 % of their
 * nodes so. The book is kept here; which node a spare is, is the caller's business.
 */
#ifndef SIM_FAULTS_SPARES_H
#define SIM_FAULTS_SPARES_H

#include <stdbool.h>
#include <stdint.h>

/* used <= total, used <= peak; asked = lent so far + refused. Set `total`, the rest is 0. */
struct fault_spares {
    uint32_t total, used;
    uint32_t peak;           /* most in use at one time */
    uint64_t asked, refused; /* how often one was wanted, and none was left */
};

bool fault_spares_take(struct fault_spares *);
void fault_spares_give(struct fault_spares *); /* used > 0 */

#endif
