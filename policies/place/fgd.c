/* SPDX-License-Identifier: MIT */
/*
 * FGD, fragmentation gradient descent ("Beware of Fragmentation", USENIX ATC 2023): chooses the
 * node, and for a share the device, where a task increases the fragmentation F of the node (see
 * fragment.h) the least. As published the score is
 *     trunc(100 / (1 + e^(-(F(before) - F(after)) / 1000)))
 *
 * and truncation to an integer is part of the definition: it makes ties common, and rank decides
 * them. A share is tried on each device with room; the first with the highest truncated score wins.
 * Other tasks take the lowest free devices. A task without devices is scored the same way, because
 * the CPU left next to devices matters. Device memory is a share of the node's. A MIG instance is
 * scored as taking what place/left.h says: a device that it would split, or nothing.
 *
 * fgd-exact is the same without truncation: F with counts instead of fractions is an integer, and
 * so is its gradient.
 *
 * Without typical tasks (policy_set_typical_tasks()) F is 0, and rank alone decides.
 */
#include "place/fit_index.h"
#include "place/fragment.h"
#include "place/left.h"
#include "state/nodes.h"

/*
 * The smallest F(before) - F(after) whose score is at least 1, 2, ... 100. In real arithmetic these
 * are 1000 ln(k / (100 - k)); here each is the first double near that for which (int64_t)(1.0 /
 * (1.0 + exp(-(x / 1000.0))) * 100.0), computed with a correctly rounded exp(), is k. This matters
 * at 50: where F does not change, its two sums may differ by some 10^-13, part of which is
 * truncated.
 */
static const double gradients[100] = {
    -4595.1198501345898, -3891.8202981106265,     -3476.098689835273,  -3178.0538303479452,
    -2944.4389791664403, -2751.5353130419489,     -2586.6893440979425, -2442.3470353692041,
    -2313.6349291806305, -2197.2245773362192,     -2090.7410969337689, -1992.4301646902063,
    -1900.9587611930469, -1815.2899666382489,     -1734.6010553881065, -1658.2280766035324,
    -1585.627263740382,  -1516.3474893680884,     -1450.0101755059982, -1386.2943611198905,
    -1324.9254147435986, -1265.6663733312757,     -1208.3112059245343, -1152.6795099383855,
    -1098.6122886681098, -1045.9685551826876,     -994.62257514406201, -944.46160884085134,
    -895.38404705484129, -847.29786038720363,     -800.11930011211325, -753.77180237638015,
    -708.18505792448582, -663.29421741026442,     -619.03920840622345, -575.36414490356196,
    -532.21681374730838, -489.5482253187057,      -447.31221804366481, -405.46510810816454,
    -363.96537720141163, -322.77339226305105,     -281.85115214098789, -241.16205681688814,
    -200.67069546215097, -160.34265007517956,     -120.1443118420635,  -80.042707673536668,
    -40.005334613699311, -3.3306690738754686e-13, 40.005334613698842,  80.042707673536313,
    120.14431184206303,  160.34265007517931,      200.6706954621512,   241.16205681688805,
    281.85115214098784,  322.77339226305094,      363.96537720141134,  405.4651081081642,
    447.31221804366447,  489.54822531870553,      532.21681374730838,  575.36414490356162,
    619.03920840622345,  663.29421741026397,      708.18505792448548,  753.7718023763797,
    800.11930011211246,  847.2978603872034,       895.38404705484095,  944.46160884085123,
    994.62257514406201,  1045.9685551826876,      1098.6122886681098,  1152.6795099383858,
    1208.3112059245339,  1265.666373331276,       1324.9254147435988,  1386.29436111989,
    1450.0101755059973,  1516.3474893680882,      1585.6272637403811,  1658.2280766035319,
    1734.6010553881058,  1815.2899666382482,      1900.9587611930467,  1992.4301646902063,
    2090.7410969337698,  2197.2245773362201,      2313.6349291806309,  2442.3470353692037,
    2586.6893440979425,  2751.5353130419476,      2944.4389791664398,  3178.0538303479411,
    3476.0986898352735,  3891.8202981106201,      4595.1198501345725,  36736.800569677107,
};

