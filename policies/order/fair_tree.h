/* SPDX-License-Identifier: MIT */
/*
 * Fair Tree: ranks users by how far the usage of them and of their accounts is below their shares
 * (Slurm's fair-share algorithm since 19.05; Cox and Morrison, Brigham Young University, 2014).
 *     root ─┬─ a (2 shares) ─┬─ ann   level fair-share = S / U
 *           │                └─ abe     S  shares of the row / shares of all siblings
 *           └─ b (1 share) ──── bob     U  usage of the row / usage of all siblings
 *
 * From the root down, siblings are sorted by S / U, largest first; a user takes the next rank, an
 * account takes the ranks of all users below it before its next sibling. So nothing inside one
 * account changes the order between accounts. Without usage S / U is infinite, without shares it is
 * 0. Accounts with equal values are merged: their children are sorted together. Users with equal
 * values share a rank, and a user shares that of the first user of an account with an equal value.
 */
#ifndef POLICY_ORDER_FAIR_TREE_H
#define POLICY_ORDER_FAIR_TREE_H

#include <stdbool.h>
#include <stdint.h>

#define PC_FAIR_ROOT UINT32_MAX

/* An account, or a user (a leaf). Sums of shares and of usage stay below 2^63. */
struct pc_fair_row {
    uint32_t parent; /* index of its row, in any order; PC_FAIR_ROOT: the root, which has no row */
    bool user;
    uint64_t shares;
    uint64_t used; /* of a user; computed for accounts: the sum of their users */
    /* computed */
    uint32_t depth;
    uint64_t siblings; /* sum of shares over all children of its parent */
    uint64_t level;    /* S / U in 2^-40; UINT64_MAX infinite */
    uint32_t place;    /* of a user: from the number of users for the first, down to 1 */
};

/*
 * Ranks the users among the rows and returns their number. Place divided by that number is the
 * fair-share factor. `users` has room for all of them. Values are rounded down to 2^-40, and
 * saturate at 2^24.
 */
uint32_t pc_fair_tree(struct pc_fair_row *rows, uint32_t count, uint32_t *users);

#endif
