/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `fauxfleet whatif`: the same world twice, with and without changes, simulated side by side on the
 * same random numbers. Jobs evicted in one and not in the other are reported next to the comparison
 * of all metrics.
 */
#include "report/compare/comparison.h"
#include "sim/base/json.h"
#include "sim/base/mem.h"
#include "sim/cli/comparison_files.h"
#include "sim/cli/targets.h"
#include "sim/program/command.h"
#include "sim/program/overrides.h"
#include "sim/program/page_output.h"
#include "sim/program/signals.h"
#include "sim/study/experiment.h"
#include "sim/study/replicas.h"
#include "sim/study/steady.h"
#include "sim/study/whatif_changes.h"
#include "sim/study/whatif_lists.h"
#include "sim/world/network.h"
#include "sim/world/scenario_notes.h"
#include "sim/world/start_memory.h"
#include "sim/world/workload.h"

#include <stdlib.h>
#include <string.h>

#define WIDTH         120
#define REPLICAS      20
#define BASE          0
#define CHANGED       1
#define NAME_OF_BASE  "as it is"
#define NAME_OF_OTHER "what if"

struct whatif {
    struct cli *cli;
    const char *path;
    struct scenario *worlds[SIDES];
    struct steady steady; /* the base's: both worlds are measured in the same window */
    struct experiment_side sides[SIDES];
    struct experiment experiment;
    struct watch *watch;
    int replicas;
    struct targets targets;
    char *varied; /* between replicas of the base; NULL: nothing to report */
};

/* ---- the two worlds ---- */

static bool load(struct whatif *w, int side, const struct scen_overrides *overrides,
                 struct err *err)
{
    return steady_load(&w->worlds[side], w->path, overrides, &w->steady, err);
}

/* Returns true if the world has no randomness: all replicas would be equal. */
static bool is_certain(const struct scenario *sc)
{
    bool given = sc->start.snapshot != NULL && sc->source_count == 0 && sc->service_count == 0;
    bool known =
        sc->start.remaining == SCEN_REMAINING_KNOWN || sc->start.remaining == SCEN_REMAINING_LIMITS;
    return given && known && !sc->faults.given && !sc->spot && sc->gpu_memory.mode == MEMORY_OFF &&
           strcmp(sc->policy.name, "random") != 0;
}

/*
 * Opens it first without the changes, to learn their starting values; then again with the number of
 * replicas, on which the jitter of arrivals depends.
 */
static bool open_base(struct whatif *w, struct scen_overrides *both, struct err *err)
{
    if (!load(w, BASE, both, err))
        return false;
    w->replicas = w->worlds[BASE]->replicas;
    if (both->has_replicas || w->replicas > 1)
        return true;
    w->replicas = is_certain(w->worlds[BASE]) ? 1 : REPLICAS;
    if (w->replicas == 1)
        return true;
    scenario_destroy(w->worlds[BASE]);
    w->worlds[BASE] = NULL;
    both->has_replicas = true;
    both->replicas = w->replicas;
    return load(w, BASE, both, err);
}

static bool check_mode(const struct whatif *w, struct err *err)
{
    for (int side = 0; side < SIDES; side++)
        if (w->worlds[side]->mode == SCEN_FILL)
            return err_set(err, EXIT_INPUT,
                           "%s: a packing study has no time, so whatif does not apply", w->path);
    return workload_rereadable(w->worlds[BASE], "whatif reads", err) &&
           workload_rereadable(w->worlds[CHANGED], "whatif reads", err);
}

/* The changes must not alter the measured jobs or the window: replicas of both worlds are pairs. */
static bool check_pairs(const struct whatif *w, struct err *err)
{
    const struct scenario *base = w->worlds[BASE], *changed = w->worlds[CHANGED];
    const struct scen_window *a = &base->window, *b = &changed->window;
    const char *key = base->seed != changed->seed             ? "seed"
                      : base->replicate != changed->replicate ? "workload.replicate"
                      : a->warmup_ms != b->warmup_ms          ? "window.warmup"
                      : a->horizon_ms != b->horizon_ms        ? "window.horizon"
                      : a->drain != b->drain || a->drain_cap_ms != b->drain_cap_ms ? "window.drain"
                                                                                   : NULL;
    return key == NULL ||
           err_set(err, EXIT_INPUT,
                   "--set %s: both worlds have the same seed and window, or their jobs could not "
                   "be compared: change it with --both",
                   key);
}

/* The changes come after those of both sides: --policy first, as everywhere. */
static bool open_worlds(struct whatif *w, struct err *err)
{
    struct scen_overrides both = overrides_of(w->cli);
    struct whatif_changes changes = {0};
    size_t set_count;
    const char *const *set = cli_all(w->cli, OPT_SET, &set_count);
    both.policy = NULL;
    both.resample = true;
    both.set = cli_all(w->cli, OPT_BOTH, &both.set_count);
    both.both_count = both.set_count;
    bool ok =
        open_base(w, &both, err) && whatif_changes_open(&changes, w->cli, w->worlds[BASE], err);
    if (ok) {
        struct scen_overrides other = both;
        const char **sets = mem_alloc(both.set_count + set_count + 1, sizeof *sets);
        for (size_t i = 0; i < both.set_count + set_count; i++)
            sets[i] = i < both.set_count ? both.set[i] : set[i - both.set_count];
        other.policy = cli_option(w->cli, OPT_POLICY);
        other.set = sets;
        other.set_count += set_count;
        other.changes = changes.list;
        other.change_count = changes.count;
        ok = load(w, CHANGED, &other, err) && check_mode(w, err) && check_pairs(w, err);
        free(sets);
    }
    whatif_changes_close(&changes);
    return ok;
}

