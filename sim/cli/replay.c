/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `fauxfleet replay JOURNAL`: repeats the decisions of a journal, and reports where they differ. */
#include "sim/replay/replay.h"
#include "sim/base/escape.h"
#include "sim/program/command.h"
#include "sim/replay/simulate.h"

#include "sim/base/json.h"

#include <inttypes.h>

static void print_difference(const struct replay_difference *d, struct out *out)
{
    if (!d->found) {
        out_text(out, "  verdict      the same decisions\n");
        return;
    }
    escape_format(out,
                  "  verdict      another decision, first at t_ms %" PRId64 " (line %" PRIu64 ")\n",
                  d->at, d->line);
    escape_format(out, "  recorded     %s\n", d->recorded != NULL ? d->recorded : "nothing (more)");
    if (d->recorded_why != NULL)
        escape_format(out, "    recorded policy   %s\n", d->recorded_why);
    escape_format(out, "  replayed     %s\n", d->replayed != NULL ? d->replayed : "nothing (more)");
    if (d->replayed_why != NULL)
        escape_format(out, "    replayed policy   %s\n", d->replayed_why);
}

static void print_table(const struct cli *cli, const struct replay_result *r)
{
    struct out *out = cli->out;
    bool other = cli_given(cli, OPT_POLICY);
    escape_format(out,
                  "  journal      %s: policy %s, %" PRIu64 " facts, %" PRIu64 " cycles, %" PRIu64
                  " decisions\n",
                  cli->operands[0], r->recorded_policy, r->facts, r->cycles, r->decisions);
    if (other) {
        escape_format(out,
                      "  asked        policy %s: %" PRIu64 " decisions, %" PRIu64
                      " of them as recorded; %" PRIu64 " cycles are equal\n",
                      r->policy, r->answered, r->equal_decisions, r->equal_cycles);
        escape_format(out, "  not taken    %" PRIu64 " facts%s%s\n", r->refused,
                      r->first_refused != NULL ? ", the first " : "",
                      r->first_refused != NULL ? r->first_refused : "");
    }
    print_difference(&r->difference, out);
}

static void print_json(const struct cli *cli, const struct replay_result *r)
{
    const struct replay_difference *d = &r->difference;
    struct json j;
    json_init(&j, cli->out, 1);
    json_begin_object(&j, NULL);
    json_text(&j, "journal", cli->operands[0]);
    json_text(&j, "recorded_policy", r->recorded_policy);
    json_text(&j, "policy", r->policy);
    json_bool(&j, "equal", !d->found);
    json_u64(&j, "facts", r->facts);
    json_u64(&j, "cycles", r->cycles);
    json_u64(&j, "equal_cycles", r->equal_cycles);
    json_u64(&j, "recorded_decisions", r->decisions);
    json_u64(&j, "decisions", r->answered);
    json_u64(&j, "equal_decisions", r->equal_decisions);
    json_u64(&j, "refused_facts", r->refused);
    json_text(&j, "first_refused", r->first_refused);
    json_u64(&j, "torn_bytes", r->torn);
    json_u64(&j, "cut_decisions", r->cut_decisions);
    if (d->found) {
        json_begin_object(&j, "first_difference");
        json_u64(&j, "line", d->line);
        json_i64(&j, "t_ms", d->at);
        json_text(&j, "recorded", d->recorded);
        json_text(&j, "recorded_why", d->recorded_why);
        json_text(&j, "replayed", d->replayed);
        json_text(&j, "replayed_why", d->replayed_why);
        json_end_object(&j);
    } else {
        json_null(&j, "first_difference");
    }
    json_end_object(&j);
    out_char(cli->out, '\n');
}

/* The first option given that requires --simulate; OPT_COUNT: none. */
static enum option_id for_simulation(const struct cli *cli)
{
    static const enum option_id ids[] = {OPT_OUTPUT, OPT_EVICTED, OPT_SET, OPT_SEED, OPT_AUDIT};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
        if (cli_given(cli, ids[i]))
            return ids[i];
    return OPT_COUNT;
}

int cmd_replay(struct cli *cli)
{
    struct err err = {0};
    struct replay_result result;
    if (cli_given(cli, OPT_SIMULATE))
        return replay_simulate(cli);
    if (for_simulation(cli) != OPT_COUNT)
        return cli_misuse(cli, "--%s goes with --simulate", option_rows[for_simulation(cli)].name);
    bool ok = replay(&result, cli->operands[0], cli_option(cli, OPT_POLICY), &err);
    if (ok && result.torn > 0)
        cli_note("%s: the last line is incomplete: %zu bytes are skipped", cli->operands[0],
                 result.torn);
    if (ok && result.cut_decisions > 0)
        cli_note("%s: the last cycle is not whole: its %" PRIu64 " decisions are not compared",
                 cli->operands[0], result.cut_decisions);
    if (ok)
        (cli_given(cli, OPT_JSON) ? print_json : print_table)(cli, &result);
    int code = !ok ? cli_fail(&err) : result.difference.found ? EXIT_DIFFER : EXIT_OK;
    replay_result_free(&result);
    return code;
}
