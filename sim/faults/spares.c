/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The book of spare nodes. */
#include "sim/faults/spares.h"

#include "sim/base/err.h"

bool fault_spares_take(struct fault_spares *spares)
{
    spares->asked++;
    if (spares->used >= spares->total) {
        spares->refused++;
        return false;
    }
    spares->used++;
    spares->peak = spares->used > spares->peak ? spares->used : spares->peak;
    return true;
}

void fault_spares_give(struct fault_spares *spares)
{
    BUG_ON(spares->used == 0);
    spares->used--;
}
