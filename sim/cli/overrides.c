/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From options to changes of a scenario. */
#include "sim/cli/overrides.h"

#include "sim/base/mem.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct scen_overrides overrides_of(const struct cli *cli)
{
    struct scen_overrides o = {
        .policy = cli_option(cli, OPT_POLICY),
        .trace = cli_option(cli, OPT_TRACE),
        .has_seed = cli_given(cli, OPT_SEED),
        .has_replicas = cli_given(cli, OPT_REPLICAS),
        .seed = cli_number(cli, OPT_SEED, 0),
        .replicas = (int)cli_number(cli, OPT_REPLICAS, 1),
    };
    o.set = cli_all(cli, OPT_SET, &o.set_count);
    return o;
}

char *overrides_base(const char *path)
{
    char here[PATH_MAX];
    if (getcwd(here, sizeof here) == NULL)
        here[0] = '\0';
    const char *slash = strrchr(path, '/');
    size_t length = slash != NULL ? (size_t)(slash - path) : 0;
    if (slash == path)
        return mem_text("/");
    if (path[0] == '/')
        return mem_text_n(path, length);
    char *folder = mem_text_n(path, length);
    char *base = length > 0 ? mem_format("%s/%s", here, folder) : mem_text(here);
    free(folder);
    return base;
}
