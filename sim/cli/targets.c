/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading --target; see targets.h. */
#include "sim/cli/targets.h"

#include "sim/base/mem.h"

#include <stdlib.h>

bool targets_read(struct targets *targets, const struct cli *cli, struct err *err)
{
    size_t count;
    const char *const *texts = cli_all(cli, OPT_TARGET, &count);
    *targets = (struct targets){.list = mem_alloc(count + 1, sizeof *targets->list)};
    for (; targets->count < count; targets->count++)
        if (!target_parse(&targets->list[targets->count], texts[targets->count], err))
            return err_prefix(err, "--target");
    return true;
}

void targets_free(struct targets *targets)
{
    for (size_t i = 0; i < targets->count; i++)
        target_fini(&targets->list[i]);
    free(targets->list);
    *targets = (struct targets){.list = NULL};
}
