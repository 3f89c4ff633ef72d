/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `fauxfleet report`: the page of a run or sweep, made (again) from the files of its directory. */
#include "report/report.h"
#include "report/sweep/page.h"
#include "sim/base/mem.h"
#include "sim/program/command.h"

#include <stdlib.h>

int cmd_report(struct cli *cli)
{
    struct err err;
    const char *dir = cli->operands[0], *given = cli_option(cli, OPT_OUTPUT);
    char *path = given ? mem_text(given) : mem_format("%s/report.html", dir);
    bool ok = sweep_is_folder(dir) ? sweep_write_html(dir, path, &err)
                                   : report_write_html(dir, path, &err);
    if (ok)
        cli_tell("report", "%s", path);
    free(path);
    return ok ? EXIT_OK : cli_fail(&err);
}