/* ---- running them ---- */

static struct run_watch watch_one(void *self, size_t side, int replica)
{
    struct whatif *w = self;
    return watch_of(w->watch, side, replica);
}

static bool run(struct whatif *w, struct err *err)
{
    struct progress progress;
    progress_begin(&progress, cli_given(w->cli, OPT_QUIET));
    w->watch = watch_create(w->replicas);
    for (int side = 0; side < SIDES; side++)
        w->sides[side].scenario = w->worlds[side];
    w->experiment = (struct experiment){.sides = w->sides,
                                        .side_count = SIDES,
                                        .threads = (int)cli_number(w->cli, OPT_JOBS, 1),
                                        .audit = cli_given(w->cli, OPT_AUDIT),
                                        .progress = &progress,
                                        .watch = watch_one,
                                        .watch_self = w};
    bool ok = experiment_run(&w->experiment, w->replicas, err);
    progress_end(&progress);
    return ok;
}

/* ---- what came out ---- */

/* For the changed world, only what was not reported for the other. */
static void note_memory(const struct whatif *w)
{
    if (cli_given(w->cli, OPT_QUIET))
        return;
    start_memory_note(w->worlds[BASE]);
    if (start_memory(w->worlds[CHANGED]) != start_memory(w->worlds[BASE]))
        start_memory_note(w->worlds[CHANGED]);
}

static void print_json(const void *self, const struct comparison *comparison, struct out *out)
{
    const struct whatif *w = self;
    struct json json;
    json_init(&json, out, 1);
    json_begin_object(&json, NULL);
    json_i64(&json, "fauxfleet_whatif", 1);
    comparison_json_body(comparison, &json);
    whatif_lists_json(w->watch, w->replicas, &json);
    json_end_object(&json);
    out_char(out, '\n');
}

static void print(const struct whatif *w, const struct comparison *comparison)
{
    if (cli_given(w->cli, OPT_JSON))
        print_json(w, comparison, w->cli->out);
    else
        comparison_table(comparison, w->cli->out, WIDTH);
}

static bool tell(struct whatif *w, const char *path, struct err *err)
{
    static const char *const names[SIDES] = {NAME_OF_BASE, NAME_OF_OTHER};
    const struct comparison_options options = {.alpha = 0.05,
                                               .targets = w->targets.list,
                                               .target_count = w->targets.count,
                                               .varied = w->varied,
                                               .certain = is_certain(w->worlds[BASE]) &&
                                                          is_certain(w->worlds[CHANGED])};
    struct pairing_side sides[SIDES];
    for (int side = 0; side < SIDES; side++)
        sides[side] = (struct pairing_side){.name = names[side],
                                            .scenario = w->worlds[side]->resolved,
                                            .summaries = w->sides[side].summaries,
                                            .count = w->replicas,
                                            .any_workload = true};
    struct comparison comparison;
    if (!comparison_make(&comparison, sides, &options, err))
        return false;
    struct comparison_list *lists = whatif_lists(w->watch, w->replicas, &comparison.list_count);
    comparison.lists = lists;
    print(w, &comparison);
    const struct comparison_files files = {
        .path = path, .stem = "whatif", .json = print_json, .self = w};
    bool ok = comparison_files_write(&files, &comparison, err);
    comparison.lists = NULL;
    whatif_lists_free(lists, comparison.list_count);
    comparison_close(&comparison);
    return ok;
}

static void close_all(struct whatif *w)
{
    experiment_forget(&w->experiment);
    watch_destroy(w->watch);
    targets_free(&w->targets);
    free(w->varied);
    for (int side = 0; side < SIDES; side++)
        scenario_destroy(w->worlds[side]);
}

int cmd_whatif(struct cli *cli)
{
    struct err err = {0};
    struct whatif w = {.cli = cli, .path = cli->operands[0]};
    const char *path = cli_option(cli, OPT_OUTPUT);
    if (page_output_of(path) == PAGE_UNKNOWN)
        return cli_misuse(cli, "-o '%s': expected " PAGE_OUTPUT_EXPECTED, path);
    if (!cli_given(cli, OPT_SET) && !cli_given(cli, OPT_POLICY) && !cli_given(cli, OPT_ADD_NODES) &&
        !cli_given(cli, OPT_DRAIN) && !cli_given(cli, OPT_LOSE))
        return cli_misuse(
            cli, "nothing is changed: expected --set, --policy, --add-nodes, --drain or --lose");
    cli_catch_signals();
    bool ok = targets_read(&w.targets, cli, &err) && open_worlds(&w, &err);
    if (ok && !cli_given(cli, OPT_QUIET)) {
        steady_note(&w.steady, NULL);
        if (!network_note(w.worlds[BASE]))
            (void)network_note(w.worlds[CHANGED]);
        scenario_notes(w.worlds[BASE]);
        scenario_notes_beside(w.worlds[CHANGED], w.worlds[BASE]);
    }
    ok = ok && replicas_vary(w.worlds[BASE], &w.varied, &err) && run(&w, &err);
    if (ok && !w.experiment.interrupted)
        ok = tell(&w, path, &err);
    if (ok)
        note_memory(&w);
    bool interrupted = w.experiment.interrupted;
    close_all(&w);
    if (!ok)
        return cli_fail(&err);
    if (!interrupted)
        return EXIT_OK;
    cli_message("interrupted: an incomplete comparison is discarded");
    return 128 + cli_interrupted();
}
