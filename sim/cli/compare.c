/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `fauxfleet compare`: two finished runs against each other. */
#include "report/compare/comparison.h"
#include "report/plan/target.h"
#include "sim/base/json.h"
#include "sim/base/mem.h"
#include "sim/base/text.h"
#include "sim/cli/comparison_files.h"
#include "sim/cli/targets.h"
#include "sim/program/command.h"
#include "sim/program/page_output.h"
#include "sim/program/screen.h"

#include <stdlib.h>
#include <string.h>

#define WIDTH 120

/* --metric: also such as mean(jct){queue=vision}, as dotted paths. False with err set. */
static bool read_metrics(const struct cli *cli, char ***paths, size_t *count, struct err *err)
{
    size_t given;
    const char *const *texts = cli_all(cli, OPT_METRIC, &given);
    *paths = mem_alloc(given + 1, sizeof **paths);
    for (*count = 0; *count < given; ++*count)
        if (((*paths)[*count] = target_metric(texts[*count], err)) == NULL)
            return err_prefix(err, "--metric");
    return true;
}

static void print_json(const void *self, const struct comparison *comparison, struct out *out)
{
    (void)self;
    struct json json;
    json_init(&json, out, 1);
    comparison_json(comparison, &json);
    out_char(out, '\n');
}

static void print(const struct comparison *comparison, struct cli *cli, const struct screen *screen)
{
    if (cli_given(cli, OPT_JSON)) {
        print_json(NULL, comparison, cli->out);
        return;
    }
    comparison_table(comparison, cli->out, screen->columns);
    comparison_charts(comparison, cli->out, screen->spark, screen->columns);
}

int cmd_compare(struct cli *cli)
{
    struct err err = {0};
    const char *alpha = cli_option(cli, OPT_ALPHA), *path = cli_option(cli, OPT_OUTPUT);
    struct comparison_options options = {.alpha = 0.05};
    if (alpha != NULL && !(text_f64(alpha, strlen(alpha), &options.alpha) &&
                           options.alpha >= 1e-9 && options.alpha <= 0.5))
        return cli_misuse(
            cli, "--alpha '%s': expected a probability from 1e-9 to 0.5, such as 0.05", alpha);
    if (page_output_of(path) == PAGE_UNKNOWN)
        return cli_misuse(cli, "-o '%s': expected " PAGE_OUTPUT_EXPECTED, path);
    struct screen screen;
    if (!screen_of(&screen, cli, WIDTH, &err))
        return cli_fail(&err);
    struct comparison comparison;
    struct targets targets;
    char **metrics;
    bool ok = read_metrics(cli, &metrics, &options.metric_count, &err);
    ok = targets_read(&targets, cli, ok ? &err : &(struct err){0}) && ok;
    options.metrics = (const char *const *)metrics;
    options.targets = targets.list;
    options.target_count = targets.count;
    ok = ok && comparison_open(&comparison, cli->operands[0], cli->operands[1], &options, &err);
    for (size_t i = 0; i < options.metric_count; i++)
        free(metrics[i]);
    free(metrics);
    if (!ok) {
        targets_free(&targets);
        return cli_fail(&err);
    }
    print(&comparison, cli, &screen);
    const struct comparison_files files = {.path = path, .stem = "compare", .json = print_json};
    ok = comparison_files_write(&files, &comparison, &err);
    bool differ = !comparison.same_outputs;
    comparison_close(&comparison);
    targets_free(&targets);
    if (!ok)
        return cli_fail(&err);
    return differ && cli_given(cli, OPT_FAIL_ON_DIFF) ? EXIT_DIFFER : EXIT_OK;
}
