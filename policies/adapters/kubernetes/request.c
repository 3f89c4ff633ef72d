/* SPDX-License-Identifier: MIT */
/* Reading requests of the scheduler; see request.h. */
#include "policies/adapters/kubernetes/request.h"

#include "sim/base/mem.h"
#include "sim/base/symbols.h"

#include <stdlib.h>
#include <string.h>

#define MOST_NODES 100000 /* of one request: what a snapshot may list for one label */

const cJSON *request_member(const cJSON *object, const char *key)
{
    const cJSON *member = cJSON_GetObjectItem(object, key);
    return cJSON_IsNull(member) ? NULL : member;
}

const char *request_text(const cJSON *object, const char *key)
{
    const char *text = cJSON_GetStringValue(request_member(object, key));
    return text ? text : "";
}

static bool add_name(struct request *r, struct symbols *seen, const char *name, size_t *capacity,
                     struct err *err)
{
    if (!name || *name == '\0')
        return err_set(err, EXIT_INPUT, "request: a node without a name");
    uint32_t before = symbols_count(seen);
    if (symbols_add(seen, name, strlen(name)) < before)
        return true;
    if (r->count == MOST_NODES)
        return err_set(err, EXIT_INPUT, "request: more than %d nodes", MOST_NODES);
    r->names = mem_grow(r->names, capacity, r->count + 1, sizeof *r->names);
    r->names[r->count++] = name;
    return true;
}

static bool add_names(struct request *r, const cJSON *names, struct err *err)
{
    struct symbols *seen = symbols_create();
    const cJSON *item, *list = r->nodes ? r->nodes : names ? names : r->victims;
    size_t capacity = 0;
    bool ok = true;
    cJSON_ArrayForEach(item, list)
    {
        const char *name = r->nodes ? request_text(request_member(item, "metadata"), "name")
                           : names  ? cJSON_GetStringValue(item)
                                    : item->string;
        ok = ok && add_name(r, seen, name, &capacity, err);
    }
    symbols_destroy(seen);
    return ok;
}

bool request_open(struct request *r, const char *body, size_t n, bool bare, struct err *err)
{
    *r = (struct request){.count = 0};
    if (!json_source_parse(&r->source, "request", body, n, err))
        return false;
    const cJSON *root = r->source.root, *names = request_member(root, "NodeNames");
    if (!cJSON_IsObject(root))
        return err_set(err, EXIT_INPUT, "request: expected an object");
    if (bare)
        return true;
    const cJSON *whole = request_member(root, "NodeNameToVictims");
    r->pod = request_member(root, "Pod");
    r->nodes = request_member(request_member(root, "Nodes"), "items");
    r->victims = whole ? whole : request_member(root, "NodeNameToMetaVictims");
    r->whole = whole != NULL;
    if (!cJSON_IsObject(r->pod))
        return err_set(err, EXIT_INPUT, "request: expected a Pod");
    if ((r->nodes && !cJSON_IsArray(r->nodes)) || (names && !cJSON_IsArray(names)) ||
        (r->victims && !cJSON_IsObject(r->victims)) || (!r->nodes && !names && !r->victims))
        return err_set(
            err, EXIT_INPUT,
            "request: expected Nodes.items, NodeNames, NodeNameToVictims or NodeNameToMetaVictims");
    return add_names(r, names, err);
}

void request_close(struct request *r)
{
    free(r->names);
    json_source_close(&r->source);
    *r = (struct request){.count = 0};
}
