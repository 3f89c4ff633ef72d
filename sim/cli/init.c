/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `fauxfleet init`: a scenario for a log, with its assumptions. */
#include "scenarios/scenario.h"
#include "sim/base/file.h"
#include "sim/base/mem.h"
#include "sim/init/ask.h"
#include "sim/init/fresh.h"
#include "sim/init/how.h"
#include "sim/init/write.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_NODES 4194304 /* per pool, as in the schema */

struct init {
    const struct cli *cli;
    const char *log, *path; /* path: of the scenario, "-" standard output */
    struct init_log seen;
    struct init_cluster cluster;
    struct init_proposal proposal;
    struct trace *trace;
    char *answer; /* kind of node */
};

/* Scenarios name files relative to their own folder. */
static char *trace_for(const struct init *init)
{
    char here[PATH_MAX];
    bool as_given = init->log[0] == '/' || strchr(init->path, '/') == NULL;
    if (as_given || getcwd(here, sizeof here) == NULL)
        return mem_text(init->log);
    return mem_format("%s/%s", here, init->log);
}

static void write_to(const struct init *init, struct out *out)
{
    char *trace = trace_for(init);
    struct init_source source = {.trace = trace, .format = cli_option(init->cli, OPT_FORMAT)};
    struct trace_texts texts = trace_texts_of(init->cli);
    source.options = texts.texts;
    source.option_count = texts.count;
    init_write(out, &init->proposal, &init->seen, &source);
    trace_texts_fini(&texts);
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

/* Standard output, or a file to be closed. */
static struct out *open_scenario(const struct init *init, struct err *err)
{
    return trace_is_stream(init->path) ? cli_data(init->cli) : out_open(init->path, err);
}

static bool close_scenario(const struct init *init, struct out *out, struct err *err)
{
    return trace_is_stream(init->path) || (out_close(out, err) && check_scenario(init->path, err));
}

static bool write_scenario(const struct init *init, struct err *err)
{
    struct out *out = open_scenario(init, err);
    if (out == NULL)
        return false;
    write_to(init, out);
    return close_scenario(init, out, err);
}

/* An edited scenario is not replaced. */
static bool is_free(const char *path, struct err *err)
{
    enum file_found there = trace_is_stream(path) ? FILE_ABSENT : file_find(path, err);
    if (there == FILE_FOUND)
        err_set(err, EXIT_INPUT, "%s is there already: name another file with -o", path);
    return there == FILE_ABSENT;
}

/* A kind of node, until it is one of the catalogue; `otherwise` may be "". Owned by the caller. */
static char *ask_node(const struct scen_node *catalogue, size_t count, const char *otherwise)
{
    struct err err;
    for (;;) {
        char *name = ask_text("Kind of node, a name of 'fauxfleet list nodes'", otherwise);
        if (*name == '\0' || init_node(catalogue, count, name, &err) != NULL)
            return name;
        cli_message("%s", err.msg);
        free(name);
        if (feof(stdin))
            return mem_text(otherwise);
    }
}

static struct init_known known_of(const struct init *init)
{
    return (struct init_known){.node = cli_option(init->cli, OPT_NODE),
                               .nodes = (int64_t)cli_number(init->cli, OPT_NODES, 0),
                               .cluster = &init->cluster};
}

/* Asks for what a log does not contain, if a user is present. */
static void ask_about_log(struct init *init, struct init_known *known)
{
    const struct init_proposal *p = &init->proposal;
    if (!ask_somebody())
        return;
    if (known->node == NULL && p->pools[0].type == NULL) {
        init->answer = ask_node(p->catalogue, p->catalogue_count, "");
        known->node = *init->answer != '\0' ? init->answer : NULL;
    }
    if (known->nodes == 0 && p->pool_count == 1 && init->cluster.kind_count == 0)
        known->nodes = ask_number("Number of nodes", p->pools[0].nodes, MOST_NODES);
}

static bool make(struct init *init, struct err *err)
{
    struct init_known known = known_of(init);
    if (!is_free(init->path, err) ||
        !trace_read_path(&init->trace, init->cli, init->log, &init->seen.sink, false, err))
        return false;
    init_log_finish(&init->seen);
    if (!init_propose(&init->proposal, &init->seen, &known, err))
        return false;
    ask_about_log(init, &known);
    init_proposal_fini(&init->proposal);
    return init_propose(&init->proposal, &init->seen, &known, err) && write_scenario(init, err);
}

static void tell_next(const struct init *init)
{
    if (!trace_is_stream(init->path))
        cli_message("wrote %s; next: fauxfleet run %s -o out", init->path, init->path);
}

static void tell(const struct init *init)
{
    if (init->trace != NULL)
        trace_print_notes(init->trace, init->log);
    for (size_t i = 0; i < init->proposal.guess_count; i++)
        cli_tell("guess", "%s", init->proposal.guesses[i]);
    tell_next(init);
}

/* ---- without a log ---- */

/* The single pool of a fleet that no file describes. */
static bool choose_fleet(struct init *init, struct err *err)
{
    struct init_proposal *p = &init->proposal;
    const char *name = cli_option(init->cli, OPT_NODE);
    int64_t nodes = (int64_t)cli_number(init->cli, OPT_NODES, INIT_FRESH_NODES);
    if (ask_somebody()) {
        if (name == NULL)
            name = init->answer = ask_node(p->catalogue, p->catalogue_count, INIT_FRESH_NODE);
        if (!cli_given(init->cli, OPT_NODES))
            nodes = ask_number("Number of nodes", nodes, MOST_NODES);
    }
    const struct scen_node *node =
        init_node(p->catalogue, p->catalogue_count, name ? name : INIT_FRESH_NODE, err);
    if (node == NULL)
        return false;
    struct init_pool *pool = init_pool(p, "main");
    pool->node = node->name;
    pool->gpus = node->gpus;
    pool->nodes = nodes;
    return true;
}

static bool make_fresh(struct init *init, struct err *err)
{
    struct init_proposal *p = &init->proposal;
    struct init_known known = known_of(init);
    int64_t teams = INIT_FRESH_TEAMS;
    if (!is_free(init->path, err) || !catalog_nodes(&p->catalogue, &p->catalogue_count, err) ||
        !(init->cluster.kind_count > 0 ? init_propose_fleet(p, NULL, &known, err)
                                       : choose_fleet(init, err)))
        return false;
    if (!init_propose_weights(p, &init->cluster))
        p->policy = "runai";
    if (ask_somebody())
        teams = ask_number("Number of teams", teams, INIT_FRESH_MOST);
    struct out *out = open_scenario(init, err);
    if (out == NULL)
        return false;
    init_fresh_write(out, p, teams);
    return close_scenario(init, out, err);
}

static bool from_log(struct init *init, struct err *err)
{
    init_log_begin(&init->seen);
    bool ok = make(init, err);
    if (ok)
        tell(init);
    if (init->trace != NULL)
        trace_close(init->trace);
    init_log_fini(&init->seen);
    return ok;
}

static bool without_log(struct init *init, struct err *err)
{
    bool ok = make_fresh(init, err);
    if (ok)
        tell(init);
    return ok;
}

static bool read_cluster(struct init *init, struct err *err)
{
    size_t count;
    const char *const *paths = cli_all(init->cli, OPT_CLUSTER, &count);
    for (size_t i = 0; i < count; i++)
        if (!init_cluster_read(&init->cluster, paths[i], err))
            return false;
    return true;
}

int cmd_init(struct cli *cli)
{
    struct err err = {0};
    struct init init = {.cli = cli, .log = cli_option(cli, OPT_FROM)};
    if (cli_given(cli, OPT_HOW)) {
        init_how(cli->out);
        return EXIT_OK;
    }
    bool described = cli_given(cli, OPT_NODE) || cli_given(cli, OPT_CLUSTER);
    if (init.log == NULL && !described && !ask_somebody())
        return cli_misuse(cli, "no log given (--from LOG; --how says how to get one), and no "
                               "--node or --cluster to begin without one");
    if (init.log != NULL && trace_is_stream(init.log))
        return cli_misuse(cli, "option '--from': '-', expected a file that the scenario can name");
    init.path = cli_given(cli, OPT_OUTPUT) ? cli_option(cli, OPT_OUTPUT) : "scenario.json";
    bool ok = read_cluster(&init, &err) &&
              (init.log != NULL ? from_log(&init, &err) : without_log(&init, &err));
    init_proposal_fini(&init.proposal);
    init_cluster_fini(&init.cluster);
    free(init.answer);
    return ok ? EXIT_OK : cli_fail(&err);
}
