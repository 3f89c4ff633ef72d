/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A scenario without a log; see fresh.h. */
#include "sim/init/fresh.h"

#include <inttypes.h>

/* Quotas add up to the GPUs: the first teams have one more. */
static void write_queues(struct out *out, int64_t gpus, int64_t teams)
{
    out_text(out, " \"queues\": [\n");
    for (int64_t i = 0; i < teams; i++)
        out_format(out, "  {\"name\": \"team-%" PRId64 "\", \"gpu\": {\"quota\": %" PRId64 "}}%s\n",
                   i + 1, gpus / teams + (i < gpus % teams), i + 1 < teams ? "," : "");
    out_text(out, " ],\n");
}

static void write_workload(struct out *out, int64_t gpus, int64_t teams)
{
    out_format(out,
               " // load: GPU time of the jobs as a share of the GPUs\n"
               " \"workload\": {\"generate\": {\n"
               "  \"profile\": \"teams\", \"gpus\": %" PRId64
               ", \"horizon\": \"14d\", \"load\": 0.85,\n"
               "  \"teams\": [\n",
               gpus);
    for (int64_t i = 0; i < teams; i++)
        out_format(out, "   {\"queue\": \"team-%" PRId64 "\"}%s\n", i + 1,
                   i + 1 < teams ? "," : "");
    out_text(out, "  ]\n }},\n");
}

void init_fresh_write(struct out *out, const struct scen_node *node, int64_t nodes, int64_t teams)
{
    int64_t gpus = nodes * node->gpus;
    out_format(out,
               "// Made by 'fauxfleet init' without a log: two weeks of generated jobs.\n"
               "{\n \"fauxfleet_scenario\": 1,\n"
               " \"fleet\": {\"pools\": [{\"name\": \"main\", \"node\": \"%s\", \"count\": %" PRId64
               "}]},\n",
               node->name, nodes);
    write_queues(out, gpus, teams);
    write_workload(out, gpus, teams);
    out_text(out, " \"policy\": {\"name\": \"runai\"},\n"
                  " \"window\": {\"horizon\": \"14d\"}\n}\n");
}
