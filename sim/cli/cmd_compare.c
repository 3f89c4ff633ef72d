/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `fauxfleet compare`: two finished runs against each other. */
#include "report/compare/comparison.h"
#include "sim/base/json.h"
#include "sim/base/text.h"
#include "sim/cli/command.h"
#include "sim/cli/screen.h"

#include <string.h>

#define WIDTH 120

static void print(const struct comparison *comparison, struct cli *cli, const struct screen *screen)
{
    if (!cli_given(cli, OPT_JSON)) {
        comparison_table(comparison, cli->out, screen->columns);
        comparison_charts(comparison, cli->out, screen->spark, screen->columns);
        return;
    }
    struct json json;
    json_init(&json, cli->out, 1);
    comparison_json(comparison, &json);
    out_char(cli->out, '\n');
}

int cmd_compare(struct cli *cli)
{
    struct err err = {0};
    const char *alpha = cli_option(cli, OPT_ALPHA), *path = cli_option(cli, OPT_OUTPUT);
    struct comparison_options options = {.alpha = 0.05};
    options.metrics = cli_all(cli, OPT_METRIC, &options.metric_count);
    if (alpha != NULL &&
        !(text_f64(alpha, strlen(alpha), &options.alpha) && options.alpha >= 1e-9 && options.alpha <= 0.5))
        return cli_misuse(cli, "--alpha '%s': expected a probability from 1e-9 to 0.5, such as 0.05", alpha);
    if (path != NULL && !comparison_is_file(path))
        return cli_misuse(cli, "-o '%s': expected a name that ends in .html or .md", path);
    struct screen screen;
    if (!screen_of(&screen, cli, WIDTH, &err))
        return cli_fail(&err);
    struct comparison comparison;
    if (!comparison_open(&comparison, cli->operands[0], cli->operands[1], &options, &err))
        return cli_fail(&err);
    print(&comparison, cli, &screen);
    bool ok = path == NULL || comparison_write(&comparison, path, &err);
    bool differ = !comparison.same_outputs;
    comparison_close(&comparison);
    if (!ok)
        return cli_fail(&err);
    return differ && cli_given(cli, OPT_FAIL_ON_DIFF) ? EXIT_DIFFER : EXIT_OK;
}
