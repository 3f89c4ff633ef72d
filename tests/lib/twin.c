/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The naive twin; see twin.h. Placements are comparisons of two nodes, from the definitions in
 * words. */
#include "tests/lib/twin.h"

#include "tests/lib/packing.h"

#include <string.h>

/* Smaller is better: the node with the smallest first, then second, ... number, then rank. */
struct score {
    int64_t first, second;
};

struct ask {
    const struct world *world;
    const struct policy_request *request;
    bool remainder;
};

static bool shares(const struct policy_request *r)
{
    return r->devices > 0 && world_milli(r) < POLICY_WHOLE;
}

/* 0 when the share finds room on devices that are shared already, 1 when one has to be broken. */
static int64_t breaks(const struct world_node *n, const struct policy_request *r)
{
    return shares(r) && world_fits_on(n, r, world_shared(n)) ? 0 : 1;
}

static struct score first_fit(const struct world_node *n, const struct ask *ask)
{
    (void)n, (void)ask;
    return (struct score){0, 0};
}

static struct score best_fit(const struct world_node *n, const struct ask *ask)
{
    if (breaks(n, ask->request) == 0)
        return (struct score){0, world_free(n)};
    return (struct score){1, world_whole(n)};
}

static struct score consolidated(const struct world_node *n, const struct ask *ask)
{
    return ask->remainder ? (struct score){-world_whole(n), 0} : best_fit(n, ask);
}

static struct score binpack(const struct world_node *n, const struct ask *ask)
{
    if (ask->request->devices == 0)
        return (struct score){n->spec.devices > 0, n->cpu};
    return (struct score){breaks(n, ask->request), world_whole(n)};
}

/* Spreading compares fractions: a/b > c/d. */
__extension__ typedef __int128 wide;

static bool above(int64_t a, int64_t b, int64_t c, int64_t d)
{
    if (b == 0)
        return false;
    return d == 0 ? a > 0 : (wide)a * d > (wide)c * b;
}

static bool spread_before(const struct world_node *x, const struct world_node *y,
                          const struct ask *ask)
{
    if (ask->request->devices > 0) {
        if (above(world_whole(x), x->spec.devices, world_whole(y), y->spec.devices))
            return true;
        return !above(world_whole(y), y->spec.devices, world_whole(x), x->spec.devices) &&
               x->spec.rank < y->spec.rank;
    }
    if ((x->spec.devices == 0) != (y->spec.devices == 0))
        return x->spec.devices == 0;
    int64_t xt = x->spec.cpu_milli < 0 ? INT64_MAX / 4 : x->spec.cpu_milli;
    int64_t yt = y->spec.cpu_milli < 0 ? INT64_MAX / 4 : y->spec.cpu_milli;
    if (above(x->cpu, xt, y->cpu, yt))
        return true;
    return !above(y->cpu, yt, x->cpu, xt) && x->spec.rank < y->spec.rank;
}

static const struct {
    const char *name;
    struct score (*score)(const struct world_node *, const struct ask *);
    packing_score *packing; /* instead of it; both NULL: spread, or count */
    uint64_t (*devices)(const struct world *, const struct world_node *,
                        const struct policy_request *); /* NULL: the usual ones */
} placements[] = {
    {"first-fit", first_fit, NULL, NULL},
    {"best-fit", best_fit, NULL, NULL},
    {"consolidated", consolidated, NULL, NULL},
    {"topology", best_fit, NULL, NULL},
    {"binpack", binpack, NULL, NULL},
    {"spread", NULL, NULL, NULL},
    {"fgd-best-fit", NULL, packing_best_fit, NULL},
    {"dot-product", NULL, packing_dot_product, NULL},
    {"gpu-packing", NULL, packing_gpu_packing, NULL},
    {"gpu-clustering", NULL, packing_gpu_clustering, NULL},
    {"fgd", NULL, packing_fgd, packing_fgd_devices},
    {"fgd-exact", NULL, packing_fgd_exact, packing_fgd_exact_devices},
    {"count", NULL, NULL, NULL},
};
enum { PLACEMENTS = sizeof placements / sizeof *placements };

static int find(const char *name)
{
    for (int i = 0; i < PLACEMENTS; i++)
        if (strcmp(placements[i].name, name) == 0)
            return i;
    return -1;
}

bool twin_knows(const char *placement)
{
    return find(placement) >= 0;
}

static bool better(const struct world_node *x, const struct world_node *y, int placement,
                   const struct ask *ask)
{
    packing_score *packing = placements[placement].packing;
    if (packing == NULL && placements[placement].score == NULL)
        return spread_before(x, y, ask);
    struct score a = packing != NULL ? (struct score){-packing(ask->world, x, ask->request), 0}
                                     : placements[placement].score(x, ask);
    struct score b = packing != NULL ? (struct score){-packing(ask->world, y, ask->request), 0}
                                     : placements[placement].score(y, ask);
    if (a.first != b.first)
        return a.first < b.first;
    return a.second != b.second ? a.second < b.second : x->spec.rank < y->spec.rank;
}

/* ---- one job ---- */

static bool start_counted(struct world *w, struct world_job *job, struct twin_answer *out)
{
    for (uint32_t pool = 0; pool < WORLD_POOLS; pool++) {
        if (!world_uses(w, job->queue, pool) || world_pool_free(w, pool) < job->gpu_milli)
            continue;
        w->taken[pool] += job->gpu_milli;
        out->starts[out->count++] =
            (struct twin_start){job->id.i, POLICY_ALL_TASKS, POLICY_NO_ID, pool, 0};
        return true;
    }
    return false;
}

/* ---- domains ---- */

/* A node's labels in order are its pod and its rack; one without both lies in none. */
enum { NODE, RACK, POD, FLEET };

