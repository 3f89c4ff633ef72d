/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz targets end with the message of policy_check(), so that a log alone says which invariant is
 * broken. */
#ifndef TESTS_FUZZ_SOUND_H
#define TESTS_FUZZ_SOUND_H

#include "policies/policy.h"
#include "sim/base/err.h"

static inline void fuzz_is_sound(const struct policy *policy)
{
    struct policy_error error;
    if (policy_check(policy, &error) != POLICY_OK)
        bug_report(error.message, __FILE__, __LINE__);
}

#endif
