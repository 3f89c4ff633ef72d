/* SPDX-License-Identifier: MIT */
/* Checks every sum and index of the cluster against a plain scan over tasks. See policy_check(). */
#include "query/check.h"

#include "act/reversal.h"

int policy_check(const struct policy *p, struct policy_error *error)
{
    const char *wrong = pc_check_nodes(p);
    if (wrong == NULL)
        wrong = pc_check_fleet(p);
    if (wrong == NULL)
        wrong = pc_check_jobs(p);
    if (wrong == NULL)
        wrong = pc_check_waiting(p);
    if (wrong == NULL)
        wrong = pc_check_queues(p);
    if (wrong == NULL)
        wrong = pc_reversals_check(p->cluster);
    if (wrong == NULL)
        wrong = pc_modules_check(p);
    if (wrong == NULL)
        return POLICY_OK;
    pc_error_set(error, POLICY_CONFLICT, "broken invariant: ", wrong, "");
    return POLICY_CONFLICT;
}