int64_t pc_gradient_score(double gradient)
{
    int64_t low = 0; /* low <= score < high */
    int64_t high = 101;
    while (high - low > 1) {
        int64_t middle = (low + high) / 2;
        if (gradient >= gradients[middle - 1])
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* ---- one node ---- */

struct fragment {
    double sum;
    int64_t counted;
};

struct attempt {
    int64_t score;
    uint64_t devices;
};

static struct fragment fragment_of(const struct policy *p, const struct pc_left *left, bool exact)
{
    struct fragment f = {0, 0};
    if (exact)
        f.counted = pc_fragment_counted(p, left);
    else
        f.sum = pc_fragment(p, left);
    return f;
}

/* The score if the task takes its share of these devices. */
static int64_t score_with(const struct policy *p, const struct pc_left *left,
                          const struct fragment *before, const struct pc_want *want,
                          uint64_t devices, bool exact)
{
    struct pc_left then = *left;
    then.cpu -= want->cpu;
    then.sum -= want->devices * want->milli;
    for (; devices != 0; devices &= devices - 1)
        then.room[pc_lowest(devices)] = (uint16_t)(then.room[pc_lowest(devices)] - want->milli);
    struct fragment after = fragment_of(p, &then, exact);
    return exact ? before->counted - after.counted : pc_gradient_score(before->sum - after.sum);
}

static bool is_tried(const struct pc_left *left, uint64_t open, int32_t device)
{
    for (int32_t i = 0; i < device; i++)
        if ((open >> i & 1) != 0 && left->room[i] == left->room[device])
            return true;
    return false;
}

/* The best score on a node that the task fits, and for a share of one device which of the `open`
 * ones yields it. */
static struct attempt best_on(const struct policy *p, const struct pc_left *left,
                              const struct pc_want *want, uint64_t open, bool exact)
{
    const struct fragment before = fragment_of(p, left, exact);
    struct attempt best = {0, 0};
    if (want->devices != 1 || want->milli == POLICY_WHOLE) {
        best.devices = pc_usual_devices(left, want);
        best.score = score_with(p, left, &before, want, best.devices, exact);
        return best;
    }
    for (int32_t i = 0; i < left->devices; i++) {
        if ((open >> i & 1) == 0 || left->room[i] < want->milli || is_tried(left, open, i))
            continue;
        uint64_t device = UINT64_C(1) << i;
        int64_t score = score_with(p, left, &before, want, device, exact);
        if (best.devices == 0 || score > best.score)
            best = (struct attempt){score, device};
    }
    return best;
}

static struct attempt best_for(const struct pc_ask *a, const struct pc_node *n, uint64_t open,
                               bool exact)
{
    struct pc_left left;
    const struct pc_want want = pc_want_on(a->p->cluster, n, a->request);
    pc_left_on(n, a->now_only, &left);
    return best_on(a->p, &left, &want, open, exact);
}

static void rate(const struct pc_ask *a, const struct pc_node *n, struct pc_rating *rating)
{
    rating->score = best_for(a, n, n->usable, false).score;
}

static void rate_exactly(const struct pc_ask *a, const struct pc_node *n, struct pc_rating *rating)
{
    rating->score = best_for(a, n, n->usable, true).score;
}

static uint64_t share_devices(const struct pc_ask *a, const struct pc_node *n, uint64_t open)
{
    return best_for(a, n, open, false).devices;
}

static uint64_t share_devices_exactly(const struct pc_ask *a, const struct pc_node *n,
                                      uint64_t open)
{
    return best_for(a, n, open, true).devices;
}

const struct pc_placement pc_place_fgd = {
    .row = {"fgd", "fragmentation gradient descent: adds the least fragmentation for typical "
                   "tasks, score truncated to 0..100"},
    .rate = rate,
    .search = pc_highest_score,
    .module = &pc_fits_module,
    .share_devices = share_devices,
    .traits = PC_KEEPS_SCORES | PC_WANTS_TYPICAL,
};

const struct pc_placement pc_place_fgd_exact = {
    .row = {"fgd-exact", "fgd with untruncated scores"},
    .rate = rate_exactly,
    .search = pc_highest_score,
    .module = &pc_fits_module,
    .share_devices = share_devices_exactly,
    .traits = PC_KEEPS_SCORES | PC_WANTS_TYPICAL,
};
