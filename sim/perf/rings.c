/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Packing rings: all cycles through a set of devices are listed, then as many as possible are laid
 * side by side. */
#include "sim/perf/rings.h"

#include "sim/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

const uint8_t rings_dgx1v_links[RINGS_DEVICES][RINGS_DEVICES] = {
    {0, 1, 1, 2, 2, 0, 0, 0}, {1, 0, 2, 1, 0, 2, 0, 0}, {1, 2, 0, 2, 0, 0, 1, 0},
    {2, 1, 2, 0, 0, 0, 0, 1}, {2, 0, 0, 0, 0, 1, 1, 2}, {0, 2, 0, 0, 1, 0, 2, 1},
    {0, 0, 1, 0, 1, 2, 0, 2}, {0, 0, 0, 1, 2, 1, 2, 0},
};

#define CYCLES_MAX 5040 /* 7!: directed cycles through eight devices, all linked */

/* The device after each one, on a ring. */
struct cycle {
    uint8_t next[RINGS_DEVICES];
};

struct search {
    const uint8_t (*links)[RINGS_DEVICES];
    uint8_t set, first;
    struct cycle cycles[CYCLES_MAX];
    size_t count;
    uint8_t left[RINGS_DEVICES][RINGS_DEVICES]; /* links in each direction that no ring has taken */
    int best;
};

/* Extends a path that began at the lowest device and stands at `at`; recursion is eight deep at
 * most. */
static void list_cycles(struct search *search, struct cycle *cycle, int at, uint8_t visited)
{
    if (visited == search->set) {
        if (search->links[at][search->first] > 0) {
            BUG_ON(search->count == CYCLES_MAX);
            cycle->next[at] = search->first;
            search->cycles[search->count++] = *cycle;
        }
        return;
    }
    for (int to = 0; to < RINGS_DEVICES; to++) {
        if (!(search->set & ~visited & 1 << to) || search->links[at][to] == 0)
            continue;
        cycle->next[at] = (uint8_t)to;
        list_cycles(search, cycle, to, (uint8_t)(visited | 1 << to));
    }
}

static bool cycle_fits(const struct search *search, const struct cycle *cycle)
{
    for (int at = 0; at < RINGS_DEVICES; at++) {
        if (search->set & 1 << at && search->left[at][cycle->next[at]] == 0)
            return false;
    }
    return true;
}

static void cycle_take(struct search *search, const struct cycle *cycle, int links)
{
    for (int at = 0; at < RINGS_DEVICES; at++) {
        if (search->set & 1 << at)
            search->left[at][cycle->next[at]] =
                (uint8_t)(search->left[at][cycle->next[at]] - links);
    }
}

/* No more rings than the device with the fewest links has. */
static int rings_bound(const struct search *search)
{
    int bound = UINT8_MAX;
    for (int at = 0; at < RINGS_DEVICES; at++) {
        int out = 0;
        for (int to = 0; search->set & 1 << at && to < RINGS_DEVICES; to++)
            out += search->set & 1 << to ? search->left[at][to] : 0;
        if (search->set & 1 << at && out < bound)
            bound = out;
    }
    return bound;
}

/* Adds rings from the `from`-th cycle on (one cycle may be taken several times) to the `taken`
 * ones. */
static void pack(struct search *search, size_t from, int taken)
{
    if (taken > search->best)
        search->best = taken;
    if (taken + rings_bound(search) <= search->best)
        return;
    for (size_t i = from; i < search->count; i++) {
        if (!cycle_fits(search, &search->cycles[i]))
            continue;
        cycle_take(search, &search->cycles[i], 1);
        pack(search, i, taken + 1);
        cycle_take(search, &search->cycles[i], -1);
    }
}

void rings_count(const uint8_t links[RINGS_DEVICES][RINGS_DEVICES], uint8_t rings[RINGS_SETS])
{
    for (int set = 0; set < RINGS_SETS; set++) {
        rings[set] = 0;
        if ((set & (set - 1)) == 0)
            continue;
        struct search search = {.links = links, .set = (uint8_t)set};
        while (!(set & 1 << search.first))
            search.first++;
        memcpy(search.left, links, sizeof search.left);
        struct cycle cycle = {{0}};
        list_cycles(&search, &cycle, search.first, (uint8_t)(1 << search.first));
        pack(&search, 0, 0);
        rings[set] = (uint8_t)search.best;
    }
}
