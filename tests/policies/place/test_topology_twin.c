/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The areas of topology constraints on random clusters against a naive twin without a tree: for it
 * a domain is a set of nodes whose labels begin alike, found by scanning all of them. Order, nodes
 * and scores must be the same. Seeds are fixed.
 */
#include "place/topology.h"
#include "tests/lib/draw.h"
#include "tests/lib/harness.h"
#include "tests/lib/racks.h"

#include <string.h>

enum { RUNS = 2000, BLOCKS = 4, NODES = 12, VALUES = 3, MOST_AREAS = 64, NODE_CPU = 8000 };

/* A domain: the first `depth` labels are these. */
struct prefix {
    uint32_t depth, at[RACKS_LEVELS];
};

struct twin {
    struct racks racks;
    struct racks_node nodes[NODES];
    uint32_t levels;
    bool offered[NODES], all_offered;
    int32_t held[NODES];               /* tasks of the job that run there */
    int32_t tasks, devices, cpu_milli; /* tasks to be placed, all equal */
    int32_t bare;                      /* and number of tasks that only need CPU */
    struct policy_constraint constraint;
    struct prefix areas[MOST_AREAS];
    uint32_t area_count;
    uint64_t random;
};

static int32_t below(struct twin *w, int32_t n)
{
    return (int32_t)(test_draw(&w->random) % (uint64_t)n);
}

/* ---- the twin's view of a domain ---- */

static bool is_in(const struct twin *w, uint32_t node, const struct prefix *d)
{
    for (uint32_t i = 0; i < w->levels; i++)
        if (w->nodes[node].at[i] == 0 || (i < d->depth && w->nodes[node].at[i] != d->at[i]))
            return false;
    return true;
}

static bool is_usable(const struct twin *w, uint32_t node)
{
    return !w->nodes[node].down && (w->all_offered || w->offered[node]);
}

struct room {
    int32_t members, usable, copies, devices, cpu, held;
};

static struct room look(const struct twin *w, const struct prefix *d)
{
    struct room room = {0};
    for (uint32_t i = 0; i < NODES; i++) {
        if (!is_in(w, i, d))
            continue;
        room.members++;
        room.held += w->held[i];
        if (!is_usable(w, i))
            continue;
        int32_t devices = w->nodes[i].devices - w->nodes[i].used - w->held[i] * w->devices;
        int32_t cpu = NODE_CPU - w->held[i] * w->cpu_milli;
        int32_t copies = w->tasks + w->bare;
        for (; copies > 0; copies--)
            if (copies * w->devices <= devices && copies * w->cpu_milli <= cpu)
                break;
        room.usable++;
        room.devices += devices;
        room.cpu += cpu;
        room.copies += copies;
    }
    return room;
}

/* The larger of two ratios; their terms are small, so that equal ratios are equal as doubles too.
 */
static double scarcity(const struct twin *w, const struct room *room)
{
    int32_t devices = w->tasks * w->devices;
    int32_t cpu = (w->tasks + w->bare) * w->cpu_milli;
    double by_devices = devices == 0         ? 0
                        : room->devices == 0 ? 1e9
                                             : (double)devices / room->devices;
    double by_cpu = cpu == 0 ? 0 : room->cpu == 0 ? 1e9 : (double)cpu / room->cpu;
    return by_devices > by_cpu ? by_devices : by_cpu;
}

static bool can_hold(const struct twin *w, const struct prefix *d)
{
    struct room room = look(w, d);
    if (room.usable == 0)
        return false;
    return w->bare == 0 || w->devices == 0 ? room.copies >= w->tasks + w->bare
                                           : scarcity(w, &room) <= 1;
}

/* ---- the domains that it would try ---- */

/* The children that exist, the tightest first; equal ones by value. */
static uint32_t children_of(const struct twin *w, const struct prefix *d,
                            struct prefix children[VALUES])
{
    uint32_t count = 0;
    for (uint32_t value = 1; value <= VALUES; value++) {
        struct prefix child = *d;
        child.at[child.depth++] = value;
        struct room room = look(w, &child);
        if (room.members == 0)
            continue;
        uint32_t at = count++;
        for (; at > 0; at--) {
            struct room before = look(w, &children[at - 1]);
            if (scarcity(w, &before) >= scarcity(w, &room))
                break;
            children[at] = children[at - 1];
        }
        children[at] = child;
    }
    return count;
}

