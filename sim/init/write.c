/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writing a proposal; see write.h. Names of the log stand in JSON texts only, never in comments. */
#include "sim/init/write.h"

#include "sim/base/json.h"
#include "sim/base/mem.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void write_pool(struct out *out, const struct init_pool *pool, bool last)
{
    out_text(out, "  {\"name\": ");
    json_quoted(out, pool->name);
    out_text(out, ", \"node\": ");
    if (pool->node != NULL) {
        json_quoted(out, pool->node);
    } else {
        out_format(out, "{\"gpus\": %" PRId64, pool->gpus);
        if (pool->type != NULL) {
            out_text(out, ", \"gpu_type\": ");
            json_quoted(out, pool->type);
        }
        out_char(out, '}');
    }
    out_format(out, ", \"count\": %" PRId64 "}%s\n", pool->nodes, last ? "" : ",");
}

void init_write_fleet(struct out *out, const struct init_proposal *p)
{
    out_text(out, " \"fleet\": {\"pools\": [\n");
    for (size_t i = 0; i < p->pool_count; i++)
        write_pool(out, &p->pools[i], i + 1 == p->pool_count);
    out_text(out, " ]},\n");
}

static void write_factor(struct out *out, const struct init_factor *factor)
{
    out_format(out, "\"%s\": ", factor->option);
    if (factor->is_flag)
        out_text(out, factor->value != 0 ? "true" : "false");
    else
        out_i64(out, factor->value);
}

void init_write_policy(struct out *out, const struct init_proposal *p)
{
    out_format(out, " \"policy\": {\"name\": \"%s\"", p->policy);
    if (p->skips)
        out_text(out, ", \"options\": {\"blocking\": \"skip\"}");
    for (size_t i = 0; p->cluster != NULL && i < p->cluster->factor_count; i++) {
        out_text(out, i == 0 ? ", \"options\": {\n  " : ",\n  ");
        write_factor(out, &p->cluster->factors[i]);
    }
    out_text(out, p->cluster != NULL ? "}},\n" : "},\n");
}

static void write_queues(struct out *out, const struct init_proposal *p)
{
    out_text(out, " \"queues\": [\n");
    for (size_t i = 0; i < p->queue_count; i++) {
        out_text(out, "  {\"name\": ");
        json_quoted(out, p->queues[i].name);
        out_format(out, ", \"gpu\": {\"quota\": %" PRId64, p->queues[i].quota);
        if (p->queues[i].limit >= 0)
            out_format(out, ", \"limit\": %" PRId64, p->queues[i].limit);
        out_format(out, "}}%s\n", i + 1 < p->queue_count ? "," : "");
    }
    out_text(out, " ],\n");
}

/* Run times belong to the nodes of the log, whatever the fleet becomes. Jobs of several kinds of
 * nodes do not say which they ran on. */
static void write_recorded_on(struct out *out, const struct init_proposal *p)
{
    if (p->pool_count != 1 || p->pools[0].node == NULL)
        return;
    out_text(out, ", \"recorded_on\": ");
    json_quoted(out, p->pools[0].node);
}

static void write_workload(struct out *out, const struct init_proposal *p,
                           const struct init_source *source)
{
    out_text(out, " \"workload\": {\"trace\": ");
    json_quoted(out, source->trace);
    write_recorded_on(out, p);
    if (source->format != NULL) {
        out_text(out, ", \"format\": ");
        json_quoted(out, source->format);
    }
    for (size_t i = 0; i < source->option_count; i++) {
        const char *equals = strchr(source->options[i], '=');
        char *key = mem_text_n(source->options[i], (size_t)(equals - source->options[i]));
        out_text(out, i == 0 ? ", \"options\": {" : ", ");
        json_quoted(out, key);
        out_text(out, ": ");
        json_quoted(out, equals + 1);
        free(key);
    }
    out_text(out, source->option_count > 0 ? "}},\n" : "},\n");
}

void init_write(struct out *out, const struct init_proposal *p, const struct init_log *log,
                const struct init_source *source)
{
    out_format(out,
               "// Made by 'fauxfleet init' from a log (jobs: %" PRIu64 ", with GPUs: %" PRIu64
               "). What it does not say was guessed:\n",
               log->jobs, log->gpu_jobs);
    for (size_t i = 0; i < p->guess_count; i++)
        out_format(out, "//  - %s\n", p->guesses[i]);
    out_text(out, "{\n \"fauxfleet_scenario\": 1,\n");
    init_write_fleet(out, p);
    write_queues(out, p);
    write_workload(out, p, source);
    init_write_policy(out, p);
    out_format(out, " \"window\": {\"warmup\": \"%" PRId64 "h\"}\n}\n", p->warmup_h);
}
