/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `fauxfleet schema`: the keys of a kind of file as a JSON Schema. */
#include "scenarios/schema/gate.h"
#include "scenarios/schema/json_schema.h"
#include "scenarios/schema/scenario.h"
#include "scenarios/schema/sweep.h"
#include "sim/base/text.h"
#include "sim/program/command.h"

#include <string.h>

static const struct {
    const char *name;
    const struct schema_row *root;
} kinds[] = {
    {"scenario", &schema_scenario},
    {"sweep", &schema_sweep},
    {"gate", &schema_gate},
};

enum { KINDS = sizeof kinds / sizeof *kinds };

int cmd_schema(struct cli *cli)
{
    const char *name = cli->operand_count > 0 ? cli->operands[0] : kinds[0].name;
    for (size_t i = 0; i < KINDS; i++)
        if (strcmp(name, kinds[i].name) == 0) {
            json_schema_print(cli->out, name, kinds[i].root);
            return EXIT_OK;
        }
    struct err err;
    char hint[64];
    err_set(&err, EXIT_INPUT, "unknown kind of file '%.64s', expected scenario, sweep or gate%s",
            name, text_suggest(hint, sizeof hint, name, &kinds[0].name, KINDS, sizeof *kinds));
    return cli_fail(&err);
}
