/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `fauxfleet report`: the page of a run or sweep, made (again) from the files of its directory, or
 * the explorer of runs. */
#include "report/report.h"
#include "report/sweep/page.h"
#include "sim/ask/explore.h"
#include "sim/base/mem.h"
#include "sim/program/command.h"

#include <stdlib.h>

static bool check_runs(const struct cli *cli, struct err *err)
{
    for (size_t i = 0; i < cli->operand_count; i++)
        if (sweep_is_folder(cli->operands[i]))
            return err_set(err, EXIT_INPUT,
                           "%s: a sweep keeps no single runs: --explore takes the directory of "
                           "'run -o DIR'",
                           cli->operands[i]);
    return true;
}

static bool write_page(const struct cli *cli, const char *path, struct err *err)
{
    const char *dir = cli->operands[0];
    if (cli_given(cli, OPT_EXPLORE))
        return check_runs(cli, err) && explore_directories(cli, path, err);
    return sweep_is_folder(dir) ? sweep_write_html(dir, path, err)
                                : report_write_html(dir, path, err);
}

int cmd_report(struct cli *cli)
{
    struct err err;
    const char *given = cli_option(cli, OPT_OUTPUT);
    bool explore = cli_given(cli, OPT_EXPLORE);
    if (!explore && cli->operand_count > 1)
        return cli_misuse(cli, "two run directories go with --explore; 'compare' compares them");
    if (!explore && cli_given(cli, OPT_TRACE))
        return cli_misuse(cli, "--trace goes with --explore");
    char *path =
        given ? mem_text(given)
              : mem_format("%s/%s", cli->operands[0], explore ? "explorer.html" : "report.html");
    bool ok = write_page(cli, path, &err);
    if (ok)
        cli_tell(explore ? "explorer" : "report", "%s", path);
    free(path);
    return ok ? EXIT_OK : cli_fail(&err);
}
