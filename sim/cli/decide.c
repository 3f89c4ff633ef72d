/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `fauxfleet decide SNAPSHOT.json`: the policy's decisions for a cluster now, as one JSON object
 * per cycle. */
#include "sim/ask/decide_case.h"
#include "sim/ask/kubectl_plan.h"
#include "sim/policy/plugins.h"

#include <stdlib.h>

static void print_pending(const struct dry_run *run, struct json *j)
{
    json_begin_array(j, "pending");
    for (size_t i = 0; i < run->s->job_count; i++) {
        struct pending pending;
        if (!dry_run_pending(run, &run->s->jobs[i], &pending))
            continue;
        char *detail = pending_detail(&pending);
        json_begin_object(j, NULL);
        j->indent = 0;
        json_text(j, "job", run->s->jobs[i].id);
        json_text(j, "reason", pending.reason);
        json_text(j, "detail", detail);
        json_end_object(j);
        j->indent = 1;
        free(detail);
        pending_fini(&pending);
    }
    json_end_array(j);
}

/* Unlimited if not modelled. */
static int64_t shown(int64_t amount)
{
    return amount > INT64_MAX / 8 ? POLICY_UNLIMITED : amount;
}

static void print_amounts(struct json *j, const char *key, const struct policy_amounts *amounts)
{
    json_begin_object(j, key);
    json_i64(j, "gpu", shown(amounts->gpu));
    json_i64(j, "cpu", shown(amounts->cpu));
    json_i64(j, "mem", shown(amounts->mem));
    json_end_object(j);
}

/* A policy without fair share has no shares, and neither has a queue that was dropped. */
static void print_queues(const struct dry_run *run, struct json *j)
{
    json_begin_array(j, "queues");
    for (size_t i = 0; i < run->s->queue_count; i++) {
        const struct dry_run_queue *queue = &run->queues[i];
        json_begin_object(j, NULL);
        j->indent = 0;
        json_text(j, "name", run->s->queues[i].name);
        if (queue->known) {
            print_amounts(j, "fair_share", &queue->info.fair_share);
            print_amounts(j, "allocated", &queue->info.allocated);
        } else {
            json_null(j, "fair_share");
            json_null(j, "allocated");
        }
        json_end_object(j);
        j->indent = 1;
    }
    json_end_array(j);
}

static void print_nodes(const struct dry_run *run, struct json *j)
{
    json_begin_array(j, "nodes");
    for (size_t i = 0; i < run->s->node_count; i++) {
        const struct dry_run_node *node = &run->nodes[i];
        json_begin_object(j, NULL);
        j->indent = 0;
        json_text(j, "name", run->s->nodes[i].name);
        if (node->known) {
            json_i64(j, "gpus_idle", node->info.idle);
            json_i64(j, "gpus_releasing", node->info.releasing);
        } else {
            json_null(j, "gpus_idle");
            json_null(j, "gpus_releasing");
        }
        json_end_object(j);
        j->indent = 1;
    }
    json_end_array(j);
}

static void print_cycle(const struct dry_run *run, uint64_t cycle, struct out *out)
{
    struct json j;
    json_init(&j, out, 1);
    json_begin_object(&j, NULL);
    json_text(&j, "policy", plugin_name_of(run->policy_name));
    json_u64(&j, "cycle", cycle);
    json_begin_array(&j, "decisions");
    for (size_t i = 0; i < run->decision_count; i++)
        dry_run_print(run, &run->decisions[i], &j);
    dry_run_print_orders(run, &j);
    json_end_array(&j);
    print_pending(run, &j);
    print_queues(run, &j);
    print_nodes(run, &j);
    json_end_object(&j);
    out_char(out, '\n');
}

static int check_case(struct cli *cli)
{
    struct err err = {0};
    bool same = false;
    if (!decide_case_check(cli, cli->operands[0], cli->out, &same, &err))
        return cli_fail(&err);
    return same ? EXIT_OK : EXIT_DIFFER;
}

int cmd_decide(struct cli *cli)
{
    struct err err = {0};
    struct dry_run run;
    uint64_t cycles = cli_number(cli, OPT_CYCLES, 1);
    const char *save = cli_option(cli, OPT_SAVE_CASE);
    if (cycles > 1 && (save != NULL || cli_given(cli, OPT_CHECK_CASE)))
        return cli_misuse(cli, "a case has one cycle: --cycles does not go with it");
    if (cli_given(cli, OPT_CHECK_CASE))
        return save == NULL ? check_case(cli)
                            : cli_misuse(cli, "--save-case and --check-case do not go together");
    enum kubectl_form form;
    if (!kubectl_form(cli_option(cli, OPT_EMIT), &form, &err))
        return cli_fail(&err);
    if (form != KUBECTL_NONE && cycles > 1)
        return cli_misuse(cli,
                          "--emit prints the plan of one cycle: a later one needs a new snapshot");
    bool ok = dry_run_open(&run, cli, &err);
    for (uint64_t cycle = 1; ok && cycle <= cycles; cycle++) {
        ok =
            dry_run_decide(&run, &err) && (save == NULL || decide_case_save(&run, cli, save, &err));
        if (ok && form != KUBECTL_NONE)
            ok = kubectl_plan(&run, form, cli_data(cli), &err);
        else if (ok)
            print_cycle(&run, cycle, cli->out);
        if (ok && cycle < cycles)
            ok = dry_run_apply(&run, &err);
    }
    dry_run_close(&run);
    return ok ? EXIT_OK : cli_fail(&err);
}
