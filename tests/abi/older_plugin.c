/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A plugin as its author compiled it against the first version of plugin.h, which is kept in
 * older/: leases in rounds. A job that runs keeps its devices for a lease; after that it gives way
 * to jobs that wait, longest first. Loaded by today's program it has to decide as it does compiled
 * anew.
 *
 *     cc -shared -fPIC -I tests/abi/older -o older.so tests/abi/older_plugin.c      or -I policies
 */
#include "plugin.h"

#include <stdlib.h>

#ifdef OLDER_HEADER /* else this would be no test */
_Static_assert(sizeof(struct policy_plugin) == 88, "the first version of a plugin");
_Static_assert(sizeof(struct policy_plugin_node) == 136, "the first version of a node");
_Static_assert(sizeof(struct policy_plugin_role) == 56, "the first version of a role");
_Static_assert(sizeof(struct policy_plugin_job) == 176, "the first version of a job");
#endif

#define LEASE_MS (INT64_C(3600) * 1000)
#define ROUND_MS (INT64_C(600) * 1000)

typedef const struct policy_plugin_job job_view;

struct leases {
    uint64_t rounds;
};

static void *create(const struct policy_allocator *memory)
{
    struct leases *leases = memory->resize(memory->user, NULL, 0, sizeof *leases);
    if (leases != NULL)
        leases->rounds = 0;
    return leases;
}

static void destroy(void *self, const struct policy_allocator *memory)
{
    (void)memory->resize(memory->user, self, sizeof(struct leases), 0);
}

static int64_t longest_wait(void *self, const struct policy_job_spec *job)
{
    (void)self;
    return job->submitted;
}

static bool is_over(job_view *job, policy_time now)
{
    return job->state == POLICY_JOB_RUNS && job->preemptible && now - job->since >= LEASE_MS;
}

static void decide(void *self, struct policy_plan *plan)
{
    struct leases *leases = self;
    job_view *waiting = NULL;
    int64_t wanted = 0, coming = 0;
    leases->rounds++;
    for (uint32_t i = 0; i < plan->job_count; i++) {
        job_view *job = &plan->jobs[i];
        if (job->state == POLICY_JOB_WAITS && !plan->place(plan, job)) {
            waiting = waiting != NULL ? waiting : job;
            wanted += job->gpu_milli;
        }
        coming += job->state == POLICY_JOB_LEAVES ? job->gpu_milli : 0;
    }
    for (uint32_t i = 0; i < plan->job_count && coming < wanted; i++)
        if (is_over(&plan->jobs[i], plan->now) && plan->evict(plan, &plan->jobs[i], waiting))
            coming += plan->jobs[i].gpu_milli;
    if (waiting != NULL)
        plan->wake_at = plan->now - plan->now % ROUND_MS + ROUND_MS;
}

const struct policy_plugin fauxpolicy_plugin = {
    POLICY_PLUGIN_HEAD("leases", "an hour for each job, then the next"),
    .create = create,
    .destroy = destroy,
    .key = longest_wait,
    .decide = decide,
};
