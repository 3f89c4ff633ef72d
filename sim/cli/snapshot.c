/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `fauxfleet snapshot FILE...`: a snapshot from what kubectl and Slurm print. */
#include "scenarios/import/import.h"
#include "sim/program/command.h"

#include <inttypes.h>
#include <string.h>

static void print_notes(const struct import *import)
{
    size_t count;
    const struct trace_note *notes = import_notes(import, &count);
    for (size_t i = 0; i < count; i++)
        cli_note("%s (%" PRIu64 ")", notes[i].what, notes[i].rows);
}

static bool print_snapshot(const struct cli *cli, struct import *import, struct out *key,
                           struct err *err)
{
    const char *path = cli_option(cli, OPT_OUTPUT);
    if (!path || strcmp(path, "-") == 0) {
        import_print(import, cli->out, key);
        return true;
    }
    struct out *out = out_open(path, err);
    if (!out)
        return false;
    import_print(import, out, key);
    return out_close(out, err);
}

static bool write_snapshot(const struct cli *cli, struct import *import, struct err *err)
{
    const char *path = cli_option(cli, OPT_ANONYMISE);
    struct out *key = path != NULL ? out_open(path, err) : NULL;
    if (path != NULL && key == NULL)
        return false;
    if (!print_snapshot(cli, import, key, err)) {
        if (key != NULL)
            out_discard(key);
        return false;
    }
    return key == NULL || out_close(key, err);
}

int cmd_snapshot(struct cli *cli)
{
    struct err err = {0};
    struct import *import = import_create();
    bool ok = true;
    for (size_t i = 0; ok && i < cli->operand_count; i++)
        ok = import_add(import, cli->operands[i], &err);
    ok = ok && write_snapshot(cli, import, &err);
    if (ok)
        print_notes(import);
    import_destroy(import);
    return ok ? EXIT_OK : cli_fail(&err);
}
