/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `fauxfleet explain`: a directory is that of a run, anything else is a snapshot. */
#include "sim/ask/explain.h"

#include "sim/base/escape.h"

#include <inttypes.h>
#include <sys/stat.h>

void explain_duration(struct out *out, int64_t ms)
{
    int64_t s = ms / 1000;
    if (s >= 86400)
        out_format(out, "%" PRId64 "d", s / 86400);
    if (s >= 3600)
        out_format(out, "%" PRId64 "h", s % 86400 / 3600);
    if (s >= 60)
        out_format(out, "%" PRId64 "m", s % 3600 / 60);
    out_format(out, "%" PRId64 "s", s % 60);
}

void explain_say(struct out *words, struct out *out)
{
    size_t n;
    const char *text = out_memory_text(words, &n);
    escape_lines(out, text, n);
}

int cmd_explain(struct cli *cli)
{
    static const enum option_id with_replicas[] = {OPT_SET, OPT_SEED, OPT_JOBS};
    struct stat status;
    for (size_t i = 0; i < sizeof with_replicas / sizeof *with_replicas; i++)
        if (cli_given(cli, with_replicas[i]) && !cli_given(cli, OPT_REPLICAS))
            return cli_misuse(cli, "--%s goes with --replicas", option_rows[with_replicas[i]].name);
    bool folder = stat(cli->operands[0], &status) == 0 && S_ISDIR(status.st_mode);
    return folder ? explain_run(cli) : explain_snapshot(cli);
}
