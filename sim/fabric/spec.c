/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Levels in order, and whether the figures of a fabric fit together. */
#include "sim/fabric/spec.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

const char *const fabric_usual_levels[] = {"core", "pod", "leaf", "rack", "nvlink", NULL};

/* Where domains are of equal size the usual order decides. */
static int usual_place(const char *name)
{
    int place = 0;
    while (fabric_usual_levels[place] && strcmp(fabric_usual_levels[place], name) != 0)
        place++;
    return place;
}

static bool stands_above(const struct fabric_level *a, const struct fabric_level *b)
{
    if (a->nodes != b->nodes)
        return a->nodes > b->nodes;
    int x = usual_place(a->name), y = usual_place(b->name);
    return x != y ? x < y : strcmp(a->name, b->name) < 0;
}

bool fabric_add_level(struct fabric_level *levels, int *count, int room,
                      const struct fabric_level *level)
{
    if (*count == room)
        return false;
    int at = *count;
    for (; at > 0 && stands_above(level, &levels[at - 1]); at--)
        levels[at] = levels[at - 1];
    levels[at] = *level;
    ++*count;
    return true;
}

bool fabric_check_nesting(const struct fabric_level *levels, int count, struct err *err)
{
    for (int i = 1; i < count; i++) {
        const struct fabric_level *above = &levels[i - 1], *here = &levels[i];
        if (above->nodes % here->nodes != 0)
            return err_set(err, EXIT_INPUT,
                           "%" PRId64 " nodes of a '%s' do not make whole domains of %" PRId64
                           " ('%s')",
                           above->nodes, above->name, here->nodes, here->name);
    }
    return true;
}

static bool check_generated(const struct fabric_spec *spec, struct err *err)
{
    if (spec->rails == 0 || spec->radix == 0)
        return err_set(
            err, EXIT_INPUT,
            "unit_nodes goes with rails (ports of a node) and radix (ports of a switch)");
    if (spec->unit_nodes % spec->leaf_nodes != 0)
        return err_set(err, EXIT_INPUT,
                       "a unit of %" PRId64 " nodes does not make whole groups of %" PRId64
                       " below a leaf switch",
                       spec->unit_nodes, spec->leaf_nodes);
    int64_t up =
        spec->max_tiers > 1 ? (int64_t)ceil((double)spec->leaf_nodes / spec->leaf_over) : 0;
    if (spec->leaf_nodes + up > spec->radix)
        return err_set(err, EXIT_INPUT,
                       "a leaf switch of %d ports has no room for %" PRId64 " nodes and %" PRId64
                       " uplinks",
                       spec->radix, spec->leaf_nodes, up);
    if (spec->spare_slots >= spec->unit_nodes)
        return err_set(err, EXIT_INPUT, "spare_slots leave no room for nodes in a unit");
    for (int i = 0; i < spec->level_count; i++)
        if (usual_place(spec->levels[i].name) < usual_place("rack"))
            return err_set(err, EXIT_INPUT,
                           "the level '%s' follows from unit_nodes, it is not given in nodes_per",
                           spec->levels[i].name);
    return true;
}

bool fabric_check(const struct fabric_spec *spec, struct err *err)
{
    for (int i = 0; i < spec->level_count; i++) {
        if (strcmp(spec->levels[i].name, "node") == 0)
            return err_set(err, EXIT_INPUT, "'node' is always the lowest level, and is not given");
    }
    return fabric_check_nesting(spec->levels, spec->level_count, err) &&
           (spec->unit_nodes == 0 || check_generated(spec, err));
}
