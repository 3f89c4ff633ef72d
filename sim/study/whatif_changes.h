/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --add-nodes, --drain and --lose as changes to keys of a scenario, relative to their values. */
#ifndef SIM_STUDY_WHATIF_CHANGES_H
#define SIM_STUDY_WHATIF_CHANGES_H

#include "scenarios/scenario.h"
#include "sim/program/command.h"

struct whatif_changes {
    struct scen_change *list;
    size_t count, capacity;
    char **texts; /* that the list points to */
    size_t text_count, text_capacity;
};

/* False with err set; to be closed in any case. */
bool whatif_changes_open(struct whatif_changes *, const struct cli *, const struct scenario *base,
                         struct err *);
void whatif_changes_close(struct whatif_changes *);

#endif
