/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When the job that is explained will start, as it is and with a change: with --replicas. */
#ifndef SIM_ASK_EXPLAIN_ETA_H
#define SIM_ASK_EXPLAIN_ETA_H

#include "sim/ask/alternatives.h"
#include "sim/ask/eta.h"

struct explain_eta {
    bool asked;
    const char *remaining; /* how long jobs take: eta_remaining() */
    const char *forgotten; /* start_memory() */
    bool alone;            /* without jobs that come later */
    struct eta job;
    bool has_other; /* the nearest change, unless it starts the job now; half its size if there
                       is none */
    char *words;
    struct eta other;
};

/*
 * The scenario begins with the snapshot of the dry run that the alternatives were tried on. To be
 * released in any case.
 */
bool explain_eta_find(struct explain_eta *, const struct cli *, const struct scenario *,
                      const struct dry_run *, const struct snap_job *, const struct alternatives *,
                      struct err *);
void explain_eta_fini(struct explain_eta *);

void explain_eta_print(const struct explain_eta *, struct out *);
void explain_eta_json(const struct explain_eta *, struct json *); /* members of an object */

#endif
