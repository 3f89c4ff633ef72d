/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `fauxfleet plan`: how many nodes are enough, by replay or by packing. */
#include "sim/base/text.h"
#include "sim/plan/compaction.h"
#include "sim/plan/slo.h"
#include "sim/program/command.h"

#include <string.h>

static const struct {
    const char *name;
    int (*run)(struct cli *);
} methods[] = {
    {"slo", plan_slo},
    {"compaction", plan_compaction},
};
#define METHODS (sizeof methods / sizeof *methods)

int cmd_plan(struct cli *cli)
{
    const char *name = cli_option(cli, OPT_METHOD);
    char hint[160];
    for (size_t i = 0; i < METHODS; i++)
        if (strcmp(name ? name : methods[0].name, methods[i].name) == 0)
            return methods[i].run(cli);
    return cli_misuse(
        cli, "--method '%s': expected slo or compaction%s", name,
        text_suggest(hint, sizeof hint, name, &methods[0].name, METHODS, sizeof *methods));
}
