/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A proposal as a scenario with comments. */
#ifndef SIM_INIT_WRITE_H
#define SIM_INIT_WRITE_H

#include "sim/init/proposal.h"

/* What reads the log. */
struct init_source {
    const char *trace;          /* path as the scenario is to name it */
    const char *format;         /* NULL: detected */
    const char *const *options; /* "KEY=VALUE" */
    size_t option_count;
};

void init_write(struct out *, const struct init_proposal *, const struct init_log *,
                const struct init_source *);

/* The parts that scenarios without a log have, too: a line or several each. */
void init_write_fleet(struct out *, const struct init_proposal *);
void init_write_policy(struct out *, const struct init_proposal *);

#endif
