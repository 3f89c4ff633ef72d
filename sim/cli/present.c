/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A simulation as a snapshot; see present.h. */
#include "sim/cli/present.h"

#include "report/snapshot.h"
#include "sim/base/mem.h"

#include <stdlib.h>

bool present_print(const struct simulation *s, struct out *out, struct err *err)
{
    const struct scen_policy *policy = &s->scenario->policy;
    struct snapshot_option *options = mem_alloc(policy->option_count + 1, sizeof *options);
    for (size_t i = 0; i < policy->option_count; i++)
        options[i] = (struct snapshot_option){policy->options[i].name, policy->options[i].value};
    struct snapshot_about about = {policy->name, options, policy->option_count};
    bool ok = snapshot_print(s->sim, &about, out, err);
    free(options);
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
