/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holm's correction; see holm.h. */
#include "report/stats/holm.h"

#include "sim/base/mem.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

void stat_holm(const double *p, size_t n, double *adjusted)
{
    double *known = mem_alloc(n + 1, sizeof *known);
    size_t *index = mem_alloc(n + 1, sizeof *index), *order = mem_alloc(n + 1, sizeof *order);
    size_t m = 0;
    for (size_t i = 0; i < n; i++) {
        if (!isnan(p[i])) {
            known[m] = p[i];
            index[m++] = i;
        } else {
            adjusted[i] = (double)NAN;
        }
    }
    if (m > 0)
        gsl_sort_index(order, known, 1, m); /* ties get the same value in any order */
    double largest = 0;
    for (size_t k = 0; k < m; k++) {
        double scaled = fmin(1, (double)(m - k) * known[order[k]]);
        largest = fmax(largest, scaled);
        adjusted[index[order[k]]] = largest;
    }
    free(known);
    free(index);
    free(order);
}
