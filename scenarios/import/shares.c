/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Kubernetes does not record the device of a share, but a snapshot has to. Shares that KAI labels
 * as one group are on one device; any other goes to the first device of its node with room. Devices
 * count up from 0, and tasks on whole devices get the rest.
 */
#include "scenarios/import/internal.h"

#include "sim/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define MOST_DEVICES 64
#define WHOLE        1000

struct device {
    const char *group; /* NULL: none */
    double used_milli;
};

struct board {
    int count;
    double mem_mib; /* of a device; 0: unknown */
    struct device *devices;
};

static double number(const cJSON *object, const char *key)
{
    const cJSON *value = import_at(object, key);
    return cJSON_IsNumber(value) ? value->valuedouble : 0;
}

/* Returns the thousandths of one device; memory of unknown size fills it. */
static double part_of(const cJSON *task, const struct board *board)
{
    double mib = number(task, "gpu_mem_mib");
    if (mib > 0)
        return board->mem_mib > 0 ? mib * WHOLE / board->mem_mib : WHOLE;
    return number(task, "gpu_milli");
}

static bool runs(const cJSON *task)
{
    const char *state = import_text(task, "state");
    return strcmp(state, "running") == 0 || strcmp(state, "releasing") == 0;
}

static const struct board *board_of(const struct symbols *names, const struct board *boards,
                                    const cJSON *task)
{
    const char *node = import_text(task, "node");
    uint32_t symbol = symbols_find(names, node, strlen(node));
    return symbol == SYMBOL_NONE ? NULL : &boards[symbol];
}

/* Takes the devices of tasks that name them. */
static void take_named(const cJSON *task, const struct board *board)
{
    const cJSON *device;
    double part = part_of(task, board);
    cJSON_ArrayForEach(device, import_at(task, "devices"))
    {
        if (cJSON_IsNumber(device) && device->valuedouble >= 0 &&
            device->valuedouble < board->count)
            board->devices[device->valueint].used_milli += part > 0 ? part : WHOLE;
    }
}

/*
 * Returns the device of a group, else the first with room that the task does not have yet; -1:
 * none.
 */
static int find_device(const struct board *board, const char *group, double part, uint64_t had)
{
    for (int i = 0; group && i < board->count; i++)
        if (board->devices[i].group && strcmp(board->devices[i].group, group) == 0)
            return i;
    for (int i = 0; i < board->count; i++) {
        const struct device *device = &board->devices[i];
        bool mine = group ? device->used_milli <= 0 : !device->group;
        if (mine && !(had >> i & 1) && device->used_milli + part <= WHOLE)
            return i;
    }
    return -1;
}

static void place(struct import *import, cJSON *task, const struct board *board)
{
    const cJSON *groups = import_at(task, IMPORT_DEVICE_GROUPS);
    double asked = import_at(task, "devices_wanted") ? number(task, "devices_wanted") : 1;
    int wanted = asked >= 0 && asked <= MOST_DEVICES ? (int)asked : 0;
    double part = part_of(task, board);
    uint64_t had = 0;
    cJSON *devices = cJSON_CreateArray();
    for (int k = 0; k < wanted; k++) {
        const char *group = cJSON_GetStringValue(cJSON_GetArrayItem(groups, k));
        int i = find_device(board, group, part, had);
        if (i < 0 || (had >> i & 1)) {
            import_note(import,
                        "shares that do not fit the devices of their node are left without one");
            cJSON_Delete(devices);
            return;
        }
        had |= UINT64_C(1) << i;
        board->devices[i].group = group ? group : board->devices[i].group;
        board->devices[i].used_milli += part;
        cJSON_AddItemToArray(devices, cJSON_CreateNumber(i));
    }
    cJSON_DeleteItemFromObjectCaseSensitive(task, "devices");
    cJSON_AddItemToObject(task, "devices", devices);
}

/* Visits all running tasks: first those with known devices, then the other shares. */
static void go_over(struct import *import, struct symbols *names, const struct board *boards,
                    bool named)
{
    cJSON *job, *task;
    cJSON_ArrayForEach(job, import->jobs)
    {
        cJSON_ArrayForEach(task, cJSON_GetObjectItemCaseSensitive(job, "tasks"))
        {
            const struct board *board = runs(task) ? board_of(names, boards, task) : NULL;
            bool says = cJSON_GetArraySize(import_at(task, "devices")) > 0;
            if (board && named && says)
                take_named(task, board);
            else if (board && !named && !says && part_of(task, board) > 0)
                place(import, task, board);
        }
    }
}

static void forget_groups(struct import *import)
{
    cJSON *job, *task;
    cJSON_ArrayForEach(job, import->jobs)
    {
        cJSON_ArrayForEach(task, cJSON_GetObjectItemCaseSensitive(job, "tasks"))
        {
            cJSON_DeleteItemFromObjectCaseSensitive(task, IMPORT_DEVICE_GROUPS);
        }
    }
}

void import_place_shares(struct import *import)
{
    struct symbols *names = symbols_create();
    struct board *boards = NULL;
    size_t capacity = 0;
    const cJSON *node;
    cJSON_ArrayForEach(node, import->nodes)
    {
        const char *name = import_text(node, "name");
        uint32_t before = symbols_count(names), symbol = symbols_add(names, name, strlen(name));
        if (symbol < before)
            continue;
        double gpus = number(node, "gpus");
        boards = mem_grow(boards, &capacity, symbol + (size_t)1, sizeof *boards);
        boards[symbol] = (struct board){.count = gpus >= 0 && gpus <= MOST_DEVICES ? (int)gpus : 0,
                                        .mem_mib = number(node, "gpu_mem_mib"),
                                        .devices = mem_alloc(MOST_DEVICES, sizeof(struct device))};
    }
    go_over(import, names, boards, true);
    go_over(import, names, boards, false);
    forget_groups(import);
    for (uint32_t i = 0; i < symbols_count(names); i++)
        free(boards[i].devices);
    free(boards);
    symbols_destroy(names);
}
