/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kinds of nodes; see cluster_internal.h. */
#include "sim/base/symbols.h"
#include "sim/init/cluster_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define MOST_GPUS  64
#define MOST_NODES 4194304 /* per pool, as in the schema */
#define SHOWN      80

bool cluster_fail(const struct cluster_reading *r, struct err *err, const char *key,
                  const char *value, size_t n, const char *expected)
{
    char line[24] = "";
    if (r->line > 0)
        (void)snprintf(line, sizeof line, ":%zu", r->line);
    return err_set(err, EXIT_INPUT, "%s%s: %s '%.*s', expected %s", r->name, line, key,
                   (int)(n < SHOWN ? n : SHOWN), value, expected);
}

static struct init_kind *kind_of(struct init_cluster *c, const struct cluster_nodes *add)
{
    for (size_t i = 0; i < c->kind_count; i++)
        if (c->kinds[i].gpus == add->gpus && strcmp(c->kinds[i].type, add->type) == 0)
            return &c->kinds[i];
    if (c->kind_count == INIT_KINDS)
        return NULL;
    struct init_kind *kind = &c->kinds[c->kind_count++];
    *kind = (struct init_kind){.gpus = add->gpus};
    (void)snprintf(kind->type, sizeof kind->type, "%s", add->type);
    return kind;
}

/* True when a node of that name has not been seen before. */
static bool is_new(struct init_cluster *c, const struct cluster_nodes *add)
{
    if (add->length == 0)
        return true;
    if (c->counted == NULL)
        c->counted = symbols_create();
    uint32_t before = symbols_count(c->counted);
    return symbols_add(c->counted, add->name, add->length) == before;
}

bool cluster_add(struct cluster_reading *r, const struct cluster_nodes *add, struct err *err)
{
    struct init_cluster *c = r->cluster;
    char gpus[24];
    int n = snprintf(gpus, sizeof gpus, "%" PRId64, add->gpus);
    if (add->gpus < 0 || add->gpus > MOST_GPUS)
        return cluster_fail(r, err, "GPUs", gpus, (size_t)n, "at most 64 on one node");
    if (!is_new(c, add))
        return true;
    if (add->gpus == 0) {
        c->without_gpus += add->nodes;
        return true;
    }
    struct init_kind *kind = kind_of(c, add);
    if (kind == NULL)
        return cluster_fail(r, err, "kind of node", add->type, strlen(add->type),
                            "at most 32 kinds (GPU type and number)");
    kind->nodes += add->nodes;
    return kind->nodes <= MOST_NODES ||
           cluster_fail(r, err, "kind of node", add->type, strlen(add->type),
                        "at most 4194304 nodes of it");
}

bool cluster_add_gres(struct cluster_reading *r, struct cluster_nodes *add, const char *gres,
                      size_t n, struct err *err)
{
    char copy[512], type[GRES_TYPE];
    (void)snprintf(copy, sizeof copy, "%.*s", (int)(n < sizeof copy ? n : sizeof copy - 1), gres);
    add->gpus = gres_gpus(copy, type);
    add->type = type;
    if (add->gpus > MOST_GPUS)
        return cluster_fail(r, err, "Gres", gres, n, "at most 64 GPUs on one node");
    return cluster_add(r, add, err);
}

void init_cluster_fini(struct init_cluster *c)
{
    symbols_destroy(c->counted);
}
