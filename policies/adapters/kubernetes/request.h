/* SPDX-License-Identifier: MIT */
/* What the scheduler asks, taken apart. Everything points into the body's tree, which lives as long as the request. */
#ifndef POLICIES_ADAPTERS_KUBERNETES_REQUEST_H
#define POLICIES_ADAPTERS_KUBERNETES_REQUEST_H

#include "scenarios/json_source.h"

struct request {
    struct json_source source;
    const cJSON *pod;
    const cJSON *nodes;   /* list of Node objects, or NULL: names only (nodeCacheCapable) */
    const cJSON *victims; /* by name of the node; whole pods or uids */
    bool whole;           /* pods */
    const char **names;   /* of the nodes that are asked about, in the order of the request, each once */
    size_t count;
};

/* Any member in any case; NULL when it is absent or null. */
const cJSON *request_member(const cJSON *object, const char *key);
const char *request_text(const cJSON *object, const char *key); /* "" unless a text */

/* Reads the body; with a pod and nodes unless `bare`. False with err set. To be closed in any case. */
bool request_open(struct request *, const char *body, size_t n, bool bare, struct err *);
void request_close(struct request *);

#endif
