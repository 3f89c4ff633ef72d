/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * XIDs, the numbers under which NVIDIA's driver logs errors: what each means for the job and the
 * node, and which class of fault it is a sign of. From NVIDIA's catalogue (copy of October 2025 in
 * leptonai/gpud) and the severities of facebookresearch/gcm.
 */
#ifndef SIM_FAULTS_XID_H
#define SIM_FAULTS_XID_H

#include "sim/faults/classes.h"

struct fault_xid {
    int first, last;        /* the XIDs of the row */
    enum fault_class_id of; /* FAULT_USER: caused by the program itself, as far as one can tell */
    bool kills;             /* the job */
    enum fault_drain drain; /* of the node */
    const char *action;     /* action that the catalogue recommends to the operator */
};

/* NULL for an XID that is not in the table: no action is needed. */
const struct fault_xid *fault_xid_find(int xid);

#endif
