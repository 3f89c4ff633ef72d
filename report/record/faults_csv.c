/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The faults of a run as rows; see faults_csv.h. */
#include "report/record/faults_csv.h"

static const char *const effects[SIM_FAULT_EFFECTS] = {[SIM_FAULT_KILLS] = "kills",
                                                       [SIM_FAULT_SLOWS] = "slows",
                                                       [SIM_FAULT_CORRUPTS] = "corrupts",
                                                       [SIM_FAULT_DRAINS] = "drains"};

bool faults_csv_open(struct faults_csv *f, const char *dir, struct err *err)
{
    f->out = out_open_in(dir, "faults.csv", err);
    if (f->out != NULL)
        out_text(f->out, "time_s,class,effect,nodes,node,device,detected_s,repair_s\n");
    return f->out != NULL;
}

static void broke(void *self, const struct sim *sim, const struct sim_fault *fault)
{
    struct out *out = ((struct faults_csv *)self)->out;
    out_seconds(out, fault->at_ms);
    out_char(out, ',');
    out_csv(out, sim->config.faults.classes[fault->class]);
    out_format(out, ",%s,%u,", effects[fault->effect], fault->node_count);
    if (fault->node_count > 0)
        out_csv(out, sim->fleet->nodes[fault->nodes[0]].name);
    out_char(out, ',');
    if (fault->device != SIM_ALL_DEVICES)
        out_format(out, "%d", fault->device);
    out_char(out, ',');
    out_seconds(out, fault->at_ms + fault->detect_ms);
    out_char(out, ',');
    out_seconds(out, fault->repair_ms);
    out_char(out, '\n');
}

struct sim_observer faults_csv_observer(struct faults_csv *f)
{
    return (struct sim_observer){.self = f, .broke = broke};
}
