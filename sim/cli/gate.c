/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `fauxfleet gate`: is a candidate policy worse than the base? */
#include "report/gate/reports.h"
#include "report/gate/timing.h"
#include "sim/base/mem.h"
#include "sim/base/text.h"
#include "sim/gate/run.h"
#include "sim/program/command.h"
#include "sim/program/signals.h"

#include <stdlib.h>
#include <string.h>

#define WIDTH 130

/* ---- reports ---- */

/* The kind in "junit=out.xml", or NULL. */
static const struct gate_report *kind_of(const char *given)
{
    size_t count, n = strcspn(given, "=");
    const struct gate_report *kinds = gate_reports(&count);
    for (size_t i = 0; i < count; i++)
        if (strlen(kinds[i].name) == n && strncmp(kinds[i].name, given, n) == 0 &&
            given[n] == '=' && given[n + 1] != '\0')
            return &kinds[i];
    return NULL;
}

static bool check_reports(const struct cli *cli, struct err *err)
{
    size_t given, count, here = cli_given(cli, OPT_JSON);
    const char *const *reports = cli_all(cli, OPT_REPORT, &given);
    const struct gate_report *kinds = gate_reports(&count);
    for (size_t i = 0; i < given; i++) {
        char *kind = mem_text_n(reports[i], strcspn(reports[i], "="));
        char hint[64];
        if (kind_of(reports[i]) == NULL)
            err_set(
                err, EXIT_INPUT,
                "--report '%.128s': expected KIND=FILE, with one of json, html, md, junit, github, "
                "sarif, tap, csv, timing%s",
                reports[i],
                text_suggest(hint, sizeof hint, kind, &kinds[0].name, count, sizeof *kinds));
        else if (strcmp(strchr(reports[i], '=') + 1, "-") == 0 && ++here > 1)
            err_set(err, EXIT_INPUT,
                    "--report '%.128s': another report goes to standard output already",
                    reports[i]);
        free(kind);
    }
    return err->code == 0;
}

/* Writes them all; *printed: one of them went to standard output. */
static bool write_reports(const struct gate_run *run, bool *printed, struct err *err)
{
    size_t given;
    const char *const *reports = cli_all(run->cli, OPT_REPORT, &given);
    *printed = false;
    for (size_t i = 0; i < given; i++) {
        const char *path = strchr(reports[i], '=') + 1;
        bool here = strcmp(path, "-") == 0;
        struct out *out = here ? cli_data(run->cli) : out_open(path, err);
        if (out == NULL)
            return false;
        kind_of(reports[i])->write(&run->gate, out);
        *printed |= here;
        if (!here && !out_close(out, err))
            return false;
    }
    return true;
}

/* -o DIR: the page and the verdict as JSON beside the replicas. */
static bool write_folder(const struct gate_run *run, struct err *err)
{
    static const struct {
        const char *name;
        void (*write)(const struct gate *, struct out *);
    } files[] = {{"gate.html", gate_report_html}, {"gate.json", gate_report_json}};
    const char *dir = cli_option(run->cli, OPT_OUTPUT);
    for (size_t i = 0; dir != NULL && i < sizeof files / sizeof *files; i++) {
        struct out *out = out_open_in(dir, files[i].name, err);
        if (out == NULL)
            return false;
        files[i].write(&run->gate, out);
        if (!out_close(out, err))
            return false;
    }
    return true;
}

/* ---- the command ---- */

static int code_of(const struct cli *cli, enum gate_verdict verdict)
{
    const char *inconclusive = cli_option(cli, OPT_INCONCLUSIVE);
    if (verdict == GATE_INCONCLUSIVE && inconclusive != NULL)
        return strcmp(inconclusive, "pass") == 0 ? EXIT_OK : EXIT_DIFFER;
    return gate_exit_code(verdict);
}

static int interrupted(const struct gate_run *run)
{
    if (run->store.dir != NULL)
        cli_message("interrupted: there is no verdict; the same command resumes with the replicas "
                    "in %s",
                    run->store.dir);
    else
        cli_message("interrupted: there is no verdict; with -o DIR replicas are kept, and the same "
                    "command resumes");
    return 128 + cli_interrupted();
}

/* Prints the reports, and the table unless a report was printed. */
static int tell(struct gate_run *run)
{
    struct err err = {0};
    bool printed, ok = write_reports(run, &printed, &err);
    if (cli_given(run->cli, OPT_JSON))
        gate_report_json(&run->gate, run->cli->out);
    else if (!printed) /* also if a report could not be written: the results are not lost */
        gate_table(&run->gate, run->cli->out, WIDTH);
    ok = ok && write_folder(run, &err);
    if (ok && run->store.dir != NULL && !cli_given(run->cli, OPT_QUIET))
        cli_note("%zu replicas simulated, %zu were complete in %s", run->simulated, run->recalled,
                 run->store.dir);
    return ok ? code_of(run->cli, run->gate.verdict) : cli_fail(&err);
}

static int decide(struct gate_run *run)
{
    struct err err = {0};
    if (!gate_run_decide(run, &err))
        return cli_fail(&err);
    return run->interrupted ? interrupted(run) : tell(run);
}

static int save(struct gate_run *run, const char *path)
{
    struct err err = {0};
    bool failed;
    if (!gate_run_base(run, &failed, &err))
        return cli_fail(&err);
    if (run->interrupted)
        return interrupted(run);
    if (failed)
        return tell(run);
    if (!gate_check_metrics(&run->gate, &err) || !baseline_write(&run->gate, path, &err) ||
        !gate_timing_write(&run->gate, path, &err))
        return cli_fail(&err);
    if (!cli_given(run->cli, OPT_QUIET))
        cli_message("baseline: %s", path);
    return EXIT_OK;
}

/* Misuse is printed; false then. */
static bool check_options(const struct cli *cli)
{
    const char *inconclusive = cli_option(cli, OPT_INCONCLUSIVE);
    bool keeps = cli_given(cli, OPT_SAVE_BASELINE), kept = cli_given(cli, OPT_BASELINE);
    struct err err = {0};
    if (!check_reports(cli, &err))
        return cli_misuse(cli, "%s", err.msg), false;
    if (inconclusive != NULL && strcmp(inconclusive, "pass") != 0 &&
        strcmp(inconclusive, "fail") != 0)
        return cli_misuse(cli, "--inconclusive '%s': expected pass or fail", inconclusive), false;
    if (keeps && (kept || cli_given(cli, OPT_CANDIDATE)))
        return cli_misuse(cli, "--save-baseline simulates the base alone: it goes without "
                               "--baseline and --candidate"),
               false;
    if (!kept && !cli_given(cli, OPT_BASE))
        return cli_misuse(cli, "no base given (--base POLICY, or --baseline FILE)"), false;
    if (!keeps && !cli_given(cli, OPT_CANDIDATE))
        return cli_misuse(cli, "no candidate given (--candidate POLICY)"), false;
    if (kept && cli_given(cli, OPT_AA))
        return cli_misuse(cli, "--aa simulates both sides: it goes without --baseline"), false;
    return true;
}

int cmd_gate(struct cli *cli)
{
    struct err err = {0};
    struct gate_run run;
    if (!check_options(cli))
        return EXIT_INPUT;
    cli_catch_signals();
    const char *path = cli_option(cli, OPT_SAVE_BASELINE);
    int code = !gate_run_open(&run, cli, &err) ? cli_fail(&err)
               : path != NULL                  ? save(&run, path)
                                               : decide(&run);
    gate_run_close(&run);
    return code;
}
