/* SPDX-License-Identifier: MIT */
/* The order of jobs within a leaf; see compare.h. */
#include "state/compare.h"

#include "state/gangs.h"

int pc_compare_jobs_as(const struct policy *p, uint32_t a, int elastic_a, uint32_t b, int elastic_b)
{
    const struct pc_cluster *c = p->cluster;
    const struct pc_job *x = &c->jobs[a];
    const struct pc_job *y = &c->jobs[b];
    if (x->key.major != y->key.major)
        return x->key.major < y->key.major ? -1 : 1;
    if (elastic_a != elastic_b)
        return elastic_a - elastic_b;
    if (x->key.minor != y->key.minor)
        return x->key.minor < y->key.minor ? -1 : 1;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

int pc_compare_jobs(const struct policy *p, uint32_t a, uint32_t b, bool as_victims)
{
    const struct pc_cluster *c = p->cluster;
    return pc_compare_jobs_as(p, a, pc_elastic_state(c, a, as_victims), b,
                              pc_elastic_state(c, b, as_victims));
}
