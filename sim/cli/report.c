/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `fauxfleet report`: the page of a run directory, made (again) from its files. */
#include "report/report.h"
#include "sim/base/mem.h"
#include "sim/program/command.h"

#include <stdlib.h>

int cmd_report(struct cli *cli)
{
    struct err err;
    const char *dir = cli->operands[0], *given = cli_option(cli, OPT_OUTPUT);
    char *path = given ? mem_text(given) : mem_format("%s/report.html", dir);
    bool ok = report_write_html(dir, path, &err);
    if (ok)
        cli_tell("report", "%s", path);
    free(path);
    return ok ? EXIT_OK : cli_fail(&err);
}
