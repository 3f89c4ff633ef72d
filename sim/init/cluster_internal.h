/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the readers of cluster.h. */
#ifndef SIM_INIT_CLUSTER_INTERNAL_H
#define SIM_INIT_CLUSTER_INTERNAL_H

#include "sim/init/cluster.h"

#include <stdbool.h>

/* The place in a file, for messages. */
struct cluster_reading {
    struct init_cluster *cluster;
    const char *name; /* of the file */
    size_t line;      /* 0: of no line */
};

/* Nodes: a named one, which counts once however often it is listed, or `nodes` without names
 * (name "", of `length` 0). */
struct cluster_nodes {
    const char *name;
    size_t length;
    int64_t nodes;
    const char *type;
    int64_t gpus;
};

/* Sets err to "FILE:LINE: KEY 'VALUE', expected EXPECTED"; returns false. */
bool cluster_fail(const struct cluster_reading *, struct err *err, const char *key,
                  const char *value, size_t n, const char *expected);
bool cluster_add(struct cluster_reading *, const struct cluster_nodes *, struct err *err);

/* The same with generic resources such as "gpu:a100:8(S:0-1)". */
bool cluster_add_gres(struct cluster_reading *, struct cluster_nodes *, const char *gres, size_t n,
                      struct err *err);

bool cluster_is_sinfo(const char *text);
bool cluster_read_sinfo(struct cluster_reading *, const char *text, struct err *err);
bool cluster_is_accounts(const char *text);
bool cluster_read_accounts(struct cluster_reading *, const char *text, struct err *err);
bool cluster_read_json(struct cluster_reading *, const char *text, struct err *err);

#endif