static bool same_domain(const struct world_node *x, const struct world_node *y, int level)
{
    if (level == FLEET || x == y)
        return true;
    if (level == NODE || x->spec.label_count < 2 || y->spec.label_count < 2)
        return false;
    const struct policy_label *a = x->spec.labels;
    const struct policy_label *b = y->spec.labels;
    return a[0].value == b[0].value && (level == POD || a[1].value == b[1].value);
}

/* Smaller numbers of pod and rack, or rank, come first. */
static bool lower(const struct world_node *x, const struct world_node *y, int level)
{
    if (level == NODE)
        return x->spec.rank < y->spec.rank;
    const struct policy_label *a = x->spec.labels;
    const struct policy_label *b = y->spec.labels;
    return a[0].value != b[0].value ? a[0].value < b[0].value : a[1].value < b[1].value;
}

/* Wholly free devices of the nodes that the job may use. */
static int64_t whole_in(const struct world *w, const struct world_job *job, uint32_t node,
                        int level)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < WORLD_NODES; i++)
        if (w->nodes[i].exists && w->nodes[i].state == POLICY_NODE_UP &&
            world_uses(w, job->queue, w->nodes[i].spec.pool) &&
            same_domain(&w->nodes[i], &w->nodes[node], level))
            sum += world_whole(&w->nodes[i]);
    return sum;
}

/* The domain to be tried next, as one of its nodes: the fewest free devices, then the lowest. */
static uint32_t next_domain(const struct world *w, const struct world_job *job, int level,
                            const bool *tried)
{
    uint32_t best = POLICY_NO_ID;
    for (uint32_t i = 0; i < WORLD_NODES; i++) {
        const struct world_node *n = &w->nodes[i];
        if (!n->exists || tried[i] || (level != NODE && n->spec.label_count < 2))
            continue;
        int64_t mine = whole_in(w, job, i, level);
        int64_t its = best != POLICY_NO_ID ? whole_in(w, job, best, level) : INT64_MAX;
        if (mine < its || (mine == its && lower(n, &w->nodes[best], level)))
            best = i;
    }
    return best;
}

/* ---- one job in one domain ---- */

static bool start_in(struct world *w, struct world_job *job, int placement, struct twin_answer *out,
                     const struct world_node *of, int level)
{
    size_t mark = out->count;
    const struct world_job before = *job;
    for (uint32_t task = 0; task < job->tasks; task++) {
        struct ask ask = {.world = w, .request = world_request(job, task)};
        ask.remainder = ask.request->devices < job->roles[0].request.devices;
        uint32_t best = POLICY_NO_ID;
        for (uint32_t i = 0; i < WORLD_NODES; i++)
            if (w->nodes[i].exists && world_uses(w, job->queue, w->nodes[i].spec.pool) &&
                same_domain(&w->nodes[i], of, level) && world_fits(&w->nodes[i], ask.request) &&
                (best == POLICY_NO_ID || better(&w->nodes[i], &w->nodes[best], placement, &ask)))
                best = i;
        if (best == POLICY_NO_ID) {
            while (task-- > 0)
                world_hold(w, job, task, job->task[task].node, job->task[task].devices, -1);
            *job = before;
            out->count = mark;
            return false;
        }
        uint64_t devices = placements[placement].devices != NULL
                               ? placements[placement].devices(w, &w->nodes[best], ask.request)
                               : world_devices(&w->nodes[best], ask.request);
        world_hold(w, job, task, best, devices, 1);
        out->starts[out->count++] =
            (struct twin_start){job->id.i, task, best, w->nodes[best].spec.pool, devices};
    }
    return true;
}

static bool start(struct world *w, struct world_job *job, int placement, struct twin_answer *out)
{
    bool near = strcmp(placements[placement].name, "topology") == 0 && job->tasks > 1;
    for (int level = NODE; near && level < FLEET; level++) {
        bool tried[WORLD_NODES] = {false};
        for (;;) {
            uint32_t of = next_domain(w, job, level, tried);
            if (of == POLICY_NO_ID)
                break;
            if (start_in(w, job, placement, out, &w->nodes[of], level))
                return true;
            for (uint32_t i = 0; i < WORLD_NODES; i++)
                tried[i] |= w->nodes[i].exists && same_domain(&w->nodes[i], &w->nodes[of], level);
        }
    }
    return start_in(w, job, placement, out, &w->nodes[0], FLEET);
}

static bool try(struct world *w, struct world_job *job, int placement, struct twin_answer *out)
{
    bool started = w->counts ? start_counted(w, job, out) : start(w, job, placement, out);
    if (started)
        job->state = WORLD_ACTIVE;
    return started;
}

bool twin_could_start(const struct world *world, const char *placement, uint32_t job)
{
    struct world w = *world;
    static const struct twin_answer none = {0};
    struct twin_answer scratch = none;
    return try(&w, &w.jobs[job], find(placement), &scratch);
}

/* ---- all of them, in order ---- */

void twin_decide(const struct world *world, const char *placement, struct twin_answer *out)
{
    struct world w = *world;
    bool tried[WORLD_JOBS] = {false};
    bool lane_blocked[WORLD_QUEUES] = {false};
    out->count = 0;
    for (;;) {
        struct world_job *next = NULL;
        for (uint32_t i = 0; i < WORLD_JOBS; i++)
            if (w.jobs[i].state == WORLD_PENDING && !tried[i] &&
                (next == NULL || world_before(&w.jobs[i], next)))
                next = &w.jobs[i];
        if (next == NULL)
            return;
        tried[next->id.i] = true;
        uint32_t lane = w.by_queue ? next->queue : 0;
        if (lane_blocked[lane] || !world_ever_fits(&w, next))
            continue;
        if (!try(&w, next, find(placement), out))
            lane_blocked[lane] = w.strict;
    }
}