/* All domains of the depth inside this one, in the order of the tree. */
static uint32_t list(const struct twin *w, const struct prefix *d, uint32_t depth,
                     struct prefix *to, uint32_t count)
{
    struct prefix children[VALUES];
    if (d->depth == depth) {
        to[count++] = *d;
        return count;
    }
    uint32_t n = children_of(w, d, children);
    for (uint32_t i = 0; i < n; i++)
        count = list(w, &children[i], depth, to, count);
    return count;
}

static struct prefix common_to_all(const struct twin *w, uint32_t deepest)
{
    struct prefix common = {0};
    int32_t all = look(w, &common).usable;
    for (bool deeper = true; deeper && common.depth < deepest;) {
        struct prefix children[VALUES];
        uint32_t n = children_of(w, &common, children);
        deeper = false;
        for (uint32_t i = 0; i < n && !deeper; i++)
            if (look(w, &children[i]).usable == all) {
                common = children[i];
                deeper = true;
            }
    }
    return common;
}

/* The domains that the job's running tasks allow. */
static bool is_allowed(const struct twin *w, const struct prefix *d)
{
    struct prefix above = *d;
    int32_t anywhere = 0;
    for (uint32_t i = 0; i < NODES; i++)
        anywhere += w->held[i];
    if (w->constraint.required == 0 || anywhere == 0)
        return true;
    above.depth = (uint32_t)w->constraint.required;
    return look(w, &above).held > 0;
}

static void find_areas(struct twin *w)
{
    uint32_t required = (uint32_t)w->constraint.required;
    uint32_t deepest =
        (uint32_t)(w->constraint.preferred > w->constraint.required ? w->constraint.preferred
                                                                    : w->constraint.required);
    struct prefix found[MOST_AREAS];
    struct prefix common = common_to_all(w, deepest);
    w->area_count = 0;
    if (!can_hold(w, &common))
        return;
    for (uint32_t depth = deepest + 1; depth-- > common.depth && depth >= required;) {
        uint32_t n = list(w, &common, depth, found, 0);
        for (uint32_t i = 0; i < n; i++)
            if (can_hold(w, &found[i]) && is_allowed(w, &found[i]))
                w->areas[w->area_count++] = found[i];
        if (depth == 0)
            break;
    }
}

/* ---- a random cluster ---- */

static void make_nodes(struct twin *w)
{
    w->levels = 1 + (uint32_t)below(w, RACKS_LEVELS);
    racks_open(&w->racks, w->levels, NULL, 0);
    for (uint32_t i = 0; i < NODES; i++) {
        struct racks_node *n = &w->nodes[i];
        *n = (struct racks_node){
            .devices = 4, .used = below(w, 4), .cpu_milli = NODE_CPU, .down = below(w, 12) == 0};
        for (uint32_t level = 0; level < w->levels; level++)
            n->at[level] = below(w, 15) == 0 ? 0 : 1 + (uint32_t)below(w, VALUES);
        racks_node(&w->racks, i, n);
        w->offered[i] = below(w, 3) > 0;
    }
    w->all_offered = below(w, 2) == 0;
}

