/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The memory of a policy core in this program. */
#ifndef SIM_POLICY_MEMORY_H
#define SIM_POLICY_MEMORY_H

#include "policies/policy.h"

struct policy_allocator policy_memory(void); /* libc's */

#endif
