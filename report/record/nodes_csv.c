/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nodes of elastic pools as rows; see nodes_csv.h. */
#include "report/record/nodes_csv.h"

#include "sim/base/mem.h"

#include <stdlib.h>

enum { THERE, ORDERED, OFF };

bool nodes_csv_open(struct nodes_csv *n, const char *dir, struct err *err)
{
    n->out = out_open_in(dir, "nodes.csv", err);
    if (n->out != NULL)
        out_text(n->out, "time_s,pool,node,event,paid_nodes\n");
    return n->out != NULL;
}

/* Nodes beyond the minimum of their pool are off at the start. */
static void begin(struct nodes_csv *n, const struct sim *sim)
{
    const struct fleet *fleet = sim->fleet;
    n->was = mem_alloc(fleet->node_count + 1, sizeof *n->was);
    for (uint32_t i = 0; i < fleet->node_count; i++) {
        const struct sim_elastic_pool *pool = &sim->config.elastic.of_pool[fleet->nodes[i].pool];
        uint32_t place = i - fleet->pools[fleet->nodes[i].pool].first_node;
        n->was[i] = pool->given && place >= pool->least ? OFF : THERE;
    }
}

static void turned(void *self, const struct sim *sim, uint32_t id)
{
    static const char *const events[] = {"there", "ordered", "off"};
    struct nodes_csv *n = self;
    const struct fleet_node *node = &sim->fleet->nodes[id];
    uint8_t is = node->off ? OFF : node->ordered ? ORDERED : THERE;
    if (n->was == NULL)
        begin(n, sim);
    if (n->was[id] == is)
        return;
    n->was[id] = is;
    out_seconds(n->out, sim->now_ms);
    out_char(n->out, ',');
    out_csv(n->out, sim->fleet->pools[node->pool].name);
    out_char(n->out, ',');
    out_csv(n->out, node->name);
    out_format(n->out, ",%s,%u\n", events[is], sim->elastic_book->bills[node->pool].held);
}

struct sim_observer nodes_csv_observer(struct nodes_csv *n)
{
    return (struct sim_observer){.self = n, .turned = turned};
}

void nodes_csv_fini(struct nodes_csv *n)
{
    out_discard(n->out);
    free(n->was);
}