/* A job with some tasks to be placed and perhaps some that run. */
static policy_job make_job(struct twin *w, uint32_t *first)
{
    w->constraint = (struct policy_constraint){1, below(w, (int32_t)w->levels + 1),
                                               below(w, (int32_t)w->levels + 1)};
    if (w->constraint.required == 0 && w->constraint.preferred == 0)
        w->constraint.preferred = 1;
    w->tasks = 1 + below(w, 7);
    w->devices = below(w, 8) == 0 ? 0 : 1 + below(w, 2);
    w->bare = below(w, 4) == 0 ? 1 + below(w, 2) : 0;
    w->cpu_milli = w->devices == 0 ? 1000 : below(w, 3) * 1000;
    int32_t running = below(w, 3) == 0 ? 1 + below(w, 2) : 0;
    struct policy_request request = {.devices = w->devices, .cpu_milli = w->cpu_milli};
    struct policy_role roles[2] = {{.tasks = running + w->tasks, .request = request},
                                   {.tasks = w->bare, .request = {.cpu_milli = w->cpu_milli}}};
    struct policy_job_spec spec = racks_job(&w->racks, roles, 2);
    spec.topology = w->constraint;
    policy_job job = racks_submit(&w->racks, &spec);
    *first = 0;
    for (uint32_t try = 0; try < NODES && *first < (uint32_t)running; try++) {
        const struct racks_node *n = &w->nodes[try];
        if (n->down || below(w, 2) == 0 || n->used + w->devices > n->devices)
            continue;
        uint64_t set = ((UINT64_C(1) << w->devices) - 1) << n->used;
        ck_assert_int_eq(
            policy_task_running(w->racks.p, 0, job, *first, (policy_node){try}, set, 0), POLICY_OK);
        w->held[try]++;
        ++*first;
    }
    w->tasks += running - (int32_t)*first;
    return job;
}

/* ---- the comparison ---- */

static void expect_scores(const struct twin *w, const struct prefix *d, const struct pc_area *area)
{
    struct prefix packed[MOST_AREAS];
    uint32_t preferred = (uint32_t)w->constraint.preferred;
    ck_assert_int_eq(area->scores != NULL, d->depth < preferred);
    if (area->scores == NULL)
        return;
    uint32_t n = list(w, d, preferred, packed, 0);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t node = 0; node < NODES; node++)
            if (is_in(w, node, &packed[i]))
                ck_assert_uint_eq(area->scores[node], 10 * (i + 1) / n);
}

static void compare(struct twin *w, policy_job job, uint32_t first)
{
    struct policy *p = w->racks.p;
    const struct pc_cluster *c = p->cluster;
    uint32_t tasks[16];
    uint32_t count = (uint32_t)(w->tasks + w->bare);
    ck_assert_uint_le(count, 16);
    for (uint32_t i = 0; i < count; i++)
        tasks[i] = first + i;
    struct pc_bits bits = {0};
    ck_assert(pc_bits_reserve(&bits, &p->memory, NODES));
    for (uint32_t i = 0; i < NODES; i++)
        if (w->offered[i])
            pc_bits_add(&bits, i);
    const struct pc_area offered = {w->all_offered ? NULL : &bits, NULL};
    struct pc_areas areas;
    pc_areas_begin(p, &areas, 0, job.i, &c->shapes[c->jobs[job.i].shape].topology, tasks, count,
                   &offered);
    find_areas(w);
    for (uint32_t i = 0; i < w->area_count; i++) {
        const struct pc_area *area = pc_areas_next(p, &areas);
        ck_assert_msg(area != NULL, "area %u of %u is missing", i, w->area_count);
        for (uint32_t node = 0; node < NODES; node++)
            ck_assert_msg(pc_bits_has(area->nodes, node) ==
                              (is_in(w, node, &w->areas[i]) && is_usable(w, node)),
                          "node %u in area %u", node, i);
        expect_scores(w, &w->areas[i], area);
    }
    ck_assert_ptr_null(pc_areas_next(p, &areas));
    pc_bits_free(&bits, &p->memory);
}

START_TEST(areas_are_those_of_the_twin)
{
    uint32_t several = 0;
    uint32_t none = 0;
    uint32_t grown = 0;
    for (uint32_t run = 0; run < RUNS / BLOCKS; run++) {
        struct twin w = {.random = (uint64_t)_i * 1000003 + run};
        uint32_t first;
        make_nodes(&w);
        policy_job job = make_job(&w, &first);
        compare(&w, job, first);
        several += w.area_count > 1;
        none += w.area_count == 0;
        grown += first > 0 && w.area_count > 0;
        racks_close(&w.racks);
    }
    /* The worlds are neither too full nor too empty to be meaningful. */
    ck_assert_uint_gt(several, RUNS / BLOCKS / 5);
    ck_assert_uint_gt(none, RUNS / BLOCKS / 20);
    ck_assert_uint_gt(grown, RUNS / BLOCKS / 20);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("areas");
    TCase *tcase = tcase_create("areas");
    tcase_add_loop_test(tcase, areas_are_those_of_the_twin, 0, BLOCKS);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
