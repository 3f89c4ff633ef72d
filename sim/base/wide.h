/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Integers of 128 bits, for products and long sums of 64-bit amounts. A type of its own says what
 * it counts. */
#ifndef SIM_BASE_WIDE_H
#define SIM_BASE_WIDE_H

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 unsigned_wide;

#endif
