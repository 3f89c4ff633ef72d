/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kaplan and Meier's estimate; see survival.h. */
#include "report/stats/survival.h"

#include "sim/base/mem.h"

#include <math.h>
#include <stdlib.h>

struct stat_step *stat_survival(const struct tally *tally, size_t *count)
{
    size_t cells, steps = 0;
    struct tally_cell *cell = tally_sorted(tally, &cells);
    struct stat_step *step = mem_alloc(cells + 1, sizeof *step);
    uint64_t at_risk = tally->observed + tally->censored;
    double survives = 1, greenwood = 0;
    for (size_t i = 0; i < cells; i++) {
        double ends = cell[i].observed, risk = (double)at_risk;
        if (cell[i].observed > 0) {
            survives *= (risk - ends) / risk;
            greenwood += ends / (risk * (risk - ends)); /* infinite for the last, and unused */
            step[steps++] = (struct stat_step){
                .value = cell[i].value,
                .at_risk = at_risk,
                .survives = survives,
                .se = risk > ends ? survives * sqrt(greenwood) : (double)NAN,
            };
        }
        at_risk -= cell[i].observed + cell[i].censored;
    }
    free(cell);
    *count = steps;
    return step;
}
