/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `fauxfleet init`: a scenario for a log, with what was guessed. */
#include "scenarios/scenario.h"
#include "sim/base/file.h"
#include "sim/base/mem.h"
#include "sim/init/how.h"
#include "sim/init/write.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct init {
    const struct cli *cli;
    const char *log, *path; /* path: of the scenario, "-" standard output */
    struct init_log seen;
    struct init_proposal proposal;
    struct trace *trace;
};

/* Scenarios name files relative to their own folder. */
static char *trace_for(const struct init *init)
{
    char real[PATH_MAX];
    bool here = strchr(init->path, '/') == NULL;
    return mem_text(here || realpath(init->log, real) == NULL ? init->log : real);
}

static void write_to(const struct init *init, struct out *out)
{
    char *trace = trace_for(init);
    struct init_source source = {.trace = trace, .format = cli_option(init->cli, OPT_FORMAT)};
    source.options = cli_all(init->cli, OPT_OPTION, &source.option_count);
    init_write(out, &init->proposal, &init->seen, &source);
    free(trace);
}

/* It has to load: what does not would be a mistake of ours, to be seen at once. */
static bool check_scenario(const char *path, struct err *err)
{
    struct scenario *scenario = NULL;
    struct scen_overrides none = {0};
    bool ok = scenario_load(&scenario, path, &none, err);
    if (ok)
        scenario_destroy(scenario);
    return ok;
}

static bool write_scenario(const struct init *init, struct err *err)
{
    if (trace_is_stream(init->path)) {
        write_to(init, cli_data(init->cli));
        return true;
    }
    struct out *out = out_open(init->path, err);
    if (out == NULL)
        return false;
    write_to(init, out);
    return out_close(out, err) && check_scenario(init->path, err);
}

/* A scenario that somebody has worked on is not replaced. */
static bool is_free(const char *path, struct err *err)
{
    enum file_found there = trace_is_stream(path) ? FILE_ABSENT : file_find(path, err);
    if (there == FILE_FOUND)
        err_set(err, EXIT_INPUT, "%s is there already: name another file with -o", path);
    return there == FILE_ABSENT;
}

static bool make(struct init *init, struct err *err)
{
    if (!is_free(init->path, err) ||
        !trace_read_path(&init->trace, init->cli, init->log, &init->seen.sink, false, err))
        return false;
    init_log_finish(&init->seen);
    struct init_known known = {.node = cli_option(init->cli, OPT_NODE),
                               .nodes = (int64_t)cli_number(init->cli, OPT_NODES, 0)};
    return init_propose(&init->proposal, &init->seen, &known, err) && write_scenario(init, err);
}

static void tell(const struct init *init)
{
    trace_print_notes(init->trace, init->log);
    for (size_t i = 0; i < init->proposal.guess_count; i++)
        cli_tell("guess", "%s", init->proposal.guesses[i]);
    if (!trace_is_stream(init->path))
        cli_message("wrote %s; next: fauxfleet run %s -o out", init->path, init->path);
}

int cmd_init(struct cli *cli)
{
    struct err err = {0};
    struct init init = {.cli = cli, .log = cli_option(cli, OPT_FROM)};
    if (cli_given(cli, OPT_HOW)) {
        init_how(cli->out);
        return EXIT_OK;
    }
    if (init.log == NULL)
        return cli_misuse(cli, "no log given (--from LOG; --how says how to get one)");
    if (trace_is_stream(init.log))
        return cli_misuse(cli, "option '--from': '-', expected a file that the scenario can name");
    init.path = cli_given(cli, OPT_OUTPUT) ? cli_option(cli, OPT_OUTPUT) : "scenario.json";
    init_log_begin(&init.seen);
    bool ok = make(&init, &err);
    if (ok)
        tell(&init);
    if (init.trace != NULL)
        trace_close(init.trace);
    init_proposal_fini(&init.proposal);
    init_log_fini(&init.seen);
    return ok ? EXIT_OK : cli_fail(&err);
}
