/* SPDX-License-Identifier: MIT */
/*
 * Fair Tree: users ranked by how much less than their part they and the accounts above them have
 * used (Slurm's fair-share algorithm since 19.05; Cox and Morrison, Brigham Young University,
 * 2014).
 *
 *     root ─┬─ a (2 shares) ─┬─ ann        level fair-share = S / U
 *           │                └─ abe          S  shares of the row / shares of its siblings and it
 *           └─ b (1 share) ──── bob          U  use of the row / use of its siblings and it
 *
 * From the root down siblings are sorted by S / U, largest first; a user takes the next rank, an
 * account all ranks of the users below it before its next sibling gets any. So nothing that happens
 * inside one account changes the order between accounts. Without use S / U is infinite, without
 * shares it is 0. Accounts with equal values are merged: their children are sorted together. Users
 * with equal values have the same rank, and so has a user with the first one of an account of equal
 * value.
 */
#ifndef POLICY_ORDER_FAIR_TREE_H
#define POLICY_ORDER_FAIR_TREE_H

#include <stdbool.h>
#include <stdint.h>

#define PC_FAIR_ROOT UINT32_MAX

/* An account, or a user, which has nothing below. Sums of shares and of use stay below 2^63. */
struct pc_fair_row {
    uint32_t
        parent; /* its row, in any order; PC_FAIR_ROOT: the one root, of which there is no row */
    bool user;
    uint64_t shares;
    uint64_t used; /* of a user; that of an account is found: the sum of its users' */
    /* found */
    uint32_t depth;
    uint64_t siblings; /* shares of all below the same parent */
    uint64_t level;    /* S / U in 2^-40; UINT64_MAX infinite */
    uint32_t place;    /* of a user: the number of users for the first, down to 1 */
};

/*
 * Ranks the users among the rows; how many there are. Each place divided by that number is the
 * fair-share factor. `users` has room for all of them. Values are rounded down to 2^-40, and equal
 * from 2^24 on.
 */
uint32_t pc_fair_tree(struct pc_fair_row *rows, uint32_t count, uint32_t *users);

#endif
