/* SPDX-License-Identifier: MIT */
/* Fragmentation of a node for the typical tasks; see fragment.h. */
#include "place/fragment.h"

enum class {
    LACKS_BOTH,
    LACKS_DEVICES,
    LACKS_CPU,
    NO_DEVICE,
    NO_DEVICE_NOR_CPU,
    NO_ACCESS,
    CLASSES
};

/* Thousandths needed of each device; for memory, enough to cover it. */
static int64_t milli_of(const struct pc_left *left, const struct pc_plain_request *m)
{
    return m->device_mem > 0 ? (m->device_mem * POLICY_WHOLE + left->memory - 1) / left->memory
                             : m->milli;
}

/* The fragment for one typical task, and the class it counts in. */
static int32_t fragment_for(const struct pc_left *left, const struct pc_plain_request *m,
                            enum class *class)
{
    bool cpu_short = left->cpu < m->cpu;
    *class = cpu_short ? NO_DEVICE_NOR_CPU : NO_DEVICE;
    if (m->devices == 0)
        return left->sum;
    *class = NO_ACCESS;
    if ((m->types >> left->type & 1) == 0 || (m->instances && !left->cuts) ||
        (m->device_mem > 0 && left->memory == 0))
        return left->sum;
    int64_t milli = milli_of(left, m);
    int32_t fitting = 0;
    int32_t too_small = 0;
    for (int32_t i = 0; i < left->devices; i++) {
        fitting += left->room[i] >= milli;
        too_small += left->room[i] >= milli ? 0 : left->room[i];
    }
    if (fitting >= m->devices) {
        *class = cpu_short ? LACKS_CPU : LACKS_DEVICES;
        return cpu_short ? left->sum : too_small;
    }
    *class = cpu_short ? LACKS_BOTH : LACKS_DEVICES;
    return left->sum;
}

double pc_fragment(const struct policy *p, const struct pc_left *left)
{
    double of_class[CLASSES] = {0};
    double sum = 0;
    if (left->sum == 0)
        return 0;
    for (uint32_t i = 0; i < p->typical_count; i++) {
        enum class class;
        int32_t fragment = fragment_for(left, &p->typical[i].request, &class);
        of_class[class] += p->typical[i].part * (double)fragment;
    }
    for (int class = 0; class < CLASSES; class ++)
        sum += of_class[class];
    return sum;
}

int64_t pc_fragment_counted(const struct policy *p, const struct pc_left *left)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < p->typical_count && left->sum > 0; i++) {
        enum class class;
        sum += p->typical[i].count * fragment_for(left, &p->typical[i].request, &class);
    }
    return sum;
}
