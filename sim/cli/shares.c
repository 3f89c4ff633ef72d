/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `fauxfleet shares QUEUES.json`: the fair-share division alone. */
#include "scenarios/snapshot/share_input.h"
#include "sim/base/json.h"
#include "sim/policy/memory.h"
#include "sim/program/command.h"

static void amounts(struct json *j, const char *key, const struct policy_amounts *of)
{
    json_begin_object(j, key);
    json_i64(j, "gpu", of->gpu);
    json_i64(j, "cpu", of->cpu);
    json_i64(j, "mem", of->mem);
    json_end_object(j);
}

static void print(const struct share_input *input, struct out *out)
{
    struct json j;
    json_init(&j, out, 1);
    json_begin_object(&j, NULL);
    json_begin_array(&j, "queues");
    for (size_t i = 0; i < input->queue_count; i++) {
        json_begin_object(&j, NULL);
        j.indent = 0;
        json_text(&j, "name", input->queues[i].name);
        amounts(&j, "fair_share", &input->fair_share[i]);
        json_end_object(&j);
        j.indent = 1;
    }
    json_end_array(&j);
    amounts(&j, "remaining", &input->remaining);
    json_end_object(&j);
    out_char(out, '\n');
}

/* A queue whose parent is missing gets nothing, which is hardly intended. */
static void note_lost(const struct share_input *input)
{
    for (size_t i = 0; i < input->queue_count; i++) {
        const struct snap_queue *queue = &input->queues[i];
        if (queue->lost && queue->parent_index == SNAP_NONE)
            cli_note("%s: queue '%s' is dropped with all queues below it: there is no queue '%s'",
                     input->file, queue->name, queue->parent);
    }
}

int cmd_shares(struct cli *cli)
{
    struct err err = {0};
    struct share_input *input = NULL;
    bool ok = share_input_load(&input, cli->operands[0], &err);
    if (ok)
        note_lost(input);
    ok = ok && share_input_divide(input, policy_memory(), &err);
    if (ok)
        print(input, cli->out);
    share_input_destroy(input);
    return ok ? EXIT_OK : cli_fail(&err);
}
