/* SPDX-License-Identifier: MIT */
/* MIG geometry; see mig.h. The positions are those of NVIDIA's user guide for these devices. */
#include "state/mig.h"

#include "base/bits.h"

struct profile {
    uint8_t compute, memory;
    uint8_t starts; /* set of memory slices */
};

/* Largest first: the order in which positions are worth preserving. */
static const struct profile profiles[] = {
    {7, 8, 0x01}, {4, 4, 0x01}, {3, 4, 0x11}, {2, 2, 0x15}, {1, 2, 0x55}, {1, 1, 0x7f},
};

enum { PROFILES = sizeof profiles / sizeof *profiles };

static uint8_t run(int32_t memory, int32_t start)
{
    return (uint8_t)(((1u << memory) - 1) << start);
}

static const struct profile *find(int32_t compute, int32_t memory)
{
    for (uint32_t i = 0; i < PROFILES; i++)
        if (profiles[i].compute == compute && profiles[i].memory == memory)
            return &profiles[i];
    return NULL;
}

static uint8_t starts_of(const struct pc_mig *state, const struct profile *profile)
{
    uint8_t found = 0;
    if (state->compute + profile->compute > PC_MIG_COMPUTE)
        return 0;
    for (int32_t start = 0; start < PC_MIG_MEMORY; start++)
        if ((profile->starts >> start & 1) != 0 &&
            (state->slices & run(profile->memory, start)) == 0)
            found |= run(1, start);
    return found;
}

bool pc_mig_known(int32_t compute, int32_t memory)
{
    return find(compute, memory) != NULL;
}

uint8_t pc_mig_starts(const struct pc_mig *state, int32_t compute, int32_t memory)
{
    const struct profile *profile = find(compute, memory);
    return profile != NULL ? starts_of(state, profile) : 0;
}

/* The number of positions left for each profile, as digits of an octal number: none exceeds 7. */
static uint32_t places_left(const struct pc_mig *state)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < PROFILES; i++)
        left = left * 8 + (uint32_t)pc_popcount(starts_of(state, &profiles[i]));
    return left;
}

int32_t pc_mig_place(const struct pc_mig *state, int32_t compute, int32_t memory)
{
    int32_t best = PC_MIG_NOWHERE;
    uint32_t most = 0;
    uint8_t starts = pc_mig_starts(state, compute, memory);
    for (int32_t start = 0; start < PC_MIG_MEMORY; start++) {
        if ((starts >> start & 1) == 0)
            continue;
        struct pc_mig after = *state;
        pc_mig_take(&after, compute, memory, start);
        uint32_t left = places_left(&after);
        if (best == PC_MIG_NOWHERE || left >= most) {
            best = start;
            most = left;
        }
    }
    return best;
}

void pc_mig_take(struct pc_mig *state, int32_t compute, int32_t memory, int32_t start)
{
    state->slices |= run(memory, start);
    state->compute = (uint8_t)(state->compute + compute);
}

void pc_mig_give(struct pc_mig *state, int32_t compute, int32_t memory, int32_t start)
{
    state->slices &= (uint8_t)~run(memory, start);
    state->compute = (uint8_t)(state->compute - compute);
}
