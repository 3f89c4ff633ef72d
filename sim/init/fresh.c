/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A scenario without a log; see fresh.h. */
#include "sim/init/fresh.h"

#include "sim/init/write.h"

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

void init_fresh_write(struct out *out, const struct init_proposal *p, int64_t teams)
{
    int64_t gpus = init_gpus(p);
    out_text(out, "// Made by 'fauxfleet init' without a log: two weeks of generated jobs.\n");
    for (size_t i = 0; i < p->guess_count; i++)
        out_format(out, "//  - %s\n", p->guesses[i]);
    out_text(out, "{\n \"fauxfleet_scenario\": 1,\n");
    init_write_fleet(out, p);
    write_queues(out, gpus, teams);
    write_workload(out, gpus, teams);
    init_write_policy(out, p);
    out_text(out, " \"window\": {\"horizon\": \"14d\"}\n}\n");
}
