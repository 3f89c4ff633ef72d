/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The targets of a command line (--target). */
#ifndef SIM_CLI_TARGETS_H
#define SIM_CLI_TARGETS_H

#include "report/plan/target.h"
#include "sim/program/command.h"

struct targets {
    struct target *list;
    size_t count;
};

/* False with err set; to be freed in any case. */
bool targets_read(struct targets *, const struct cli *, struct err *err);
void targets_free(struct targets *);

#endif
