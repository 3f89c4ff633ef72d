/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The catalogue of nodes: the embedded files nodes-*.json, read with the same schema as scenarios.
 * Its rows are returned as one block of memory: the rows, then their traits, then their texts.
 */
#include "scenarios/catalog/check_node.h"
#include "scenarios/catalog/embedded.h"
#include "scenarios/catalog/node.h"
#include "scenarios/catalog/node_figures.h"
#include "scenarios/schema/node.h"
#include "scenarios/schema/resolve.h"
#include "scenarios/schema/scenario.h"
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
    cJSON *nodes = ok ? json_member(source.root, "nodes") : NULL, *node;
    while (ok && (node = nodes->child)) {
        check.path[0] = '\0';
        json_path_add(check.path, "nodes");
        json_path_add(check.path, node->string);
        ok = check_node(&check, node);
        if (ok && json_member(all, node->string))
            ok = check_fail(&check, "there are two nodes of this name");
        if (ok)
            cJSON_AddItemToObject(all, node->string, cJSON_DetachItemViaPointer(nodes, node));
    }
    json_source_close(&source);
    return ok;
}

bool catalog_node_tree(cJSON **all, struct err *err)
{
    *all = cJSON_CreateObject();
    bool ok = true;
    for (unsigned i = 0; i < embedded_file_count && ok; i++) {
        if (strncmp(embedded_files[i].name, "nodes-", 6) == 0)
            ok = read_file(*all, &embedded_files[i], err);
    }
    if (!ok) {
        cJSON_Delete(*all);
        *all = NULL;
    }
    return ok;
}

static const char *copy_text(char **room, const char *text)
{
    size_t n = strlen(text) + 1;
    char *copy = memcpy(*room, text, n);
    *room += n;
    return copy;
}

/* The objects have all defaults. */
static struct scen_node *pack(const cJSON *all, size_t count)
{
    size_t texts = 0, i = 0;
    struct scen_node *rows = mem_alloc(count + 1, sizeof *rows);
    struct node_traits *figures = mem_alloc(count + 1, sizeof *figures);
    for (const cJSON *entry = all->child; entry; entry = entry->next, i++) {
        rows[i] = fill_node(entry, entry->string, &figures[i]);
        texts += strlen(rows[i].name) + strlen(rows[i].summary) + strlen(rows[i].gpu_type) + 3;
    }
    struct scen_node *nodes =
        mem_alloc(1, count * (sizeof(struct scen_node) + sizeof(struct node_traits)) + texts);
    struct node_traits *traits = (struct node_traits *)(nodes + count);
    char *room = (char *)(traits + count);
    for (i = 0; i < count; i++) {
        nodes[i] = rows[i];
        traits[i] = figures[i];
        nodes[i].traits = &traits[i];
        nodes[i].name = copy_text(&room, nodes[i].name);
        nodes[i].summary = copy_text(&room, nodes[i].summary);
        nodes[i].gpu_type = copy_text(&room, nodes[i].gpu_type);
    }
    free(figures);
    free(rows);
    return nodes;
}

bool catalog_nodes(struct scen_node **nodes, size_t *count, struct err *err)
{
    cJSON *all;
    if (!catalog_node_tree(&all, err))
        return false;
    cJSON *resolved = cJSON_CreateObject();
    for (const cJSON *entry = all->child; entry; entry = entry->next)
        cJSON_AddItemToObject(resolved, entry->string, resolve_value(entry, &schema_node));
    *count = (size_t)cJSON_GetArraySize(resolved);
    *nodes = pack(resolved, *count);
    cJSON_Delete(resolved);
    cJSON_Delete(all);
    return true;
}

void catalog_free(struct scen_node *nodes, size_t count)
{
    (void)count;
    free(nodes);
}
