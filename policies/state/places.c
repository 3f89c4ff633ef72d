/* SPDX-License-Identifier: MIT */
#include "state/places.h"

const struct pc_task pc_pending_task = {
    .place = {.node = PC_NONE, .nominated = PC_NONE},
    .for_job = PC_NONE,
};
