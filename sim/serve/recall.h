/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records that were taken, looked up for a client that does not know what became of its requests.
 */
#ifndef SIM_SERVE_RECALL_H
#define SIM_SERVE_RECALL_H

#include "sim/serve/service.h"

/* The lowest number of a record that can be looked up. */
uint64_t service_first_record(const struct service *);

/* What a number that a client gave its request says. */
enum recall_verdict {
    RECALL_NEXT,     /* it is to be taken */
    RECALL_REPEATED, /* it was taken: of a decide `decisions` has what was decided, as members of a
                        list */
    RECALL_WRONG,    /* neither; `error` says why */
};
struct recall {
    int64_t record;
    uint64_t count;        /* decisions */
    struct text decisions; /* to be freed by service_recall_fini() */
    char error[256];
};
enum recall_verdict service_recall(struct service *, struct recall *, const struct fact *);
void service_recall_fini(struct recall *);

/* Onto `answer`: decisions behind record `after`, and what goes with them. False with the reason in
 * `error`. */
bool service_recall_decisions(struct service *, uint64_t after, struct text *answer, char *error,
                              size_t size);

#endif
