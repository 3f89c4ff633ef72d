/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of XIDs, in order of their numbers. */
#include "sim/faults/xid.h"

static const struct fault_xid rows[] = {
    {13, 13, FAULT_USER, true, FAULT_DRAIN_NO, "restart the program"},
    {31, 31, FAULT_USER, true, FAULT_DRAIN_NO, "restart the program"},
    {43, 43, FAULT_USER, true, FAULT_DRAIN_NO, "none"},
    {45, 45, FAULT_USER, true, FAULT_DRAIN_NO, "see the XID that came with it"},
    {46, 46, FAULT_GPU, true, FAULT_DRAIN_NOW, "reset the GPU"},
    {48, 48, FAULT_HBM, true, FAULT_DRAIN_NOW, "reset the GPU; replace it on repeat"},
    {62, 62, FAULT_GSP, true, FAULT_DRAIN_NOW, "reset the GPU"},
    {63, 63, FAULT_HBM, false, FAULT_DRAIN_AFTER_JOB, "none: a row is remapped at the next reset"},
    {64, 64, FAULT_HBM, true, FAULT_DRAIN_NOW, "reset the GPU, ask support: a remap failed"},
    {74, 74, FAULT_NVLINK, true, FAULT_DRAIN_NOW, "follow the NVLink procedure"},
    {79, 79, FAULT_GPU, true, FAULT_DRAIN_NOW, "restart the node, ask support"},
    {92, 92, FAULT_HBM, false, FAULT_DRAIN_NO, "none; ask support"},
    {94, 94, FAULT_HBM, true, FAULT_DRAIN_NO, "restart the program"},
    {95, 95, FAULT_HBM, true, FAULT_DRAIN_NOW, "reset the GPU"},
    {109, 110, FAULT_GPU, true, FAULT_DRAIN_NOW, "reset the GPU"},
    {119, 120, FAULT_GSP, true, FAULT_DRAIN_NOW, "reset the GPU"},
    {140, 140, FAULT_HBM, true, FAULT_DRAIN_NOW, "reset the GPU"},
    {143, 143, FAULT_GPU, true, FAULT_DRAIN_NOW, "reset the GPU"},
    {144, 150, FAULT_NVLINK, true, FAULT_DRAIN_NOW, "follow the NVLink 5 procedure"},
    {155, 156, FAULT_GPU, true, FAULT_DRAIN_NOW, "reset the GPU"},
    {158, 158, FAULT_GPU, true, FAULT_DRAIN_NOW, "reset the GPU"},
};

const struct fault_xid *fault_xid_find(int xid)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (xid >= rows[i].first && xid <= rows[i].last)
            return &rows[i];
    }
    return NULL;
}
