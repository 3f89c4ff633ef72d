/* SPDX-License-Identifier: MIT */
/*
 * A custom order: jobs with the fewest devices first, ties by age. Everything else comes from fifo,
 * so the first job that cannot start blocks the rest, unless the option `blocking` says otherwise.
 *
 *     cc -shared -fPIC -I.. -o smallest_first.so smallest_first.c
 */
#include "plugin.h"

static int64_t devices_of(void *self, const struct policy_job_spec *job)
{
    int64_t milli = 0;
    (void)self;
    for (uint32_t i = 0; i < job->role_count; i++) {
        const struct policy_request *r = &job->roles[i].request;
        milli += (int64_t)job->roles[i].tasks * r->devices *
                 (r->device_milli > 0 ? r->device_milli : POLICY_WHOLE);
    }
    return milli;
}

const struct policy_plugin fauxpolicy_plugin = {
    POLICY_PLUGIN_HEAD("smallest-first", "fewest devices first"),
    .key = devices_of,
};
