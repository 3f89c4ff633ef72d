/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The catalogue of nodes: the embedded files nodes-*.json, read through the same schema as scenarios. What is
 * handed out is one piece of memory, the rows and behind them their texts.
 */
#include "scenarios/embedded.h"
#include "scenarios/fill.h"
#include "scenarios/resolve.h"
#include "sim/base/mem.h"

#include <stdlib.h>
#include <string.h>

/* Moves the nodes of one file into the object `all`. */
static bool read_file(cJSON *all, const struct embedded_file *file, struct err *err)
{
    struct json_source source;
    if (!json_source_parse(&source, file->name, (const char *)file->bytes, file->size, err))
        return false;
    struct check check = {.where = check_where_file, .of = &source, .whole = true, .err = err};
    bool ok = check_value(&check, &schema_catalog, source.root);
    if (ok) {
        cJSON *resolved = resolve_value(source.root, &schema_catalog), *node;
        cJSON *nodes = json_member(resolved, "nodes");
        while (ok && (node = nodes->child)) {
            if (json_member(all, node->string))
                ok = err_set(err, EXIT_INPUT, "%s: there are two nodes '%s'", file->name, node->string);
            else
                cJSON_AddItemToObject(all, node->string, cJSON_DetachItemViaPointer(nodes, node));
        }
        cJSON_Delete(resolved);
    }
    json_source_close(&source);
    return ok;
}

static const char *copy_text(char **room, const char *text)
{
    size_t n = strlen(text) + 1;
    char *copy = memcpy(*room, text, n);
    *room += n;
    return copy;
}

static struct scen_node *pack(const cJSON *all, size_t count)
{
    size_t size = count * sizeof(struct scen_node), i = 0;
    for (const cJSON *entry = all->child; entry; entry = entry->next) {
        struct scen_node node = fill_node(entry, entry->string);
        size += strlen(node.name) + strlen(node.summary) + strlen(node.gpu_type) + 3;
    }
    struct scen_node *nodes = mem_alloc(1, size);
    char *room = (char *)(nodes + count);
    for (const cJSON *entry = all->child; entry; entry = entry->next, i++) {
        nodes[i] = fill_node(entry, entry->string);
        nodes[i].name = copy_text(&room, nodes[i].name);
        nodes[i].summary = copy_text(&room, nodes[i].summary);
        nodes[i].gpu_type = copy_text(&room, nodes[i].gpu_type);
    }
    return nodes;
}

bool catalog_nodes(struct scen_node **nodes, size_t *count, struct err *err)
{
    cJSON *all = cJSON_CreateObject();
    bool ok = true;
    for (unsigned i = 0; i < embedded_file_count && ok; i++) {
        if (strncmp(embedded_files[i].name, "nodes-", 6) == 0)
            ok = read_file(all, &embedded_files[i], err);
    }
    if (ok) {
        *count = (size_t)cJSON_GetArraySize(all);
        *nodes = pack(all, *count);
    }
    cJSON_Delete(all);
    return ok;
}

void catalog_free(struct scen_node *nodes, size_t count)
{
    (void)count;
    free(nodes);
}
