/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A simulation as a snapshot; see present.h. */
#include "sim/world/present.h"

#include "report/record/snapshot.h"
#include "sim/base/mem.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/*
 * Random placements use the seed of the run, which the options contain only if the scenario does.
 */
static bool draws(const struct simulation *s)
{
    const struct scen_policy *policy = &s->scenario->policy;
    bool given = false;
    for (size_t i = 0; i < policy->option_count; i++)
        given = given || strcmp(policy->options[i].name, "seed") == 0;
    return !given && sim_is(s->sim, POLICY_TRAIT_DRAWS);
}

bool present_print(const struct simulation *s, struct out *out, struct err *err)
{
    const struct scen_policy *policy = &s->scenario->policy;
    struct snapshot_option *options = mem_alloc(policy->option_count + 2, sizeof *options);
    for (size_t i = 0; i < policy->option_count; i++)
        options[i] = (struct snapshot_option){policy->options[i].name, policy->options[i].value};
    struct snapshot_about about = {policy->name, options, policy->option_count};
    char *seed = NULL;
    if (draws(s)) {
        seed = mem_format("%" PRIu64, s->sim->config.policy.seed);
        options[about.option_count++] = (struct snapshot_option){"seed", seed};
    }
    bool ok = snapshot_print(s->sim, &about, out, err);
    free(options);
    free(seed);
    return ok;
}

bool present_snapshot(const struct simulation *s, struct snapshot **snapshot, struct err *err)
{
    struct out *out = out_memory();
    size_t n;
    bool ok = present_print(s, out, err);
    if (ok) {
        const char *text = out_memory_text(out, &n);
        ok = snapshot_parse(snapshot, "the state of the run", text, n, err);
    }
    out_discard(out);
    return ok;
}
