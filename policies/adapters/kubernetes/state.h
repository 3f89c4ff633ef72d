/* SPDX-License-Identifier: MIT */
/*
 * What the extender knows of the cluster: the last snapshot, as text, and what it has bound since. A binding counts until a
 * snapshot comes in which its pod does not wait any more (or is not there).
 */
#ifndef POLICIES_ADAPTERS_KUBERNETES_STATE_H
#define POLICIES_ADAPTERS_KUBERNETES_STATE_H

#include "sim/base/err.h"

#include <stdbool.h>
#include <stddef.h>

#define STATE_MOST_BINDINGS 4096 /* remembered; the oldest are forgotten */

struct state_binding {
    const char *space, *pod, *uid, *node; /* uid "": not known */
};

struct state_kept { /* the same, owned */
    char *space, *pod, *uid, *node;
};

struct state {
    char *text; /* a snapshot of fauxfleet; NULL: none yet */
    size_t n;
    struct state_kept *bindings; /* a ring: the next one goes to `next` */
    size_t count, next;
};

/* A new state from a snapshot or what kubectl prints, with the bindings of the old one that still count. */
bool state_parse(struct state *, const struct state *old, const char *name, const char *text, size_t n,
                 struct err *);
bool state_load(struct state *, const struct state *old, const char *path, struct err *);
void state_replace(struct state *, struct state *by); /* which is empty then */
void state_fini(struct state *);                      /* a zeroed one is fine */

/* Appends a Binding object as one line to a file. */
bool state_append(const struct state_binding *, const char *path, struct err *);

/* A new state in which the pod runs on the node; false when the old one knows no such pod that waits, or no such node. */
bool state_bind(struct state *, const struct state *old, const struct state_binding *);

#endif
