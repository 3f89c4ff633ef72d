/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of MIG profiles and the slices that they use. */
#include "scenarios/snapshot/mig_names.h"

#include "sim/base/err.h"

#include <string.h>

static const struct {
    int compute, memory;
} sizes[] = {{1, 1}, {2, 2}, {3, 4}, {4, 4}, {7, 8}};

/* Parses up to three digits at *text, which moves past them; returns 0 if there are none. */
static int digits(const char **text)
{
    int value = 0;
    for (int n = 0; n < 3 && **text >= '0' && **text <= '9'; n++)
        value = value * 10 + (*(*text)++ - '0');
    return value;
}

bool mig_parse(const char *name, struct mig_profile *profile)
{
    *profile = (struct mig_profile){.compute_slices = digits(&name)};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        if (sizes[i].compute == profile->compute_slices)
            profile->memory_slices = sizes[i].memory;
    }
    if (strncmp(name, "g.", 2) != 0)
        return false;
    name += 2;
    profile->memory_gb = digits(&name);
    bool ends = strcmp(name, "gb") == 0 || strcmp(name, "gb+me") == 0;
    return ends && profile->memory_slices > 0 && profile->memory_gb > 0;
}

struct mig_profile mig_of(const struct name_set *profiles, const char *name)
{
    struct mig_profile profile, other;
    BUG_ON(!mig_parse(name, &profile));
    if (profile.compute_slices > 1)
        return profile;
    int smallest = profile.memory_gb;
    for (size_t i = 0; i < profiles->count; i++) {
        bool single = mig_parse(profiles->names[i], &other) && other.compute_slices == 1;
        if (single && other.memory_gb < smallest)
            smallest = other.memory_gb;
    }
    // 1g.45gb has 45 of 180 GB and 1g.23gb half of that: memory is rounded in names
    if (profile.memory_gb + 1 >= 2 * smallest)
        profile.memory_slices = 2;
    return profile;
}

void mig_total_add(struct mig_total *total, const char *name, int64_t count)
{
    struct mig_profile profile;
    if (!mig_parse(name, &profile))
        return;
    total->compute += count * profile.compute_slices;
    total->memory += count * profile.memory_slices;
    total->halves += profile.compute_slices > 3 ? count : 0;
}

const char *mig_total_lacks(const struct mig_total *total, int64_t devices)
{
    return total->compute > 7 * devices  ? "7 compute slices"
           : total->memory > 8 * devices ? "8 memory slices"
           : total->halves > devices     ? "room for one instance of 4g or 7g"
                                         : NULL;
}
