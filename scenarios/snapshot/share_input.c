/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the file of `shares` with the snapshot reader, and divides by the policy core. */
#include "scenarios/snapshot/share_input.h"

#include "scenarios/snapshot/internal.h"
#include "sim/base/mem.h"

#include <stdlib.h>

struct share_reader {
    struct share_input input; /* first: the public part */
    struct snap_reader *reader;
};

static struct policy_amounts amounts(const cJSON *from)
{
    return (struct policy_amounts){snap_integer(from, "gpu", 0), snap_integer(from, "cpu", 0),
                                   snap_integer(from, "mem", 0)};
}

static bool read_all(struct share_reader *shares)
{
    struct snap_reader *reader = shares->reader;
    if (!snap_check(reader, &schema_shares) ||
        !snap_read_queues(reader, json_member(reader->tree, "queues")))
        return false;
    int64_t k_ppm = snap_scaled(reader->tree, "usage_k", 1e6);
    shares->input = (struct share_input){
        .file = reader->source.name,
        .capacity = amounts(json_member(reader->tree, "capacity")),
        .usage_k_ppm = k_ppm > 0 ? k_ppm : 0,
        .queues = reader->s.queues,
        .queue_count = reader->s.queue_count,
        .fair_share = snap_alloc(reader, reader->s.queue_count, sizeof *shares->input.fair_share),
    };
    reader->err = NULL;
    return true;
}

static struct share_reader *start(struct err *err)
{
    struct share_reader *shares = mem_alloc(1, sizeof *shares);
    shares->reader = mem_alloc(1, sizeof *shares->reader);
    shares->reader->err = err;
    return shares;
}

static bool finish(struct share_input **input, struct share_reader *shares, bool opened)
{
    if (opened && read_all(shares)) {
        *input = &shares->input;
        return true;
    }
    share_input_destroy(&shares->input);
    return false;
}

bool share_input_load(struct share_input **input, const char *path, struct err *err)
{
    struct share_reader *shares = start(err);
    return finish(input, shares,
                  json_source_open_max(&shares->reader->source, path, SNAPSHOT_MAX_BYTES, err));
}

bool share_input_parse(struct share_input **input, const char *name, const char *text, size_t n,
                       struct err *err)
{
    struct share_reader *shares = start(err);
    return finish(input, shares, json_source_parse(&shares->reader->source, name, text, n, err));
}

void share_input_destroy(struct share_input *input)
{
    if (!input)
        return;
    struct share_reader *shares = (struct share_reader *)(void *)input;
    snap_close(shares->reader);
    free(shares);
}

/*
 * Rows are ordered with parents first and siblings by name, which breaks ties between queues of
 * equal age.
 */
bool share_input_divide(struct share_input *input, struct policy_allocator allocator,
                        struct err *err)
{
    const struct snapshot *s = &((struct share_reader *)(void *)input)->reader->s;
    struct policy_share_row *rows = mem_alloc(s->queue_count + 1, sizeof *rows);
    uint32_t *row_of = mem_alloc(s->queue_count + 1, sizeof *row_of), count = 0;
    for (size_t i = 0; i < s->queue_count; i++) {
        size_t index = s->queue_order[i];
        const struct snap_queue *queue = &s->queues[index];
        if (queue->lost)
            continue;
        row_of[index] = count;
        rows[count++] = (struct policy_share_row){
            .size = sizeof *rows,
            .parent = queue->parent_index == SNAP_NONE ? POLICY_NO_ID : row_of[queue->parent_index],
            .priority = queue->priority,
            .created = queue->created_ms,
            .gpu = queue->gpu,
            .cpu = queue->cpu,
            .mem = queue->mem,
            .request = queue->request,
            .usage_ppm = queue->usage_ppm,
        };
    }
    int status = policy_divide(allocator, &input->capacity, input->usage_k_ppm, rows, count,
                               &input->remaining);
    for (size_t i = 0; i < s->queue_count; i++) {
        if (!s->queues[i].lost)
            input->fair_share[i] = rows[row_of[i]].fair_share;
    }
    free(row_of);
    free(rows);
    return status == POLICY_OK ||
           err_set(err, status == POLICY_NO_MEMORY ? EXIT_INTERNAL : EXIT_INPUT,
                   status == POLICY_NO_MEMORY ? "%s: out of memory"
                                              : "%s: amounts are too large to be divided",
                   input->file);
}
