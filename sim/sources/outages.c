/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recorded outages in order of time; see outages.h. */
#include "sim/sources/outages.h"

#include "sim/base/mem.h"
#include "sim/faults/span.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[] = {"outage"};

struct outage_source {
    struct outage *outages; /* by time, then by node */
    size_t count, next;
};

static int compare(const void *left, const void *right)
{
    const struct outage *a = left, *b = right;
    if (a->down_ms != b->down_ms)
        return a->down_ms < b->down_ms ? -1 : 1;
    return a->node < b->node ? -1 : a->node > b->node;
}

static int64_t next_ms(void *self)
{
    const struct outage_source *s = self;
    return s->next < s->count ? s->outages[s->next].down_ms : INT64_MAX;
}

static bool take(void *self, struct sim_fault *out)
{
    struct outage_source *s = self;
    if (s->next == s->count)
        return false;
    const struct outage *o = &s->outages[s->next++];
    int64_t away_ms = o->up_ms == INT64_MAX ? FAULT_SPAN_MOST_MS : o->up_ms - o->down_ms;
    *out = (struct sim_fault){.at_ms = o->down_ms,
                              .effect = SIM_FAULT_KILLS,
                              .nodes = &o->node,
                              .node_count = 1,
                              .device = SIM_ALL_DEVICES,
                              .repair_ms =
                                  away_ms < FAULT_SPAN_MOST_MS ? away_ms : FAULT_SPAN_MOST_MS};
    return true;
}

struct outage_source *outage_source_create(const struct outage *outages, size_t count)
{
    struct outage_source *s = mem_alloc(1, sizeof *s);
    s->outages = mem_alloc(count + 1, sizeof *outages);
    memcpy(s->outages, outages, count * sizeof *outages);
    s->count = count;
    qsort(s->outages, count, sizeof *outages,
          compare); /* a node is down once at a time: none are equal */
    return s;
}

void outage_source_destroy(struct outage_source *s)
{
    if (s == NULL)
        return;
    free(s->outages);
    free(s);
}

struct sim_faults outage_source_faults(struct outage_source *s)
{
    return (struct sim_faults){
        .self = s, .next_ms = next_ms, .take = take, .classes = names, .class_count = 1};
}
