/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From options to changes of a scenario. */
#include "sim/program/overrides.h"

#include "scenarios/schema/policy_file.h"
#include "sim/base/mem.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct scen_overrides overrides_of(const struct cli *cli)
{
    static const struct scen_change rho = {"--rho", "metrics.rho", "true", ""};
    struct scen_overrides o = {
        .policy = cli_option(cli, OPT_POLICY),
        .trace = cli_option(cli, OPT_TRACE),
        .has_seed = cli_given(cli, OPT_SEED),
        .has_replicas = cli_given(cli, OPT_REPLICAS),
        .seed = cli_number(cli, OPT_SEED, 0),
        .replicas = (int)cli_number(cli, OPT_REPLICAS, 1),
    };
    o.map = cli_all(cli, OPT_MAP, &o.map_count);
    o.set = cli_all(cli, OPT_SET, &o.set_count);
    o.changes = &rho;
    o.change_count = cli_given(cli, OPT_RHO);
    return o;
}

char *overrides_absolute(const char *path)
{
    char here[PATH_MAX];
    if (path[0] == '/')
        return mem_text(path);
    if (getcwd(here, sizeof here) == NULL)
        here[0] = '\0';
    return path[0] == '\0' ? mem_text(here) : mem_format("%s/%s", here, path);
}

char *overrides_base(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (slash == path)
        return mem_text("/");
    char *folder = mem_text_n(path, slash != NULL ? (size_t)(slash - path) : 0);
    char *base = overrides_absolute(folder);
    free(folder);
    return base;
}

char *overrides_trace(const struct cli *cli)
{
    const char *trace = cli_option(cli, OPT_TRACE);
    return trace == NULL || strcmp(trace, "-") == 0 ? NULL : overrides_absolute(trace);
}

char *overrides_library(const struct scenario *sc)
{
    return policy_name_is_library(sc->policy.name) ? overrides_absolute(sc->policy.name) : NULL;
}
