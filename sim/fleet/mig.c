/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * MIG profiles by name: "3g.40gb" has 3 of a device's 7 compute slices and 40 GB of memory, which
 * is 4 of 8 memory slices. The hardware fixes the number of memory slices by that of compute slices
 * (1g 1 or 2, 2g 2, 3g 4, 4g 4, 7g 8). Only 1g has two variants, which the device's memory tells
 * apart: 1g.10gb is the smaller one of an 80 GB device and the larger one of a 40 GB device.
 */
#include "sim/fleet/fleet.h"

#include <string.h>

/*
 * Reads a number of up to three digits followed by the given text; returns NULL if there is none.
 */
static const char *read_number(const char *at, int *value, const char *follows)
{
    const char *digits = at;
    *value = 0;
    for (; *at >= '0' && *at <= '9' && at - digits < 3; at++)
        *value = *value * 10 + (*at - '0');
    size_t n = strlen(follows);
    return at > digits && strncmp(at, follows, n) == 0 ? at + n : NULL;
}

/* "3g.40gb": 3 and 40. */
static bool read_name(const char *name, int *compute, int *gb)
{
    const char *at = read_number(name, compute, "g.");
    at = at != NULL ? read_number(at, gb, "gb") : NULL;
    bool ends = at != NULL &&
                (*at == '\0' || strcmp(at, "+me") == 0); /* with media engines: the same slices */
    return ends && *gb > 0 && *compute <= 7;
}

/* Memory slices of the profile on devices with that much memory; 0: the profile does not exist
 * there. */
static int slices_on(int64_t device_mem_mib, int compute, int gb)
{
    static const int slices[8] = {0, 1, 2, 4, 4, 0, 0, 8};
    for (int n = slices[compute]; n > 0 && n <= (compute == 1 ? 2 : slices[compute]); n++) {
        int64_t mib = device_mem_mib * n / 8;
        int64_t off = (int64_t)gb * 1024 - mib;
        if (device_mem_mib == 0 || (off < mib / 6 && -off < mib / 6)) /* names are rounded to
                                                                         whole GB */
            return n;
    }
    return 0;
}

/* By the first node that can have it; by the name alone when the fleet has no node with MIG. */
static int memory_slices(const struct fleet *fleet, int compute, int gb)
{
    bool any = false;
    for (size_t i = 0; i < fleet->node_count; i++) {
        const struct fleet_node *node = &fleet->nodes[i];
        int slices = node->mig != 0 ? slices_on(node->device_mem_mib, compute, gb) : 0;
        any |= node->mig != 0;
        if (slices > 0)
            return slices;
    }
    return any ? 0 : slices_on(0, compute, gb);
}

bool fleet_profile(struct fleet *fleet, const char *name, int *index, struct err *err)
{
    for (*index = 0; *index < fleet->profile_count; ++*index)
        if (strcmp(fleet->profiles[*index].name, name) == 0)
            return true;
    int compute;
    int gb;
    if (!read_name(name, &compute, &gb) || slices_on(0, compute, gb) == 0)
        return err_set(err, EXIT_INPUT,
                       "'%.40s' is not a MIG profile, expected one such as 1g.10gb or 3g.40gb",
                       name);
    int memory = memory_slices(fleet, compute, gb);
    if (memory == 0)
        return err_set(err, EXIT_INPUT,
                       "there is not a MIG profile '%s' on the devices of this fleet that have MIG",
                       name);
    if (fleet->profile_count == FLEET_PROFILES)
        return err_set(err, EXIT_INPUT, "more than %d MIG profiles ('%s' is one too many)",
                       FLEET_PROFILES, name);
    struct fleet_profile *profile = &fleet->profiles[fleet->profile_count++];
    *profile = (struct fleet_profile){.compute = compute, .memory = memory};
    memcpy(profile->name, name, strlen(name) + 1);
    return true;
}
