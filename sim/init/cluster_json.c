/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nodes that kubectl, scontrol or sinfo prints as JSON: the importer of snapshots reads them. */
#include "scenarios/import/import.h"
#include "sim/init/cluster_internal.h"

#include <cjson/cJSON.h>
#include <string.h>

static const char *text_of(const cJSON *node, const char *key)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(node, key));
    return text != NULL ? text : "";
}

static bool add_nodes(struct cluster_reading *r, const cJSON *snapshot, struct err *err)
{
    const cJSON *node;
    cJSON_ArrayForEach(node, cJSON_GetObjectItemCaseSensitive(snapshot, "nodes"))
    {
        const cJSON *gpus = cJSON_GetObjectItemCaseSensitive(node, "gpus");
        const char *name = text_of(node, "name");
        struct cluster_nodes add = {name, strlen(name), 1, text_of(node, "gpu_type"),
                                    cJSON_IsNumber(gpus) ? (int64_t)gpus->valuedouble : 0};
        if (!cluster_add(r, &add, err))
            return false;
    }
    return true;
}

bool cluster_read_json(struct cluster_reading *r, const char *text, struct err *err)
{
    struct import *import = import_create();
    bool ok = import_parse(import, r->name, text, strlen(text), err);
    if (ok) {
        struct out *out = out_memory();
        import_print(import, out, NULL);
        cJSON *snapshot = cJSON_Parse(out_memory_text(out, NULL));
        ok = add_nodes(r, snapshot, err);
        cJSON_Delete(snapshot);
        out_discard(out);
    }
    import_destroy(import);
    return ok;
}
